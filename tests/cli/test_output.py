"""What reaches a terminal: memory is data there, never markup and never a command."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from veridical.cli.output import one_line, plain, styled


@pytest.mark.requirement("PRINT-PLAIN")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x00b\x08c\x7fd\x9be", "abcde"),
        ("price \u202e000,5\u202c euros", "price 000,5 euros"),
        ("lone \udc80", "lone \ufffd"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("张伟 👩‍🔬 naïve", "张伟 👩‍🔬 naïve"),
    ],
)
def test_control_sequences_are_left_out_and_words_stay(given: str, shown: str) -> None:
    assert plain(given) == shown


@pytest.mark.requirement("PRINT-PLAIN")
@given(st.text(st.characters(exclude_categories=())))
def test_nothing_that_commands_a_terminal_survives(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    assert not any(ord(character) < 32 and character not in "\n\t" for character in shown)
    shown.encode("utf-8")


@pytest.mark.requirement("PRINT-PLAIN")
@pytest.mark.parametrize("text", ["[t12]", "[/b]", "[red]x[/red]", ":smile:", "[link=file:///etc/passwd]x[/link]"])
def test_markup_in_a_memory_is_shown_as_it_is(text: str) -> None:
    console = Console(file=io.StringIO(), highlight=False, force_terminal=False)
    console.print(styled(text))
    assert console.file.getvalue() == f"{text}\n"


def test_one_line_joins_what_was_broken() -> None:
    assert one_line(" a\n\n b\tc ") == "a b c"
