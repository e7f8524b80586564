"""A conversation asks before it forgets: what "that" means, what a yes, a no and anything else do."""

from contextlib import closing

import pytest

from veridical.memory.forgetting.dialogue import Reply, asked, settled

from .conftest import World


def ask(world, line: str, session: str = "ann/s1") -> Reply | None:
    return asked(world.memory, "ann", session, line)


def settle(world, offered: Reply, line: str) -> Reply | None:
    return settled(world.memory, world.saver, "ann", offered.offered.what, line, now=world.clock())


@pytest.mark.requirement("FORGET-CHAT")
@pytest.mark.parametrize(
    ("told", "line", "no", "other", "yes"),
    [
        ("My dentist is Dr. Wu.", "Forget that.", "No, keep it.", "Who is my dentist?", "Yes."),
        ("我的牙医是吴医生。", "忘掉那个。", "算了", "我的牙医是谁？", "是的。"),
    ],
)
def test_only_a_yes_forgets_and_what_is_neither_yes_nor_no_is_left_to_others(world, told, line, no, other, yes):
    world.say(told)
    offered = ask(world, line)
    assert told in offered.text
    assert settle(world, offered, no).report is None
    assert settle(world, offered, other) is None
    assert [turn.text for turn in offered.offered.chosen] == [told]
    done = settle(world, offered, yes)
    assert done.report.clean
    assert "t1" in done.text
    assert told not in done.text
    assert "t1" in settle(world, offered, yes).text, "a yes that comes again names nothing"


@pytest.mark.requirement("FORGET-CHAT")
def test_a_long_turn_is_shown_by_its_beginning_on_one_line(world):
    world.say("My story:\n" + "it goes on and on. " * 100)
    (listed,) = [line for line in ask(world, "forget that").text.splitlines() if "t1" in line and "My story" in line]
    assert len(listed) < 320
    assert listed.endswith("…")


@pytest.mark.requirement("FORGET-CHAT")
def test_where_nothing_was_said_there_is_nothing_to_forget(world):
    assert ask(world, "forget that", session="another").offered is None
    assert ask(world, "Don't let me forget that the gate code is 7741.") is None


TOLD = [
    "My rent is 900 euros a month.",
    "My landlord is called Mr. Pott and he is rude.",
    "We rented a car in Porto, it was red.",
    "My sister Clara lives in Braga.",
    "押金是3500元。",
    "我的打印机坏了，型号是惠普M1136。",
    "韩梅的生日是五月三日。",
    "我的邮箱是ann@example.org。",
]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A world in which things were told; nothing is forgotten in it."""
    world = World(tmp_path_factory.mktemp("told"))
    for text in TOLD:
        world.say(text)
    with closing(world):
        yield world


@pytest.mark.requirement("FORGET-CHAT")
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("forget the rent", [0]),
        ("Please forget about my rent.", [0]),
        ("Please forget what I said about my landlord", [1]),
        ("Can you forget everything I told you about the landlord?", [1]),
        ("Erase my landlord from your memory, please", [1]),
        ("delete everything about the car please", [2]),
        ("Forget that Clara lives in Braga", [3]),
        ("Forget my sister", [3]),
        ("押金的事忘掉吧", [4]),
        ("请忘记我说过的关于押金的话", [4]),
        ("别记押金了", [4]),
        ("把打印机的事删掉", [5]),
        ("忘了打印机吧", [5]),
        ("麻烦把韩梅的生日从记忆里删除", [6]),
        ("忘掉我的邮箱，谢谢", [7]),
    ],
)
def test_what_is_named_is_offered_for_forgetting_wherever_it_was_said(told, line, meant):
    offered = ask(told, line, session="another")
    assert [turn.text for turn in offered.offered.chosen] == [TOLD[place] for place in meant]


@pytest.mark.requirement("FORGET-CHAT")
@pytest.mark.parametrize(
    "line",
    [
        "I forgot the rent",
        "Don't forget the rent",
        "Forget to pay the rent",
        "Forget the rent for now",
        "Forget the rent, let's talk about Rome.",
        "How do I forget the landlord?",
        "Forget the weather",
        "我忘了房租",
        "房租忘了",
        "别忘了房租",
        "把打印机删掉了",
        "不要忘了交房租",
        "你忘了房租吗？",
        "忘掉烦恼吧",
    ],
)
def test_a_line_that_only_speaks_of_forgetting_is_said_like_any_other(told, line):
    assert ask(told, line) is None


@pytest.mark.requirement("FORGET-CHAT")
@pytest.mark.parametrize(
    "line",
    ["Forget everything I told you about the divorce", "Forget my shoe size", "把离婚的事忘掉", "忘掉我的鞋码吧"],
)
def test_who_asks_to_forget_what_was_never_said_is_told_so(told, line):
    assert ask(told, line).offered is None


@pytest.mark.requirement("FORGET-CHAT")
@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Remind me to call the plumber on Friday.", "Forget the plumber."),
        ("提醒我周五给水管工打电话。", "忘掉给水管工打电话吧"),
        ("My order 4471 should be returned.", "Forget the return."),
    ],
)
def test_a_plan_that_is_dropped_is_no_memory_to_forget(world, said, line):
    world.say(said)
    assert ask(world, line) is None
    assert "t1" in world.say(line), "the turn takes it back"
    assert ask(world, line.replace("Forget", "Forget what I said about").replace("忘掉", "忘掉我说过的")).offered
