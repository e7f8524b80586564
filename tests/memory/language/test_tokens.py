import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.language.folding import fold
from veridical.memory.language.tokens import content_stems, is_stop, tokenize

ANY_TEXT = st.text(st.characters(), max_size=80)
MIXED = st.text(st.sampled_from([*"abzC1,.-_'@ 部署的是A盘", "\ud800", "é", "\n"]), max_size=60)


@given(ANY_TEXT | MIXED)
def test_tokens_are_slices_of_the_folded_text_in_order(text: str) -> None:
    folded, end = fold(text), 0
    for token in tokenize(text):
        assert token.start >= end
        assert folded[token.start : token.end] == token.text
        end = token.end


@given(ANY_TEXT | MIXED)
def test_content_stems_never_fail_and_are_never_empty(text: str) -> None:
    assert all(content_stems(text))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("don't", ["don't"]),
        ("48,500 dollars", ["48,500", "dollars"]),
        ("INV-2024-001 and CONTRACT_PAYMENT_5.2", ["inv-2024-001", "and", "contract_payment_5.2"]),
        ("v2.1, 3.14.", ["v2.1", "3.14"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("mail a.b@ex.com", ["mail", "a.b@ex.com"]),
        ("C盘满了", ["c", "盘", "满", "了"]),
        ("café crème", ["café", "crème"]),
        ("1.call 2.send", ["1", "call", "2", "send"]),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ", ["full", "width"]),
    ],
)
def test_words_numbers_and_ids_are_one_token_and_ideographs_one_each(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("colour", "color"),
        ("favourites", "favorite"),
        ("bought", "buying"),
        ("children", "child"),
        ("Caroline's", "Caroline"),
        ("organised", "organizing"),
        ("went", "going"),
        ("50,000", "50000"),
        ("wives", "wife"),
        ("travelled", "traveling"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert tokenize(one)[0].stem == tokenize(other)[0].stem


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("她的花名叫小鱼", ["花名", "小鱼"]),
        ("C盘满了怎么办", ["c盘", "满"]),
        ("部署是什么时候", ["部署"]),
        ("我们的预算是多少", ["预算"]),
        ("預算是多少", ["预算"]),
        ("A股大跌", ["a股", "大跌"]),
        ("为什么选方案B", ["选", "方案", "b"]),
        ("我昨天买车了", ["昨天", "买", "车"]),
        ("会议在哪里开", ["会议", "开"]),
        ("修复 ok", ["修复", "ok"]),
        ("which one is option A or plan B?", ["option", "a", "plan", "b"]),
        ("What is the budget of Apollo?", ["budget", "apollo"]),
        ("Where do I work?", ["work"]),
        ("What does Caroline like?", ["carolin", "like"]),
    ],
)
def test_content_words_survive_and_function_words_do_not(text: str, stems: list[str]) -> None:
    assert content_stems(text) == stems


def test_a_long_unknown_run_becomes_overlapping_pairs() -> None:
    assert content_stems("蒹葭苍茫寥廓") == ["蒹葭", "葭苍", "苍茫", "茫寥", "寥廓"]


@pytest.mark.parametrize("word", ["the", "is", "的", "什么", "don't"])
def test_function_words_are_stop_words(word: str) -> None:
    assert is_stop(word)


@pytest.mark.parametrize("word", ["budget", "预算", "b", "like"])
def test_content_words_are_no_stop_words(word: str) -> None:
    assert not is_stop(word)


@pytest.mark.parametrize("text", ["a" * 50_000, "a-" * 25_000, "1," * 25_000, "的" * 20_000, "@a." * 10_000])
def test_degenerate_texts_are_tokenised_in_linear_time(text: str) -> None:
    begin = time.process_time()
    tokenize(text)
    assert time.process_time() - begin < 2
