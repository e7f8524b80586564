"""Nothing takes ever longer by its form: what reads texts is given long repetitions, and four times as long ones."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from veridical.cli.output import plain
from veridical.memory.clauses.splitting import cut
from veridical.memory.complaints import complains
from veridical.memory.extraction.acts import classify_act
from veridical.memory.extraction.masking import mask
from veridical.memory.knowledge.reading import joined_lines
from veridical.memory.language import guises
from veridical.memory.language.folding import detect_language, fold
from veridical.memory.language.sentences import sentences
from veridical.memory.language.times import find_times
from veridical.memory.language.tokens import tokenize
from veridical.memory.language.values import find_values
from veridical.memory.prompting import harmless
from veridical.memory.storage.handles import mentions_in

READERS: dict[str, Callable[[str], object]] = {
    "plain": plain,
    "fold": fold,
    "detect_language": detect_language,
    "sentences": sentences,
    "posing": lambda text: guises.posing.__wrapped__(text, spoken=True),
    "dictated": lambda text: guises.dictated.__wrapped__(text),
    "harmless": harmless,
    "mask": mask,
    "classify_act": lambda text: classify_act(text, "en"),
    "complains": lambda text: complains(text, "en"),
    "mentions_in": mentions_in,
    "joined_lines": joined_lines,
    "cut": lambda text: cut(text, "terms.md", "contract"),
    "tokenize": tokenize,
    "find_times": lambda text: find_times(text, datetime(2026, 3, 2, tzinfo=UTC), "UTC"),
    "find_values": find_values,
}
PIECES = [
    "a",
    " ",
    "\n",
    "(",
    "[",
    "<a ",
    "<a>",
    '{"a":',
    '"a ',
    "1,",
    ". ",
    "预",
    "，",
    "“",
    "mem_start ",
    "[t1] ",
    "[A:b",
]
PIECES += [
    "```",
    "user_input\n",
    "you said ",
    "assistant:\n",
    "\x1b[",
    "\x1b]",
    "\u200b",
    "please ",
    "请",
    "and I ",
    "一",
]
PIECES += [
    "2026-01-01 ",
    "not ",
    "第1号",
    "> ",
    "## \n",
    "<!--",
    "answer ",
    "is my ",
    "Aa ",
    "say,",
    "第1条 a\n",
    "1. a\n2. b\n",
    "(a) b\n",
    "1.1 a\n",
]
_LENGTH = 1500


def _spent(read: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start


@pytest.mark.requirement("LIMITS")
@pytest.mark.parametrize("name", READERS)
def test_reading_grows_with_the_length_and_not_with_its_square_of_squares(name: str) -> None:
    read = READERS[name]
    read("Warm up on January 1: the budget is 5 dollars. 预算是5万。")
    slow = []
    for piece in PIECES:
        short, long = ((piece * length)[:length] for length in (_LENGTH, 4 * _LENGTH))
        # Only what is slow at all is measured against itself: four times the text may take sixteen times as long.
        spent = _spent(read, long)
        if spent > 0.5 and spent > 24 * max(_spent(read, short), 0.005):
            slow.append((piece, spent))
    assert slow == []
