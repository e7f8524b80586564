from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.language.sentences import clauses, sentences

ANY_TEXT = st.text(st.characters(), max_size=120)
PROSE = st.lists(st.sampled_from([*'aB1 .,!?;。，！？\n"”A但是', "Dr. ", "but ", "1. ", "e.g. "]), max_size=60).map(
    "".join
)


@given(ANY_TEXT | PROSE)
def test_sentences_hold_all_characters_but_the_spaces_between_them(text: str) -> None:
    spans = sentences(text)
    covered = "".join(text[span.start : span.end] for span in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(span.cut(text) == span.cut(text).strip() and span.cut(text) for span in spans)


@given(ANY_TEXT | PROSE)
def test_clauses_lie_within_their_sentence_in_order(text: str) -> None:
    for sentence in sentences(text):
        end = sentence.start
        for clause in clauses(text, sentence):
            assert end <= clause.start < clause.end <= sentence.end
            end = clause.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved. Now I live in Paris.", ["I moved.", "Now I live in Paris."]),
        ("Dr. Smith paid $5.2 million. He left.", ["Dr. Smith paid $5.2 million.", "He left."]),
        ("We met at 3 p.m. on Friday. Good.", ["We met at 3 p.m. on Friday.", "Good."]),
        ("He lives in the U.S. He likes it.", ["He lives in the U.S.", "He likes it."]),
        ("See https://a.com/x.html?b=1. Then call.", ["See https://a.com/x.html?b=1.", "Then call."]),
        ("Clause 5.2 applies. v2.1 is out!", ["Clause 5.2 applies.", "v2.1 is out!"]),
        (
            "John F. Kennedy spoke. I chose plan B. It is cheap.",
            ["John F. Kennedy spoke.", "I chose plan B.", "It is cheap."],
        ),
        ('"Stop!" he said. I went.', ['"Stop!" he said.', "I went."]),
        ("moved to Paris.Now I work", ["moved to Paris.", "Now I work"]),
        ("今天很好。明天呢？后天！", ["今天很好。", "明天呢？", "后天！"]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("版本是5.2。用它。", ["版本是5.2。", "用它。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("maybe it's the DB… no, it was my parser", ["maybe it's the DB…", "no, it was my parser"]),
        (
            "Three things: 1. call the client 2. send the minutes 3. look up trains",
            ["Three things:", "1. call the client", "2. send the minutes", "3. look up trains"],
        ),
        ("有三件事：1、给客户打电话 2、把纪要发给张工", ["有三件事：", "1、给客户打电话", "2、把纪要发给张工"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("", []),
        ("   ", []),
        ("no end mark", ["no end mark"]),
        ("The answer is 5. Next question.", ["The answer is 5.", "Next question."]),
        ("I have 2 cats, e.g. Tom.", ["I have 2 cats, e.g. Tom."]),
    ],
)
def test_a_text_is_cut_where_people_end_sentences(text: str, expected: list[str]) -> None:
    assert [span.cut(text) for span in sentences(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "客户拒绝了5000元的套餐，但对8000元的套餐表示感兴趣",
            ["客户拒绝了5000元的套餐", "但对8000元的套餐表示感兴趣"],
        ),
        ("I like tea, but not coffee", ["I like tea", "but not coffee"]),
        ("It costs 48,500 dollars; we pay in May", ["It costs 48,500 dollars", "we pay in May"]),
        ("他不但会唱歌但是不会跳舞", ["他不但会唱歌", "但是不会跳舞"]),
        ("the DB — no, my parser", ["the DB", "no", "my parser"]),
        ("我买了苹果、梨和桃", ["我买了苹果、梨和桃"]),
        ("simple", ["simple"]),
    ],
)
def test_a_sentence_is_cut_at_its_clauses(text: str, expected: list[str]) -> None:
    assert [clause.cut(text) for clause in clauses(text, sentences(text)[0])] == expected
