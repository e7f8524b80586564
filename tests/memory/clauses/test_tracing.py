"""A condition survives the trace that it stands in, and the checkpoint that it travels through."""

import json

import pytest

from tests.memory.clauses.shelf import asked
from veridical.memory.clauses.condition import AskedNumber, AskedVersion, Condition
from veridical.memory.clauses.tracing import condition_document, condition_from, restored

QUESTIONS = (
    "clause 5 of contract A in 2024",
    "会计法第八条第二款第（三）项",
    "articles 3 to 5 of contract A",
    "What changed between the versions of contract A?",
    "What does contract A say about termination?",
    "clause 5 of contract C",
    "What did clause 5 of contract A say in 1995?",
    "2017年版会计法第四十七条之一",
)


@pytest.mark.requirement("CLAUSES-TRACE")
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_condition_is_read_from_its_trace_as_it_was_written(question):
    condition = asked(question)
    document = json.loads(json.dumps(condition_document(condition)))
    assert condition_from(document) == condition


@pytest.mark.requirement("CLAUSES-TRACE", "GRAPH-RESUME")
def test_a_condition_is_restored_from_a_checkpoint_that_knows_no_tuples():
    condition = asked("clause 5 of contract A in 2024")
    (number,), (version,) = condition.numbers, condition.versions
    loose = Condition(
        condition.wants,
        list(condition.keys),
        list(condition.documents),
        [AskedNumber([list(number.at.parts), 0], said=number.said)],
        [AskedVersion(version.said, held=list(version.held))],
    )
    assert restored(loose) == condition


@pytest.mark.requirement("CLAUSES-TRACE")
def test_what_is_no_condition_is_none():
    assert condition_from({}) is None
    assert condition_from({"wants": "everything"}) is None
