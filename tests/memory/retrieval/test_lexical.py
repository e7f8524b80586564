"""The lexical channel: exact for Chinese words of any length, stemmed for English, strictly per user."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veridical.memory.retrieval import lexical, postings
from veridical.memory.retrieval.namespaces import TURNS

from .stores import Store

NOTES = [
    "项目的部署方案已经写好了",
    "他的花名叫小鱼",
    "C盘满了，需要清理",
    "昨天把登录的bug修复了",
    "测试结果ok",
    "修复 ok，可以发布",
    "部门聚餐定在周五",
    "花园里的名贵品种",
    "D盘还有空间",
    "数据库迁移完成",
    "她喜欢花 名字叫小雨",
    "这是整个部。署名在后",
]


@pytest.fixture
def notes(store: Store) -> Store:
    for note in NOTES:
        store.say(note)
    return store


@pytest.mark.requirement("C23")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("部署", {1}),
        ("花名", {2}),
        ("C盘", {3}),
        ("c盘", {3}),
        ("Ｃ盘", {3}),
        ("修复 ok", {4, 5, 6}),
        ("部門", {7}),
        ("鱼", {2}),
        ("花，名", {2, 8, 11, 12}),
        ("数据库", {10}),
        ("花名叫什么", {2}),
        ("部署了吗", {1}),
    ],
)
def test_chinese_words_of_any_length_are_found_exactly(notes: Store, words: str, expected: set[int]) -> None:
    assert set(notes.lexical(words)) == expected


@pytest.mark.requirement("C23")
def test_a_space_between_a_letter_and_a_word_makes_no_difference(store: Store) -> None:
    store.say("用 MySQL 部署在 C 盘上")

    assert store.lexical("C盘") == store.lexical("mysql部署") == [1]


@pytest.mark.requirement("C23")
def test_a_turn_with_both_words_comes_before_turns_with_one(notes: Store) -> None:
    assert notes.lexical("修复 ok")[0] == 6


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("We decided to migrate the databases", "Who decided on the database migration?"),
        ("I paid for order #A-1029", "What about order A-1029?"),
        ("My e-mail is ann.lee@example.org", "ann.lee@example.org"),
        ("Version 5.2 was released", "When was 5.2 released?"),
        ("the café in Zürich", "Zürich café"),
    ],
)
def test_english_is_found_by_stems_and_ids_by_their_spelling(store: Store, text: str, question: str) -> None:
    store.say("Something else altogether")
    turn = store.say(text)

    assert store.lexical(question) == [turn.number]


def test_stop_words_name_no_turn_unless_there_is_nothing_else(store: Store) -> None:
    store.say("It is what it is")
    store.say("The budget is final")

    assert store.lexical("what is the budget?") == [2]
    assert store.lexical("it is") == [1, 2]


@pytest.mark.parametrize(
    "text", ["", "   ", "???", '"', "a AND OR NOT (", "NEAR(x y)", "body:x", "*", "x'; DROP TABLE turns;--", "😀"]
)
def test_no_query_is_read_as_syntax(store: Store, text: str) -> None:
    store.say("an ordinary turn")

    assert isinstance(store.lexical(text), list)


def test_named_speakers_are_found_by_their_names_and_users_are_not(store: Store) -> None:
    store.say("I moved to Lyon", speaker="Caroline")
    store.say("I moved to Nice", speaker="user")

    assert store.lexical("Caroline") == [1]
    assert store.lexical("user") == []


def test_a_rarer_word_weighs_more_than_a_common_one(store: Store) -> None:
    for place in range(20):
        store.say(f"meeting number {place}")
    store.say("the zebra meeting")

    assert store.lexical("zebra meeting")[0] == 21


def test_words_of_too_many_turns_still_count_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexical, "MOST", 5)
    monkeypatch.setattr(postings, "MOST", 5)
    target = store.say("the budget of Apollo")
    for _ in range(12):
        store.say("the budget of something")
        store.say("a word on Apollo")

    assert store.lexical("budget of Apollo")[0] == target.number


def test_scores_of_given_turns_equal_those_of_the_search(store: Store) -> None:
    for text in ("red apples", "green apples and red pears", "blue plums"):
        store.say(text)
    with store.database.read() as connection:
        found = dict(lexical.search(connection, "ann", "red apples", 10))
        assert lexical.score(connection, "ann", "red apples", [1, 2, 3]) == pytest.approx(found)


def test_removed_turns_leave_no_term_behind(store: Store) -> None:
    store.say("the xylophone is mine")
    store.say("the drum is mine")
    with store.database.write() as connection:
        lexical.remove_turns(connection, "ann", [1])
    with store.database.write() as connection:
        table = TURNS.table_of("ann")
        connection.exec_driver_sql(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, '{table}', 'row')")
        terms = {row[0] for row in connection.exec_driver_sql("SELECT term FROM temp.terms")}
    assert store.lexical("xylophone") == []
    assert not any(term.startswith("xylo") for term in terms)
    assert "drum" in terms


@pytest.mark.requirement("P7")
def test_a_dropped_index_is_made_anew_from_the_turn_log(notes: Store) -> None:
    with notes.database.write() as connection:
        lexical.drop(connection, "ann")
    assert notes.lexical("部署") == []
    with notes.database.write() as connection:
        assert lexical.rebuild(connection, "ann") == len(NOTES)
        assert lexical.indexed_turns(connection, "ann") == set(range(1, len(NOTES) + 1))
    assert notes.lexical("部署") == [1]


def test_only_turns_before_the_bound_are_found(notes: Store) -> None:
    with notes.database.read() as connection:
        found = lexical.search(connection, "ann", "修复 ok", 10, before=6)
    assert {number for number, _ in found} == {4, 5}


@pytest.mark.requirement("C32", "P6")
def test_users_with_confusing_ids_never_see_each_other(store: Store) -> None:
    users = [
        "a",
        "A",
        "ab",
        "a_b",
        "a-b",
        "a%",
        "%",
        "ann@example.org",
        "x.y",
        "王伟",
        "",
        "a'b",
        "a\x00b",
        "é",
        "e\u0301",
    ]
    for place, user in enumerate(users):
        for _ in range(place + 1):
            store.say(f"secret of number {place}", user=user)

    for place, user in enumerate(users):
        assert len(store.lexical("secret", user=user)) == place + 1
    assert store.lexical("secret", user="nobody") == []


_CHARACTERS = "部署花名修复盘鱼abc 1，。"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(_CHARACTERS, max_size=12), min_size=1, max_size=8),
    pair=st.text("部署花名修复盘鱼", min_size=2, max_size=2),
)
def test_counts_of_two_characters_equal_those_of_a_plain_search(store: Store, texts: list[str], pair: str) -> None:
    user = f"user-{store.said}-{len(texts)}"
    numbers = [store.say(text, user=user).number for text in texts]

    expected = {number for number, text in zip(numbers, texts, strict=True) if pair in text}
    assert set(store.lexical(pair, user=user)) == expected


def test_a_word_in_fewer_turns_is_rarer_in_both_languages(notes: Store) -> None:
    with notes.database.read() as connection:
        found = lexical.rarities(connection, "ann", ["ok", "bug", "修复", "花名", "ferry"])
        assert lexical.rarities(connection, "nobody", ["ok"]) == {}

    assert found["ferry"] > found["bug"] > found["ok"]
    assert found["花名"] > found["修复"]


def test_which_turns_hold_which_terms_is_told_with_the_rarity_of_each(notes: Store) -> None:
    numbers = np.array([1, 3, 4, 9])
    with notes.database.read() as connection:
        rarities, held = lexical.holding(connection, "ann", "部署和空间", numbers)
        nothing, none = lexical.holding(connection, "ann", "", numbers)
        earlier = lexical.holding(connection, "ann", "部署和空间", numbers, before=9)[1]

    assert held.tolist() == [[True, False, False, False], [False, False, False, True]]
    assert rarities.tolist() == [pytest.approx(rarities[0])] * 2
    assert earlier.tolist() == [[True, False, False, False]]
    assert (nothing.shape, none.shape) == ((0,), (0, 4))
