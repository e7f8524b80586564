"""A conversation asks before it forgets: what "that" means, what a yes, a no and anything else do."""

import pytest

from veridical.memory.forgetting.dialogue import Reply, asked, settled


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
