import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.language.folding import clean, detect_language, fold

ANY_TEXT = st.text(st.characters(), max_size=80)


@given(ANY_TEXT)
def test_folding_keeps_every_character_at_its_offset(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(ANY_TEXT)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT)
def test_clean_text_can_be_encoded_and_keeps_its_length(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert "\x00" not in cleaned


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Budget", "budget"),
        ("ＡＢＣ１２３", "abc123"),
        ("預算是五萬", "预算是五万"),
        ("資料庫在後臺", "资料库在后台"),
        ("it’s “fine”", 'it\'s "fine"'),
        ("a　b", "a b"),
        ("Straße", "straße"),
        ("，！？", ",!?"),
    ],
)
def test_forms_that_mean_the_same_fold_alike(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.requirement("TRADITIONAL-CHINESE")
@pytest.mark.parametrize(
    ("traditional", "simplified"), [("專案經理", "专案经理"), ("電話號碼", "电话号码"), ("說過", "说过")]
)
def test_traditional_characters_fold_to_simplified_ones(traditional: str, simplified: str) -> None:
    assert fold(traditional) == simplified


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the budget?", "en"),
        ("预算是多少？", "zh"),
        ("預算是多少？", "zh"),
        ("用 PostgreSQL 14 部署 Redis Cluster", "zh"),
        ("帮我看看 status", "zh"),
        ("What does 花名 mean?", "en"),
        ("张伟 works at 腾讯", "en"),
        ("张伟在 Tencent 工作", "zh"),
        ("", "en"),
        ("12345", "en"),
        ("ok", "en"),
        ("谢谢", "zh"),
    ],
)
def test_the_language_is_that_of_the_sentence_not_of_its_names(text: str, language: str) -> None:
    assert detect_language(text) == language
