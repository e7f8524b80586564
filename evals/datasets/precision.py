"""PrecisionMemBench: beliefs, some superseded and one of another user's, and cases that say what may be shown.

The benchmark sorts what is shown into tiers, which only its own system has; here what any tier demands must be shown,
and what is excluded from one and demanded by none must not be.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from ...memory.errors import BadFile
from ...memory.ingestion.places import Place
from ..records import Source
from .json_files import Malformed, list_of, located, read_json, text_of

T = TypeVar("T")
BELIEFS, CASES, SESSIONS = "beliefs.seed.json", "retrieval.cases.json", "session-retrieval.cases.json"
DEFAULT_USER = "test-user"
_TIERS = ("relevantBeliefs", "pinnedFacts", "openQuestions", "noiseCheck")


@dataclass(frozen=True, slots=True)
class Belief:
    """One belief of a user's."""

    id: str
    user: str
    text: str
    created_at: datetime
    superseded_by: str | None
    topic: str


@dataclass(frozen=True, slots=True)
class Case:
    """A query, what must be shown and what must not."""

    id: str
    user: str
    category: str
    query: str
    relevant: tuple[str, ...]
    """What should be shown, and nothing beside it."""
    demanded: tuple[str, ...]
    """What another tier must hold."""
    excluded: tuple[str, ...]
    most: int | None
    """How many may be shown."""


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of a session: asked as a case, then said, then perhaps the cause of a new belief."""

    case: Case
    said: tuple[tuple[str, str], ...]
    """Speakers and texts."""
    created: Belief | None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """All of it."""

    beliefs: tuple[Belief, ...]
    cases: tuple[Case, ...]
    sessions: tuple[tuple[Step, ...], ...]


def load(source: Source) -> Benchmark:
    """Load the folder of the benchmark. ``--limit`` counts cases.

    Raises:
        BadFile: a file is missing or not of the form; the message names the line.
    """
    folder = source.path if source.path.is_dir() else source.path.parent
    beliefs = tuple(_entries(folder / BELIEFS, _belief))
    cases = tuple(_entries(folder / CASES, _case))
    sessions = tuple(_entries(folder / SESSIONS, lambda entry, place: tuple(_steps(entry, place))))
    return Benchmark(beliefs, cases[: source.limit], sessions if source.limit is None else ())


def _entries(file: Path, convert: Callable[[Mapping[str, Any], Place], T]) -> list[T]:
    """The converted objects of a file; what is wrong with one is told with its line."""
    form = "PrecisionMemBench has lists of objects"
    if not file.is_file():
        message = f"{file} is missing: --dataset names the folder with {BELIEFS}, {CASES} and {SESSIONS}."
        raise BadFile(message)
    text, content = read_json(file, form)
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        message = f"{file}, line 1: {form}."
        raise BadFile(message)
    try:
        return [convert(entry, (index,)) for index, entry in enumerate(content)]
    except Malformed as error:
        raise located(file, text, error) from error


def _belief(entry: Mapping[str, Any], place: Place) -> Belief:
    name = text_of(entry, "canonical_name", place).replace("_", " ")
    aliases = ", ".join(str(alias) for alias in list_of(entry, "aliases", place))
    moment = datetime.fromisoformat(text_of(entry, "created_at", place).replace("Z", "+00:00"))
    return Belief(
        id=text_of(entry, "_id", place),
        user=text_of(entry, "user_id", place),
        # Names and aliases are how the benchmark's own adapters index a belief; why it matters is not to be found.
        text=f"{name}{f' ({aliases})' if aliases else ''}: {text_of(entry, 'content', place)}",
        created_at=moment.astimezone(UTC),
        superseded_by=entry.get("superseded_by"),
        topic=name,
    )


def _case(entry: Mapping[str, Any], place: Place) -> Case:
    return _expected(
        entry,
        place,
        identifier=text_of(entry, "caseId", place),
        category=text_of(entry, "category", place),
        query=str(entry.get("query", "")),
    )


def _steps(entry: Mapping[str, Any], place: Place) -> Iterator[Step]:
    name = text_of(entry, "caseId", place)
    for number, turn in enumerate(list_of(entry, "turns", place)):
        where = (*place, "turns", number)
        if not isinstance(turn, dict):
            raise Malformed(where, "a turn must be an object with userMessage and expect")
        asked = text_of(turn, "userMessage", where)
        created = turn.get("createBeliefAtTurn")
        answered = str(turn.get("assistantMessage") or "")
        yield Step(
            _expected(
                turn, where, identifier=f"{name}/{number}", category="Session-level noise isolation", query=asked
            ),
            (("user", asked), *((("assistant", answered),) if answered else ())),
            _belief(created, where) if isinstance(created, dict) else None,
        )


def _expected(entry: Mapping[str, Any], place: Place, *, identifier: str, category: str, query: str) -> Case:
    expect = entry.get("expect")
    if not isinstance(expect, dict):
        raise Malformed(place, f"case {identifier!r} has no 'expect'")
    tiers = [tier for name in _TIERS if isinstance(tier := expect.get(name, {}), dict)]
    relevant = _named(tiers, ("shouldOnlyInclude",), place)
    demanded = _named(tiers, ("mustInclude",), place)
    wanted = {*relevant, *demanded}
    budget = entry.get("budget")
    return Case(
        id=identifier,
        user=str(entry.get("userId", DEFAULT_USER)),
        category=category,
        query=query,
        relevant=relevant,
        demanded=demanded,
        excluded=tuple(one for one in _named(tiers, ("mustExclude", "mustNotSurface"), place) if one not in wanted),
        most=budget.get("maxBeliefs") if isinstance(budget, dict) else None,
    )


def _named(tiers: Sequence[Mapping[str, Any]], names: Sequence[str], place: Place) -> tuple[str, ...]:
    """The beliefs that the tiers list under these names, each once."""
    return tuple(dict.fromkeys(one for tier in tiers for name in names for one in list_of(tier, name, place)))
