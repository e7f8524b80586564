"""PrecisionMemBench, run: what is shown for each case, and whether what is superseded or another's stays away."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from ..graph.build import build_graph
from ..memory.ingestion.utterances import Utterance
from ..memory.language.folding import fold
from ..memory.records import Proposal, Span
from ..memory.retrieval.embedders import open_embedder
from ..memory.storage.items import record_items
from ..memory.storage.states import refresh_state
from ..memory.store import Memory
from ..nodes.contract import Resources
from .asking import Examiner
from .configuration import Configuration
from .datasets import precision as benchmark
from .datasets.precision import Belief, Benchmark, Case, Step
from .embeddings import CachedEmbedder
from .judging import judged
from .metrics import cost
from .metrics.precision import failures, precision, share_of
from .records import Dialogue, Question, Source
from .rounding import rounded
from .running import Measured
from .stored_runs import VERSION
from .stores import Telling, listening, opened

SUPERSESSION = "Supersession chain exclusion"
ISOLATION = ("Cross-user isolation", "Cold start behavior")
NOISE = "Session-level noise isolation"
_BETWEEN = timedelta(minutes=1)


def precision_document(source: Source, configuration: Configuration, cache: Path) -> dict[str, Any]:
    """Run every case and every session."""
    loaded = benchmark.load(source)
    embeddings = cache / "embeddings"
    with closing(CachedEmbedder(open_embedder(configuration.settings.embeddings), embeddings)) as embedder:
        measured = _cases(loaded, configuration, embedder)
        for place, steps in enumerate(loaded.sessions):
            measured += _session(place, loaded.beliefs, steps, configuration, embedder)
    cases = {case.id: case for case in loaded.cases} | {
        step.case.id: step.case for steps in loaded.sessions for step in steps
    }
    superseded = {belief.id for belief in loaded.beliefs if belief.superseded_by}
    questions = [
        question | {"case": _outcome(question, cases[question["id"]], loaded, superseded, configuration)}
        for question in judged(measured, configuration.ks)
    ]
    return {
        "dataset": "precision",
        "version": VERSION,
        "config": configuration.document(source.conversations),
        "metrics": rounded(_metrics(questions)),
        "questions": questions,
    }


def _outcome(
    question: Mapping[str, Any],
    case: Case,
    loaded: Benchmark,
    superseded: set[str],
    configuration: Configuration,
) -> dict[str, Any]:
    """What is shown for a case, and what of it is wrong.

    A supersession fails on anything superseded among the results, isolation on anything of another user's. Noise fails
    on what the answer quotes: a list of ten out of thirty-five holds something of every topic.
    """
    own, foreign = _belonging(case, loaded)
    most = configuration.settings.limit if case.most is None else min(case.most, configuration.settings.limit)
    quoted = [cited["external_id"] for cited in question.get("answer", {}).get("citations", ())]
    results, cited = _beliefs(question["retrieved"], own | foreign, most), _beliefs(quoted, own | foreign, most)
    wrong = _failures(case, results, cited, superseded, foreign)
    wanted = {*case.relevant, *case.demanded}
    return {
        "passed": not wrong,
        "failures": wrong,
        "relevant": list(case.relevant),
        "results": results,
        "cited": cited,
        "superseded_shown": _beliefs(results, superseded, most),
        "another_user_shown": _beliefs(results, foreign, most),
        "precision": precision(cited, wanted) if case.relevant else None,
        "results_precision": precision(results, wanted) if case.relevant else None,
        "recall": share_of(case.relevant, results),
        "cited_recall": share_of(case.relevant, cited),
    }


def _belonging(case: Case, loaded: Benchmark) -> tuple[set[str], set[str]]:
    """The beliefs of the user who asks, and those of the others."""
    own = {belief.id for belief in loaded.beliefs if belief.user == case.user}
    created = {step.created.id for steps in loaded.sessions for step in steps if step.created}
    return own | created, {belief.id for belief in loaded.beliefs} - own


def _beliefs(named: Iterable[str], known: Collection[str], most: int) -> list[str]:
    """The beliefs among what is named, each once, as many as may be shown."""
    return [one for one in dict.fromkeys(named) if one in known][:most]


def _failures(
    case: Case, results: Sequence[str], cited: Sequence[str], superseded: set[str], foreign: set[str]
) -> list[str]:
    if case.category == SUPERSESSION:
        return failures(results, case.demanded, superseded)
    if case.category == NOISE:
        return failures(cited, (), case.excluded)
    return failures(results, (), {*foreign, *case.excluded} if case.category in ISOLATION else foreign)


def _metrics(questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    cases = [question["case"] for question in questions]
    found: dict[str, Any] = {"questions": len(questions)}
    for name in ("precision", "results_precision", "recall", "cited_recall"):
        found[name] = _mean(case[name] for case in cases)
    found["nothing_cited_where_nothing_is_relevant"] = _mean(
        None if case["relevant"] else float(not case["cited"]) for case in cases
    )
    found["cases"] = _told_singly(questions)
    for name in ("another_user_shown", "superseded_shown"):
        found[name] = sum(bool(case[name]) for case in cases)
    return found | {"latency_ms": cost.latency(questions)}


def _told_singly(questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    named = {SUPERSESSION, NOISE, *ISOLATION}
    return [
        {"id": question["id"], "category": question["category"], **_only(question["case"])}
        for question in questions
        if question["category"] in named
    ]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _only(case: Mapping[str, Any]) -> dict[str, Any]:
    return {"passed": case["passed"], "failures": case["failures"]}


def _cases(loaded: Benchmark, configuration: Configuration, embedder: CachedEmbedder) -> list[Measured]:
    """The cases, all users in one memory: what is to be kept apart must lie side by side."""
    asked_at = max(belief.created_at for belief in loaded.beliefs) + timedelta(days=1)
    users = dict.fromkeys([*(belief.user for belief in loaded.beliefs), *(case.user for case in loaded.cases)])
    with opened(configuration.settings, embedder) as memory:
        ready = [_told(user, loaded, asked_at, memory, configuration, embedder) for user in users]
        return [measured for examiner in ready for measured in _asked(examiner)]


def _told(
    user: str,
    loaded: Benchmark,
    asked_at: datetime,
    memory: Resources,
    configuration: Configuration,
    embedder: CachedEmbedder,
) -> Examiner:
    """A user whose beliefs the memory was told, ready to be asked about."""
    beliefs = [belief for belief in loaded.beliefs if belief.user == user]
    questions = [_question(case, asked_at) for case in loaded.cases if case.user == user]
    dialogue = Dialogue(user, _utterances(beliefs), questions)
    resources, telling = listening(dialogue, memory)
    telling.until(asked_at)
    _supersede(beliefs, telling, resources.memory, user, asked_at)
    return Examiner(dialogue, configuration, resources, build_graph(resources), telling, embedder)


def _session(
    place: int,
    beliefs: Sequence[Belief],
    steps: Sequence[Step],
    configuration: Configuration,
    embedder: CachedEmbedder,
) -> list[Measured]:
    """A session: each turn is asked about before it is said."""
    user = benchmark.DEFAULT_USER
    own = [belief for belief in beliefs if belief.user == user]
    begin = max(belief.created_at for belief in own) + timedelta(days=1)
    said, questions = _utterances(own), []
    for number, step in enumerate(steps):
        moment = begin + 2 * number * _BETWEEN
        questions.append(_question(step.case, moment))
        said += [_turn(place, number, spoken, moment + _BETWEEN) for spoken in step.said]
        if step.created is not None:
            said += _utterances([replace(step.created, created_at=moment + _BETWEEN)])
    with opened(configuration.settings, embedder) as memory:
        dialogue = Dialogue(user, said, questions)
        resources, telling = listening(dialogue, memory)
        telling.until(begin - _BETWEEN)
        _supersede(own, telling, resources.memory, user, begin)
        return _asked(Examiner(dialogue, configuration, resources, build_graph(resources), telling, embedder))


def _asked(examiner: Examiner) -> list[Measured]:
    empty = {"retrieved": [], "confidence": 0.0, "trace": {}, "timings_ms": {}}
    return [
        (examiner.dialogue, question, examiner.row(question) if question.text.strip() else empty)
        for question in examiner.dialogue.questions
    ]


def _question(case: Case, asked_at: datetime) -> Question:
    wanted = tuple(dict.fromkeys([*case.relevant, *case.demanded]))
    return Question(case.id, case.query, asked_at, case.category, gold=wanted, answerable=bool(wanted))


def _utterances(beliefs: Sequence[Belief]) -> list[Utterance]:
    """Each belief as a turn in a session of its own, the superseded before what supersedes them."""
    ordered = sorted(beliefs, key=lambda belief: (belief.superseded_by is None, belief.created_at))
    earliest = min((belief.created_at for belief in ordered), default=None)
    said: list[Utterance] = []
    for belief in ordered:
        moment = max(belief.created_at, said[-1].observed_at) if said else earliest or belief.created_at
        said.append(Utterance(belief.id, belief.id, "user", belief.text, moment, "UTC"))
    return said


def _turn(place: int, number: int, spoken: tuple[str, str], moment: datetime) -> Utterance:
    speaker, text = spoken
    return Utterance(
        session_id=f"session-{place}",
        external_id=f"{number}-{speaker}",
        speaker=speaker,
        text=text,
        observed_at=moment,
        time_zone="UTC",
        spoken_by_assistant=speaker == "assistant",
    )


def _supersede(beliefs: Sequence[Belief], telling: Telling, memory: Memory, user: str, now: datetime) -> None:
    """State what the benchmark knows: this belief took the place of that one, as a change of one attribute."""
    numbers = {external: int(turn[1:]) for turn, external in telling.external.items()}
    known = {belief.id: belief for belief in beliefs}
    chained = _chained(beliefs)
    if not chained:
        return
    turns = memory.turns(user, list(numbers.values()))
    items: dict[str, int] = {}
    with memory.database.write() as connection:
        for place in (numbers[utterance.external_id] for utterance in _utterances(chained)):
            turn = turns[place]
            topic = _latest(known[turn.external_id], known).topic
            proposal = _proposal(turn.text, topic, _replaced(turn.external_id, chained, items))
            for item in record_items(connection, turn, [proposal], now=now):
                items[turn.external_id] = item.number
        refresh_state(connection, user, list(turns.values()), now=now)


def _replaced(successor: str, chained: Sequence[Belief], items: Mapping[str, int]) -> tuple[int, ...]:
    """The items that a belief takes the place of."""
    return tuple(items[one.id] for one in chained if one.superseded_by == successor and one.id in items)


def _chained(beliefs: Sequence[Belief]) -> list[Belief]:
    """The beliefs that were superseded or that superseded one."""
    successors = {belief.superseded_by for belief in beliefs}
    return [belief for belief in beliefs if belief.superseded_by or belief.id in successors]


def _latest(belief: Belief, known: Mapping[str, Belief]) -> Belief:
    successor = known.get(belief.superseded_by or "")
    return belief if successor is None else _latest(successor, known)


def _proposal(text: str, topic: str, targets: tuple[int, ...]) -> Proposal:
    whole = Span(0, len(text))
    return Proposal(
        kind="fact",
        entity="user",
        attribute=topic.replace(" ", "_"),
        value=text,
        value_span=whole,
        quote_span=whole,
        normal=fold(text),
        single_valued=True,
        action="change" if targets else "assert",
        targets=targets,
    )
