"""Chunks: exact slices by heading and paragraph, short, and never cut within a sentence."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.memory.knowledge.chunking import LONGEST, chunk
from veridical.memory.language.sentences import sentences
from veridical.prompts.tokens import count_tokens

MANUAL = """# Manual

Welcome.

## Warranty

All devices are covered for 24 months.

### Batteries

Six months.

## Contact

Call us.
"""


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
def test_each_section_is_a_chunk_under_its_headings():
    pieces = chunk(MANUAL, "user-guide.md")
    assert [(piece.title, piece.span.cut(MANUAL)) for piece in pieces] == [
        ("user guide › Manual", "Welcome."),
        ("user guide › Manual › Warranty", "All devices are covered for 24 months."),
        ("user guide › Manual › Warranty › Batteries", "Six months."),
        ("user guide › Manual › Contact", "Call us."),
    ]


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
def test_chinese_articles_are_headings_and_code_is_not():
    text = "第一章 总则\n本规定适用于全体员工。\n第二章 假期\n员工每年有十五天年假。\n```\n# no heading\n```\n"
    assert [piece.title for piece in chunk(text, "规定.txt")] == ["规定 › 第一章 总则", "规定 › 第二章 假期"]


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
@pytest.mark.parametrize("sentence", ["The lamp number {} is switched off at night. ", "第{}号灯在夜里关闭。"])
def test_a_long_paragraph_is_cut_between_sentences(sentence: str):
    text = "".join(sentence.format(number) for number in range(300)).strip()
    pieces = chunk(text, "lamps.md")
    assert len(pieces) > 3
    ends = {span.end for span in sentences(text)}
    assert {piece.span.end for piece in pieces} <= ends
    assert all(count_tokens(piece.span.cut(text)) <= LONGEST for piece in pieces)
    assert "".join(piece.span.cut(text) for piece in pieces).replace(" ", "") == text.replace(" ", "")


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
def test_a_document_of_headings_alone_still_has_a_chunk():
    assert [piece.span.cut("# One\n# Two\n") for piece in chunk("# One\n# Two\n", "x.md")] == ["# One\n# Two"]


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES")
@settings(max_examples=40, deadline=None)
@given(st.text(st.sampled_from("ab 1.#|\n。，员工-`!"), max_size=400))
def test_chunks_never_overlap_and_lose_no_word(text: str):
    pieces = chunk(text, "any.md")
    spans = [piece.span for piece in pieces]
    assert all(before.end <= after.start for before, after in pairwise(spans))
    assert all(span.cut(text).strip() == span.cut(text) != "" for span in spans)
    assert bool(spans) == bool(text.strip())
