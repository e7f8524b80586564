"""The bitemporal item store: what is stored, what it closes, and what held when."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, select

from veridical.memory.errors import BadInput, NotFound
from veridical.memory.records import ChangeKind, Item, Polarity, Proposal, Span, Turn
from veridical.memory.storage import items as store
from veridical.memory.storage.tables import conflicts, items, metadata

START = datetime(2024, 1, 1, 9, tzinfo=UTC)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{tmp_path}/items.db")
    metadata.create_all(engine)
    with engine.connect() as opened:
        yield opened
    engine.dispose()


def day(n: int) -> datetime:
    return START + timedelta(days=n)


def said(text: str, *, number: int = 1, at: datetime = START, user: str = "u", source: str = "user_input") -> Turn:
    return Turn(
        user_id=user,
        number=number,
        session_id="s",
        position=number,
        external_id=f"e{number}",
        role="user",
        source=source,
        speaker=user,
        text=text,
        language="en",
        observed_at=at,
        time_zone="UTC",
        recorded_at=NOW,
        act="statement",
    )


def states(
    turn: Turn,
    value: str,
    *,
    attribute: str = "employer",
    single: bool = True,
    polarity: Polarity = "positive",
    action: ChangeKind = "assert",
    targets: tuple[int, ...] = (),
    entity: str = "user",
    **more: object,
) -> Proposal:
    start = turn.text.index(value)
    proposal = Proposal(
        kind="fact",
        entity=entity,
        attribute=attribute,
        value=value,
        value_span=Span(start, start + len(value)),
        quote_span=Span(0, len(turn.text)),
        normal=value.lower(),
        polarity=polarity,
        single_valued=single,
        action=action,
        targets=targets,
    )
    return replace(proposal, **more)


def tell(
    connection: Connection, text: str, value: str, n: int = 0, *, learned: datetime | None = None, **more
) -> list[Item]:
    """Say ``text`` on day ``n``; learned in the order of the calls unless told otherwise."""
    tell.count += 1
    turn = said(text, number=tell.count, at=day(n), user=more.pop("user", "u"), source=more.pop("source", "user_input"))
    return store.record_items(
        connection, turn, [states(turn, value, **more)], now=learned or NOW + timedelta(seconds=tell.count)
    )


tell.count = 0


def live(connection: Connection, user: str = "u", **filters) -> list[str]:
    return sorted(item.value for item in store.list_items(connection, user, **filters))


def held(connection: Connection, n: float, **filters) -> list[str]:
    return live(connection, as_of=day(n), **filters)


@pytest.mark.requirement("P1", "C5")
def test_what_the_text_does_not_contain_at_the_span_is_not_stored(connection):
    turn = said("I work at Acme")
    right = states(turn, "Acme")
    wrong = [
        replace(right, value="Apex"),
        replace(right, value_span=Span(9, 14)),
        replace(right, value_span=Span(10, 40)),
        replace(right, quote_span=Span(0, 3)),
        replace(right, value="", value_span=Span(10, 10)),
    ]
    assert store.record_items(connection, turn, wrong, now=NOW) == []
    (item,) = store.record_items(connection, turn, [right], now=NOW)
    assert (item.value, item.quote) == ("Acme", "I work at Acme")


@pytest.mark.requirement("P2")
def test_source_and_speaker_are_those_of_the_turn(connection):
    (item,) = tell(connection, "You work at Acme", "Acme", source="ai_generated")
    assert (item.source, item.speaker) == ("ai_generated", "u")


@pytest.mark.requirement("P2", "C3")
def test_what_the_assistant_says_closes_nothing_that_the_user_said(connection):
    (mine,) = tell(connection, "I work at Acme", "Acme")
    tell(connection, "You work at Apex", "Apex", 1, source="ai_generated", action="change", targets=(mine.number,))
    assert store.get_item(connection, "u", mine.number).live


@pytest.mark.requirement("C20")
def test_every_row_has_the_time_at_which_it_was_observed(connection):
    for n in range(20):
        tell(connection, f"I like thing{n}", f"thing{n}", n, attribute="likes", single=False)
    assert [item.observed_at for item in reversed(store.list_items(connection, "u"))] == [day(n) for n in range(20)]


@pytest.mark.requirement("C11")
def test_a_new_value_of_a_single_valued_attribute_retires_the_old_one(connection):
    (old,) = tell(connection, "I work at Acme", "Acme")
    (new,) = tell(connection, "I work at Apex", "Apex", 10)
    old = store.get_item(connection, "u", old.number)
    assert (old.closed_by, old.valid_to, old.superseded_by) == ("change", day(10), new.number)
    assert live(connection) == ["Apex"]
    assert held(connection, 5) == ["Acme"]
    assert held(connection, 10) == ["Apex"]
    assert [item.value for item in store.history_of(connection, "u", new.number)] == ["Acme", "Apex"]


@pytest.mark.requirement("C17")
def test_a_replacement_is_recorded_as_a_conflict(connection):
    (old,) = tell(connection, "database: PostgreSQL", "PostgreSQL", attribute="database")
    (new,) = tell(connection, "database: MySQL", "MySQL", 1, attribute="database")
    rows = connection.execute(select(conflicts.c.preferred, conflicts.c.other, conflicts.c.rule)).all()
    assert rows == [(new.number, old.number, "recency")]


def test_saying_the_same_again_stores_nothing(connection):
    assert tell(connection, "I work at Acme", "Acme")
    assert tell(connection, "I still work at Acme", "Acme", 3) == []
    assert connection.execute(select(conflicts)).all() == []


@pytest.mark.requirement("C12")
def test_many_valued_attributes_live_side_by_side(connection):
    tell(connection, "I like pizza", "pizza", attribute="likes", single=False)
    tell(connection, "I like sushi", "sushi", 1, attribute="likes", single=False)
    assert live(connection) == ["pizza", "sushi"]


@pytest.mark.requirement("C14")
def test_a_reversed_preference_leaves_one_live_row(connection):
    tell(connection, "I love jazz", "jazz", attribute="likes", single=False)
    tell(connection, "I hate jazz", "jazz", 1, attribute="likes", single=False, polarity="negative")
    (item,) = store.list_items(connection, "u")
    assert item.polarity == "negative"
    tell(connection, "I love jazz", "jazz", 2, attribute="likes", single=False)
    (item,) = store.list_items(connection, "u")
    assert item.polarity == "positive"


def test_a_denial_of_one_value_leaves_another_alone(connection):
    tell(connection, "My name is Tim", "Tim", attribute="name")
    tell(connection, "My name is not Tom", "Tom", 1, attribute="name", polarity="negative")
    assert live(connection) == ["Tim", "Tom"]
    tell(connection, "My name is not Tim", "Tim", 2, attribute="name", polarity="negative")
    assert [(i.value, i.polarity) for i in store.list_items(connection, "u")] == [
        ("Tim", "negative"),
        ("Tom", "negative"),
    ]


@pytest.mark.requirement("C11", "AS-OF")
def test_a_correction_never_held_but_was_believed(connection):
    (wrong,) = tell(connection, "It costs 48", "48", attribute="budget", learned=day(0))
    tell(
        connection,
        "No, it is 52",
        "52",
        5,
        attribute="budget",
        action="correct",
        targets=(wrong.number,),
        learned=day(5),
    )
    assert store.get_item(connection, "u", wrong.number).closed_by == "correction"
    assert held(connection, 1) == ["52"]
    assert held(connection, 1, recorded_as_of=day(2)) == ["48"]
    assert held(connection, 6, recorded_as_of=day(6)) == ["52"]


def test_a_retraction_and_a_completion_close_without_a_successor(connection):
    (plan,) = tell(connection, "I want to visit Rome", "Rome", attribute="trip", single=False)
    (todo,) = tell(connection, "call Ann", "Ann", attribute="call", single=False)
    assert tell(connection, "Rome is off", "Rome", 2, attribute="trip", action="retract", targets=(plan.number,)) == []
    tell(connection, "Ann is done", "Ann", 3, attribute="call", action="complete", targets=(todo.number,))
    closed = [store.get_item(connection, "u", item.number) for item in (plan, todo)]
    assert [(i.closed_by, i.valid_to, i.superseded_by) for i in closed] == [
        ("retraction", day(2), None),
        ("completion", day(3), None),
    ]


@pytest.mark.requirement("C11", "C19")
def test_an_old_conversation_imported_late_supersedes_nothing(connection):
    (new,) = tell(connection, "I work at Apex", "Apex", 100)
    (old,) = tell(connection, "I work at Acme", "Acme", 0)
    (between,) = tell(connection, "I work at Ajax", "Ajax", 50)
    assert live(connection) == ["Apex"]
    assert [held(connection, n) for n in (10, 60, 101)] == [["Acme"], ["Ajax"], ["Apex"]]
    assert store.get_item(connection, "u", between.number).superseded_by == new.number
    assert store.get_item(connection, "u", old.number).superseded_by == between.number


def test_an_old_correction_imported_late_does_not_touch_what_was_said_since(connection):
    (item,) = tell(connection, "It is 60", "60", 100, attribute="budget")
    tell(connection, "It is 52", "52", 5, attribute="budget", action="correct", targets=(item.number,))
    assert live(connection) == ["60"]


def test_an_old_preference_imported_late_does_not_revive(connection):
    tell(connection, "I hate jazz", "jazz", 100, attribute="likes", single=False, polarity="negative")
    tell(connection, "I love jazz", "jazz", 1, attribute="likes", single=False)
    (item,) = store.list_items(connection, "u")
    assert item.polarity == "negative"


def test_what_was_intended_is_complete_once_it_is_so(connection):
    (plan,) = tell(connection, "I plan to move to Rome", "Rome", attribute="home", modality="intended", single=False)
    (home,) = tell(connection, "I moved to Rome", "Rome", 9, attribute="home")
    plan = store.get_item(connection, "u", plan.number)
    assert (plan.closed_by, plan.superseded_by) == ("completion", home.number)


def test_an_intention_does_not_supersede_a_fact(connection):
    tell(connection, "I live in Bonn", "Bonn", attribute="home")
    tell(connection, "I plan to move to Rome", "Rome", 1, attribute="home", modality="intended", single=False)
    assert live(connection) == ["Bonn", "Rome"]


@pytest.mark.requirement("C18")
def test_a_correction_through_the_api_retires_the_old_row(connection):
    (old,) = tell(connection, "I work at Acme", "Acme")
    by = said("No, Apex", number=90, at=day(4))
    new = store.correct_item(connection, "u", old.number, "Apex", by_turn=by, now=NOW)
    assert (new.value, new.turn, new.valid_from) == ("Apex", 90, old.valid_from)
    assert live(connection) == ["Apex"]
    with pytest.raises(BadInput, match="closed already"):
        store.correct_item(connection, "u", old.number, "Apex", by_turn=by, now=NOW)
    with pytest.raises(BadInput, match="does not contain"):
        store.correct_item(connection, "u", new.number, "Ajax", by_turn=by, now=NOW)
    with pytest.raises(NotFound):
        store.correct_item(connection, "u", 99, "Apex", by_turn=by, now=NOW)


USERS = ["a", "ab", "a_b", "a-b", "%", "a@b.c", "用户", "A"]


@pytest.mark.requirement("C32", "P6")
def test_users_with_similar_ids_are_never_mixed(connection):
    for user in USERS:
        tell(connection, f"I work at {user}!", f"{user}!", user=user)
    for user in USERS:
        assert live(connection, user) == [f"{user}!"]
        assert [item.number for item in store.list_items(connection, user)] == [1]
        assert [i.value for i in store.LiveItemsIn(connection, user).mentioning(["work"], 9)] == [f"{user}!"]
        assert store.list_entities(connection, user, ["user", "x"]) == ["user"]


@pytest.mark.requirement("C32", "P6")
def test_a_target_of_another_user_is_left_alone(connection):
    (theirs,) = tell(connection, "I work at Acme", "Acme", user="ab")
    tell(connection, "I work at Apex", "Apex", 1, user="a", action="correct", targets=(theirs.number,))
    assert live(connection, "ab") == ["Acme"]


def test_closing_items_by_number_touches_only_the_live(connection):
    (item,) = tell(connection, "What is it?", "it", attribute="q", single=False)
    store.close_items(connection, "u", [item.number], closed_by="completion", now=NOW)
    again = store.get_item(connection, "u", item.number)
    store.close_items(connection, "u", [item.number], closed_by="retraction", now=NOW + timedelta(days=1))
    assert store.get_item(connection, "u", item.number) == again
    assert again.closed_by == "completion"


def test_the_latest_items_come_first_and_the_limit_holds(connection):
    for n in range(5):
        tell(connection, f"I like x{n}", f"x{n}", n, attribute="likes", single=False)
    assert [item.value for item in store.list_items(connection, "u", limit=2)] == ["x4", "x3"]


history = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.sampled_from(["Acme", "Apex", "Ajax"]),
        st.sampled_from(["positive", "positive", "negative"]),
        st.sampled_from(["assert", "change", "correct", "retract"]),
        st.integers(1, 6),
    ),
    min_size=1,
    max_size=10,
)


@pytest.mark.requirement("C11", "P3")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history)
def test_whatever_is_said_in_whatever_order_one_value_is_live_and_nothing_is_lost(connection, statements):
    connection.rollback()
    known: dict[int, Item] = {}
    for index, (n, value, polarity, action, target) in enumerate(statements):
        before = {item.number: item for item in store.list_items(connection, "u", live_only=False)}
        moment = NOW + timedelta(hours=index)
        world = {t: [i.number for i in before.values() if store.holds_at(i, day(t))] for t in range(0, 31, 5)}
        turn = said(f"I work at {value}", number=index + 1, at=day(n))
        proposal = states(turn, value, polarity=polarity, action=action, targets=(target,))
        store.record_items(connection, turn, [proposal], now=moment)
        after = {item.number: item for item in store.list_items(connection, "u", live_only=False)}
        assert before.keys() <= after.keys()
        known |= after
        positive = [item for item in after.values() if item.live and item.polarity == "positive"]
        assert len(positive) <= 1
        assert len({(i.normal) for i in after.values() if i.live}) == len([i for i in after.values() if i.live])
        for number, item in before.items():
            assert replace(after[number], **_ending(item)) == item
        # What was known a moment before is still what a query as of that moment sees, but for rows whose end moved.
        moved = {i for i in before if before[i].closed_at is not None and before[i] != after[i]}
        for t, numbers in world.items():
            seen = {i.number for i in after.values() if store.holds_at(i, day(t), moment - timedelta(minutes=1))}
            assert seen - moved == set(numbers) - moved
        for t in range(0, 31, 5):
            listed = {i.number for i in store.list_items(connection, "u", as_of=day(t))}
            assert listed == {i.number for i in after.values() if store.holds_at(i, day(t))}


def _ending(item: Item) -> dict[str, object]:
    return {name: getattr(item, name) for name in ("valid_to", "closed_at", "closed_by", "superseded_by")}


def test_the_items_of_turns_come_by_turn(connection):
    (first,) = tell(connection, "I work at Acme", "Acme")
    (second,) = tell(connection, "I work at Apex", "Apex", 1)
    by_turn = store.items_of_turns(connection, "u", [first.turn, second.turn, 999])
    assert {turn: [item.value for item in found] for turn, found in by_turn.items()} == {
        first.turn: ["Acme"],
        second.turn: ["Apex"],
    }
    assert connection.execute(select(items.c.id)).all()
