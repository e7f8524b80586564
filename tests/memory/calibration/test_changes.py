"""A later turn that takes back an earlier one answers in its place, although no item says so."""

from collections.abc import Sequence

import pytest

from .scenes import Talk, quoted


def told(turns: Sequence[str]) -> Talk:
    talk = Talk()
    for text in turns:
        talk.say(text)
    return talk


TAKEN_BACK = [
    (
        ["The tutor charges 22 euros an hour.", "The tutor raised the fee to 25 euros."],
        "How much does the tutor charge?",
    ),
    (
        ["Ella takes the pictures.", "Ella broke an arm, so Hugo is taking the pictures instead."],
        "Who takes the pictures?",
    ),
    (["补习老师一小时收220元。", "补习老师从220元涨到了250元。"], "补习老师收多少钱？"),
    (["酒席订了20桌。", "酒席从20桌减到18桌。"], "酒席订了多少桌？"),
]


@pytest.mark.parametrize(("turns", "question"), TAKEN_BACK)
def test_what_was_taken_back_is_not_told_any_more(turns, question):
    talk = told(turns)
    assert quoted(talk.ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (
            ["The tutor charges 22 euros an hour.", "The gym raised its fee to 40 euros."],
            "How much does the tutor charge?",
        ),
        (["The tutor charges 22 euros an hour.", "We moved the sofa to the wall."], "How much does the tutor charge?"),
        (["补习老师一小时收220元。", "健身房涨到400元了。"], "补习老师收多少钱？"),
    ],
)
def test_a_change_of_something_else_takes_nothing_back(turns, question):
    talk = told(turns)
    assert "t2" not in quoted(talk.ask(question))


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (
            ["The tutor charges 22 euros an hour.", "The tutor raised the fee to 25 euros."],
            "How much did the tutor charge at first?",
        ),
        (["补习老师一小时收220元。", "补习老师从220元涨到了250元。"], "补习老师最初收多少钱？"),
    ],
)
def test_how_it_was_at_first_is_still_told(turns, question):
    talk = told(turns)
    assert quoted(talk.ask(question)) == ["t1"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["The draft stands at 42,000 words.", "61,000 words this evening."], "How many words has the draft got?"),
        (["动物园的票一张80块。", "动物园的票抢到早鸟价，65。"], "动物园的票多少钱？"),
    ],
)
def test_a_like_number_that_is_told_later_is_how_it_is_by_then(turns, question):
    talk = told(turns)
    assert quoted(talk.ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (
            ["The evening course has twelve lessons.", "The course gets three more lessons."],
            "How many lessons are there?",
        ),
        (["陶艺班有十二节课。", "陶艺班又加了三节课。"], "陶艺班有多少节课？"),
    ],
)
def test_by_how_much_something_changed_is_told_with_what_it_was(turns, question):
    talk = told(turns)
    assert quoted(talk.ask(question)) == ["t2", "t1"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["The pitch costs 65 euros a day.", "It's 80 now."], "What does the pitch cost per day?"),
        (["我们五个人去爬山。", "那就七个人了。"], "几个人去爬山？"),
    ],
)
def test_what_a_later_value_may_have_replaced_is_not_told(turns, question):
    talk = told(turns)
    assert talk.ask(question).abstained


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("The dentist pulled the tooth yesterday.", "When did the dentist pull the tooth?", ["t1"]),
        ("I'm having the dentist pull the tooth tomorrow.", "When does the dentist pull the tooth?", []),
    ],
)
def test_a_day_that_has_been_is_not_put_off(told, asked, answer):
    talk = Talk()
    talk.say(told)
    talk.say("It will be Friday.")
    assert quoted(talk.ask(asked)) == answer


def test_who_takes_the_place_of_whom_is_told_by_both_names():
    talk = Talk()
    talk.say("The interview at the school is done by Mrs Quast.")
    talk.say("Mrs Quast is ill, so Mr Delgado will see us instead.")
    assert quoted(talk.ask("Who does the interview at the school?")) == ["t2"]


def test_a_number_that_changed_takes_nobodys_place():
    talk = Talk()
    talk.say("The interview at the school is done by Mrs Quast.")
    talk.say("Mrs Quast told Mr Delgado that the fee went up to 90 euros.")
    assert "t2" not in quoted(talk.ask("Who does the interview at the school?"))


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["We buy flour from Harrow, 0.92 a kilo.", "Harrow raised it to 1.05."], "What does a kilo of flour cost?"),
        (["面粉一直从老罗那儿拿，一公斤8块5。", "老罗那边涨到9块2了。"], "面粉一公斤多少钱？"),
    ],
)
def test_who_sells_it_ties_a_new_price_to_the_old_one(turns, question):
    assert quoted(told(turns).ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["The grant is 18 thousand euros.", "The grant got another 2 thousand euros, 20 thousand in all."],
         "How much is the grant?"),
        (["经费批了18万。", "经费追加了两万，一共20万。"], "经费现在是多少？"),
    ],
)  # fmt: skip
def test_a_step_that_tells_where_it_led_needs_nothing_beside_it(turns, question):
    assert quoted(told(turns).ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turn", "question"),
    [
        ("From April my daily rate is 660.", "What was my daily rate before April?"),
        ("从四月起日薪涨到660。", "四月之前我的日薪是多少？"),
    ],
)
def test_what_holds_from_a_time_on_did_not_hold_before(turn, question):
    assert told([turn]).ask(question).abstained
