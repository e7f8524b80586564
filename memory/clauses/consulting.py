"""Clauses among what a recall finds: they come first, and what is of another document, version or number is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..calibration.coverage import NEAR, covers, prepare
from ..calibration.rules import Calibration
from ..records import Candidate, Dropped, Evidence, Hit, Query, Reference, reference_id
from ..retrieval import lexical
from ..retrieval.namespaces import CHUNKS
from ..store import Memory
from .condition import Condition
from .rows import families
from .telling import Report

_DEPTH = 30
_SURE = 1.0


def hits_of(memory: Memory, user_id: str, query: Query, report: Report) -> list[Hit]:
    """The chunks of the clauses that a condition means; none of them is there because it resembles the question.

    The chunks that have the question's words are proposed as well, without any embedding: the rules drop those that are
    not meant, and the trace shows it.
    """
    meant = dict.fromkeys(clause.chunk for clause in report.clauses)
    with memory.database.read() as connection:
        worded = lexical.search(connection, user_id, query.text, _DEPTH, namespace=CHUNKS)
    found = [Hit(-chunk, "clause", 0, _SURE) for chunk in meant]
    return found + [Hit(-number, "lexical", 0, score) for number, score in worded]


def in_versions(memory: Memory, user_id: str, index: int, query: Query, condition: Condition) -> list[Hit]:
    """What has the words of a query in the versions that a condition names, also where they are no longer in force."""
    if not (condition.documents and condition.versions):
        return []
    with memory.database.read() as connection:
        worded = lexical.search(connection, user_id, query.text, _DEPTH, namespace=CHUNKS)
    references = memory.knowledge.references(user_id, [-number for number, _ in worded])
    named = {f"d{number}" for number in condition.documents}
    own = {number for number, reference in references.items() if reference.session_id in named}
    return [Hit(-number, "lexical", index, score) for number, score in worded if -number in own]


def judge(memory: Memory, user_id: str, report: Report, hits: Sequence[Hit], *, k: int) -> Calibration:
    """Keep the clauses that are meant, and drop every other chunk by the rule that it breaks."""
    meant = list(dict.fromkeys(-clause.chunk for clause in report.clauses))
    others = [number for number in dict.fromkeys(hit.turn for hit in hits if hit.turn < 0) if number not in meant]
    references = memory.knowledge.references(user_id, others)
    rules = breaking(memory, user_id, report.condition, references)
    kept = tuple(Candidate(number, _SURE, {"clause": _SURE}) for number in meant)
    dropped = [Dropped(reference_id(number), number, rules.get(number, "identity")) for number in others]
    dropped += [Dropped(one.id, one.turn, "relevance") for one in kept[k:]]
    return Calibration(kept[:k], tuple(dropped), enough=True, confidence=_SURE)


def breaking(memory: Memory, user_id: str, condition: Condition, references: Mapping[int, Reference]) -> dict[int, str]:
    """The rule by which a chunk of a document of clauses does not answer; chunks of other documents are not judged.

    ``identity``: another document than the one asked about, or none that is here. ``validity``: another version.
    ``number``: another clause of it.
    """
    with memory.database.read() as connection:
        keys = {f"d{one.number}": family.key for family in families(connection, user_id) for one in family.versions}
    broken = {}
    for number, reference in references.items():
        rule = _rule(condition, keys.get(reference.session_id), int(reference.session_id[1:]))
        if rule:
            broken[number] = rule
    return broken


def _rule(condition: Condition, key: str | None, document: int) -> str:
    if key is None:
        return "" if not condition.exact else "identity"
    if key not in condition.keys:
        return "identity"
    if document not in condition.documents:
        return "validity"
    return "number" if condition.exact else ""


def on_topic(memory: Memory, user_id: str, topic: Sequence[str], evidence: Sequence[Evidence]) -> list[Evidence]:
    """What likeness found for a topic that no clause is about: turns, and of the chunks those with a word of it."""
    references = memory.knowledge.references(user_id, [one.turn for one in evidence])
    texts = {number: prepare(reference.text) for number, reference in references.items()}
    return [one for one in evidence if one.turn not in texts or any(covers(texts[one.turn], w) >= NEAR for w in topic)]


def first(report: Report, judged: Calibration, *, k: int) -> Calibration:
    """The clauses that are about a topic before everything else that was found."""
    meant = list(dict.fromkeys(-clause.chunk for clause in report.clauses))
    if not meant:
        return judged
    ahead = [Candidate(number, _SURE, {"clause": _SURE}) for number in meant]
    rest = [one for one in judged.kept if one.turn not in meant]
    return replace(judged, kept=tuple((*ahead, *rest)[:k]), enough=True, confidence=_SURE)
