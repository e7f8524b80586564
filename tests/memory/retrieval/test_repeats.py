"""What only repeats another result makes room for it."""

from datetime import UTC, datetime

from veridical.memory.records import Act, Candidate, Role, Turn
from veridical.memory.retrieval.repeats import without_repeats

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def turn(number: int, text: str, act: Act = "statement", role: Role = "user", cites: tuple[str, ...] = ()) -> Turn:
    source = "user_input" if role == "user" else "ai_generated"
    return Turn("ann", number, "s", number, f"x{number}", role, source, role, text, "en", NOW, "UTC", NOW, act, cites)


def test_a_quotation_is_replaced_by_what_it_quotes_and_an_equal_question_goes() -> None:
    said = [
        turn(1, "The budget is 5."),
        turn(2, "What is the budget?", "question"),
        turn(3, "You said: “The budget is 5.” [t1]", "acknowledgement", "assistant", ("t1",)),
        turn(4, "what is the BUDGET?", "question"),
        turn(5, "The budget of Apollo is 9."),
        turn(6, "I think it is 5. [t1]", "statement", "assistant", ("t1",)),
        turn(7, "You said: “...” [t99]", "acknowledgement", "assistant", ("t99",)),
    ]
    ranked = [Candidate(number, 10.0 - place) for place, number in enumerate([4, 3, 2, 5, 1, 6, 7])]
    distinct = without_repeats(ranked, {one.number: one for one in said})
    assert [(one.turn, one.score) for one in distinct.candidates] == [(4, 10), (1, 9), (5, 7), (6, 5), (7, 4)]
    assert [(one.turn, one.rule) for one in distinct.dropped] == [(3, "repeat"), (2, "repeat")]
