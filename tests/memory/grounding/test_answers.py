"""Whole answers of the floor on hand-made conversations: what is in the records is answered, all else is declined."""

from datetime import UTC, datetime, timedelta

import pytest

from ..calibration.scenes import Talk, quoted

DECLINED = {"en": "I can't confirm that from our conversation records.", "zh": "根据现有对话记录无法确认该信息。"}


def declined(talk: Talk, text: str) -> bool:
    answer = talk.ask(text)
    assert answer.abstained == (not answer.citations)
    if answer.abstained:
        assert answer.text.startswith(tuple(DECLINED.values()))
    return answer.abstained


def apollo() -> Talk:
    talk = Talk()
    talk.fact(talk.say("The final budget of Apollo is 48,500 dollars."), "budget", "48,500 dollars", entity="apollo")
    talk.about("apollo", known=["apollo"])
    return talk


@pytest.mark.parametrize(
    "text",
    [
        "What is the budget of Apollo?",
        "What's Apollo's budget?",
        "do you remember apollo's final budget",
        "How much money does Apollo have?",
        "How much is Apollo going to cost?",
        "So what was its budget again?",
        "Apollo的预算是多少？",
        "Apollo 花多少钱？",
    ],
)
@pytest.mark.requirement("FLOOR-ANSWERS", "C41", "P5")
def test_a_budget_is_found_in_many_wordings(text):
    answer = apollo().ask(text)
    assert "48,500 dollars" in answer.text
    assert "2026-03-02" in answer.text
    assert quoted(answer) == ["t1"]
    assert answer.mode == "floor"


@pytest.mark.parametrize(
    "text",
    [
        "Who is its project manager?",
        "When is the deadline of Apollo?",
        "What is the budget of Zeus?",
        "Where does Apollo meet?",
        "Why is the budget of Zeus so high?",
        "它的项目经理是谁？",
        "宙斯项目的预算是多少？",
        "Apollo的截止日期是哪天？",
        "What is the capital of France?",
        "How do I boil an egg?",
        "法国的首都是哪里？",
    ],
)
@pytest.mark.requirement("FLOOR-ANSWERS", "P4")
def test_what_was_never_said_is_declined(text):
    assert declined(apollo(), text)


@pytest.mark.requirement("C3", "P2")
@pytest.mark.parametrize(
    ("asked", "advised", "own", "recommended"),
    [
        (
            "Which phone should I buy?",
            "You should buy the Pixel 9, it is the best phone.",
            ["What phone do I own?", "Which phone do I have?", "Do I own a Pixel?"],
            "Which phone did you recommend?",
        ),
        (
            "我该买哪个手机？",
            "建议您买小米15。",
            ["我用的是什么手机？", "我有什么手机", "我买了哪个手机？"],
            "你推荐了什么手机？",
        ),
    ],
)
def test_what_the_assistant_recommended_is_not_what_the_user_owns(asked, advised, own, recommended):
    talk = Talk()
    talk.say(asked)
    talk.say(advised, by="assistant")
    assert [text for text in own if not declined(talk, text)] == []
    answer = talk.ask(recommended)
    assert quoted(answer) == ["t2"]
    assert "assistant" in answer.text or "助手" in answer.text


@pytest.mark.requirement("C41")
def test_the_cost_answers_for_the_budget():
    talk = Talk()
    talk.say("费用定为5万。")
    for text in ("预算是多少？", "預算是多少？", "我们的经费是多少", "How much is the budget?"):
        assert "费用定为5万" in talk.ask(text).text, text


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    ("turns", "more", "less"),
    [
        (["方案A报价3万，方案B报价5万。"], "方案B", "方案A"),
        (["Plan A costs 300 dollars and plan B costs 500 dollars."], "plan B", "Plan A"),
        (["方案A要30000元。", "方案B要4.5万元。"], "方案B", "方案A"),
        (["The first quote: option 1 is $900.", "Option 2 is $1,200."], "Option 2", "option 1"),
    ],
)
def test_the_pricier_and_the_cheaper_one_are_told_apart(turns, more, less):
    talk = Talk()
    for turn in turns:
        talk.say(turn)
    for text in ("the pricier one?", "Which one is more expensive?", "更贵的那个是哪个？", "哪个贵"):
        assert talk.ask(text).text.startswith(f"{more}\n") or more in talk.ask(text).citations[0].quote, text
    for text in ("the cheaper one?", "便宜的那个呢？", "哪个更便宜"):
        assert less in talk.ask(text).citations[0].quote, text


def test_the_pricier_one_of_one_option_is_not_told():
    talk = Talk()
    talk.say("Plan A costs 300 dollars.")
    assert declined(talk, "the pricier one?")


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    "text", ["Yesterday we settled the budget, how much was it?", "昨天我们定了预算，是多少？", "预算是多少来着"]
)
def test_a_premise_is_no_evidence(text):
    talk = Talk()
    talk.say("We should talk about the budget some time.")
    talk.say("我们聊聊预算吧")
    assert declined(talk, text)


@pytest.mark.requirement("C42")
@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("今天看了苹果公司股价，涨了3%。", "苹果公司的股价怎么样？", ["苹果食谱是什么？", "我的苹果食谱用几个苹果？"]),
        (
            "我写了一个苹果食谱：苹果两个，糖50克。",
            "苹果食谱是什么？",
            ["苹果公司股价是多少？", "苹果公司的市值是多少"],
        ),
        (
            "I read that Apple shares rose to 230 dollars.",
            "What did I read about Apple shares?",
            ["What is my apple pie recipe?"],
        ),
        (
            "My apple pie recipe needs three apples.",
            "What does my apple pie recipe need?",
            ["How much are Apple shares?"],
        ),
    ],
)
def test_a_domain_is_no_evidence_for_another(said, right, wrong):
    talk = Talk()
    talk.say(said)
    assert quoted(talk.ask(right)) == ["t1"]
    assert [text for text in wrong if not declined(talk, text)] == []


@pytest.mark.requirement("C43")
@pytest.mark.parametrize(
    ("turns", "texts"),
    [
        (
            [
                "First the server ran out of memory.",
                "Then the database crashed.",
                "So we concluded that we must scale up.",
            ],
            [
                "Why must we scale up?",
                "What was the reason for scaling up?",
                "How did it come about that we must scale up?",
            ],
        ),
        (["首先服务器内存不足。", "然后数据库崩溃了。", "结论是必须扩容。"], ["为什么必须扩容？", "扩容的原因是什么"]),
        (
            ["The supplier was late.", "Then the prototype missed its date.", "Therefore the launch moved to June."],
            ["Why did the launch move to June?"],
        ),
    ],
)
def test_reasons_are_told_in_the_order_in_which_they_happened(turns, texts):
    talk = Talk()
    talk.say("I had soup for lunch.")
    for turn in turns:
        talk.say(turn)
        talk.say("Noted.", by="assistant")
    talk.say("I watered the plants.")
    for text in texts:
        assert quoted(talk.ask(text)) == ["t2", "t4", "t6"], text


def test_reasons_in_one_turn_are_quoted_in_its_order():
    talk = Talk()
    talk.say("The disk filled up. Then writes failed. So we added log rotation.")
    quotes = [citation.quote for citation in talk.ask("Why did we add log rotation?").citations]
    assert quotes == ["The disk filled up. Then writes failed. So we added log rotation."]


def test_the_bare_matter_is_no_reason():
    talk = Talk()
    talk.say("We chose Postgres.")
    assert declined(talk, "Why did we choose Postgres?")


@pytest.mark.requirement("C39")
@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize(
    "text", ["and the second?", "好的，那第二条呢", "What was the second thing?", "那第二件事呢？", "那第二條呢"]
)
def test_the_second_errand_is_quoted_also_after_the_first_is_done(text, done):
    talk = Talk()
    turn = talk.say("Call the client at 3 pm, send the minutes to 张工, and look up trains for next week.")
    errands = [
        talk.todo(turn, "Call the client at 3 pm", done=done),
        talk.todo(turn, "send the minutes to 张工"),
        talk.todo(turn, "look up trains for next week"),
    ]
    talk.about("", listed=errands)
    assert [citation.quote for citation in talk.ask(text).citations] == ["send the minutes to 张工"]


def test_a_place_beyond_the_list_is_declined():
    talk = Talk()
    turn = talk.say("Buy milk and bread.")
    talk.about("", listed=[talk.todo(turn, "Buy milk"), talk.todo(turn, "bread")])
    assert declined(talk, "and the fifth?")


def test_open_todos_are_listed_and_done_ones_left_out():
    talk = Talk()
    turn = talk.say("Buy milk, call Ana, water the plants.")
    talk.todo(turn, "Buy milk", done=True)
    talk.todo(turn, "call Ana")
    talk.todo(turn, "water the plants")
    for text in ("What are my todos?", "What do I still have to do?", "还有什么待办？"):
        assert [citation.quote for citation in talk.ask(text).citations] == ["call Ana", "water the plants"], text
    assert [citation.quote for citation in talk.ask("What is done?").citations] == ["Buy milk"]


def work() -> Talk:
    talk = Talk()
    talk.fact(talk.say("I work at Acme."), "employer", "Acme")
    talk.now += timedelta(days=40)
    talk.fact(talk.say("I work at Globex now."), "employer", "Globex")
    talk.now += timedelta(days=40)
    talk.fact(talk.say("I work at Initech these days."), "employer", "Initech")
    return talk


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    "text",
    ["Where do I work?", "Who is my employer?", "Which company do I work for?", "我在哪里上班？", "我在哪家公司工作"],
)
def test_the_current_employer_is_told(text):
    answer = work().ask(text)
    assert quoted(answer) == ["t3"]
    assert answer.text.startswith("Initech\n")


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(("first", "then"), [("Where do I work?", "before that?"), ("我在哪里上班？", "那之前呢？")])
def test_before_that_goes_back_one_version_at_a_time(first, then):
    talk = work()
    talk.ask(first)
    assert quoted(talk.ask(then)) == ["t2"]
    assert quoted(talk.ask(then)) == ["t1"]
    assert declined(talk, then)


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("Where did I work before?", "t2"),
        ("Who was my previous employer?", "t2"),
        ("Where did I work in March 2026?", "t1"),
        ("2026年3月我在哪里上班？", "t1"),
        ("Where did I work in 2019?", None),
    ],
)
def test_earlier_employers_are_told_by_their_time(text, turn):
    assert quoted(work().ask(text)) == ([turn] if turn else [])


@pytest.mark.requirement("C21")
@pytest.mark.parametrize(
    "text", ["What did I say yesterday?", "昨天说了什么？", "What happened yesterday?", "昨天我说了哪些事"]
)
def test_a_day_is_exactly_that_day_in_the_zone_of_the_user(text):
    talk = Talk(zone="Asia/Shanghai")
    for day, hour, minute in ((1, 15, 59), (1, 16, 0), (2, 4, 0), (2, 15, 59), (2, 16, 0)):
        talk.say(f"I logged fact {day}-{hour}-{minute}.", at=datetime(2026, 3, day, hour, minute, tzinfo=UTC))
    answer = talk.ask(text)
    assert quoted(answer) == ["t2", "t3", "t4"]


@pytest.mark.requirement("C6")
def test_two_names_in_one_sentence_are_given_to_the_right_person():
    talk = Talk()
    turn = talk.say("My name is Wang Muchen, my son is Wang Mingze.")
    talk.fact(turn, "name", "Wang Muchen")
    talk.fact(turn, "son", "Wang Mingze", single_valued=False)
    assert talk.ask("What is my name?").text.startswith("Wang Muchen\n")
    assert talk.ask("Who is my son?").text.startswith("Wang Mingze\n")
    assert not talk.ask("What's my son's name?").text.startswith("Wang Muchen\n")
    assert declined(talk, "What is my daughter's name?")
    assert declined(talk, "我女儿叫什么？")


@pytest.mark.requirement("C4")
def test_a_guess_that_was_taken_back_is_not_quoted():
    talk = Talk()
    talk.say("The app crashed today. Maybe it was the database... no, it was my parser.")
    quotes = [citation.quote for citation in talk.ask("What caused the crash?").citations]
    assert "no, it was my parser." in quotes
    assert not any("Maybe" in quote for quote in quotes)


@pytest.mark.parametrize("text", ["Did I choose Berlin?", "Do I like Berlin?", "Where is the offsite?", "我喜欢柏林吗"])
@pytest.mark.requirement("C10")
def test_a_question_of_the_user_supports_no_claim_about_anything_else(text):
    talk = Talk()
    talk.say("Should we take Hamburg or Berlin for the offsite?")
    assert declined(talk, text)
    assert quoted(talk.ask("What did I ask about the offsite?")) == ["t1"]


def test_a_persons_words_answer_for_that_person_only():
    talk = Talk()
    talk.say("I adopted a puppy from the shelter.", by="Ana")
    talk.say("I bought a guitar.", by="Ben")
    talk.about("", known=["Ana", "Ben"])
    assert quoted(talk.ask("What did Ana adopt?")) == ["t1"]
    assert "Ana" in talk.ask("What did Ana adopt?").text
    assert declined(talk, "What did Ben adopt?")
    assert quoted(talk.ask("Who bought a guitar?")) == ["t2"]


def test_a_reply_is_understood_by_the_question_before_it():
    talk = Talk()
    talk.say("Which instrument do you play, Ana?", by="Ben")
    talk.say("Mostly the cello, sometimes drums.", by="Ana")
    talk.about("", known=["Ana", "Ben"])
    assert quoted(talk.ask("Which instrument does Ana play?")) == ["t2"]


def test_two_turns_answer_together():
    talk = Talk()
    talk.say("My boss is Anna Keller.")
    talk.say("Anna moved to Oslo last year.")
    assert "t2" in quoted(talk.ask("Where did my boss move to?"))


def test_intentions_answer_no_question_about_what_was_done():
    talk = Talk()
    talk.say("I may travel next week.")
    talk.say("I'll book next week's flight.", by="assistant")
    for text in ("Did I book a flight?", "Which flight did I book?", "我订机票了吗"):
        assert declined(talk, text), text
