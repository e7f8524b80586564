"""The machine of intents by itself: the active intent of every turn of SGD, and stories with every state and todo."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..intents.domains import Domains
from ..intents.following import Intents
from ..intents.loading import domain_from, shipped
from ..intents.outcomes import Outcome
from ..memory.retrieval.embedders import open_embedder
from ..memory.store import Memory
from .configuration import Configuration
from .datasets import sgd, stories
from .datasets.sgd import NONE, Errand, Errands, Service
from .datasets.stories import Line, Story
from .embeddings import CachedEmbedder
from .following import Holding, Talk, talking
from .metrics.intents import accuracy, agrees, carried_on, to_repeat
from .records import Source
from .rounding import rounded
from .schema_domains import domain_document, snake
from .stored_runs import VERSION

T = TypeVar("T")
_UNCLEAR = "unclear"
_OUTCOMES = {"refused": "refused", "asked": _UNCLEAR}


def sgd_document(source: Source, configuration: Configuration, cache: Path) -> dict[str, Any]:
    """SGD: the active intent of every turn of the user, beside the one of the turn before carried on."""
    errands = sgd.load(source)
    with _embedding(configuration, cache) as embedder, talking(embedder) as memory:
        guesses = [active_intents(errand, errands, memory) for errand in errands.dialogues]
    labels = [[it.active for it in errand.exchanges] for errand in errands.dialogues]
    recent = [turn for dialogue in labels for turn in carried_on(dialogue)]
    held = [turn for dialogue in guesses for turn in carried_on(dialogue)]
    said, gold = _flat(guesses), _flat(labels)
    reached, baseline = accuracy(said, gold), accuracy(recent, gold)
    metrics: dict[str, Any] = {
        "dialogues": len(labels),
        "turns": len(gold),
        "active_intent_accuracy": reached,
        "most_recent_intent": baseline,
        "last_guess_carried_on": accuracy(held, gold),
        "margin": reached - baseline,
    }
    turns = list(_turns(errands.dialogues, guesses))
    return _document("sgd", metrics, turns, source, configuration)


def active_intents(errand: Errand, errands: Errands, memory: Memory) -> list[dict[str, str]]:
    """What is active after every turn of the user, by service. The services at hand are those of the dialogue."""
    services = [errands.services[name] for name in errand.services]
    domains = {snake(it.name): domain_from(domain_document(it)) for it in services}
    talk = Talk(errand.id, memory, Intents(Domains(domains), memory.embedder))
    found: list[dict[str, str]] = []
    for exchange in errand.exchanges:
        if exchange.before:
            talk.hear(exchange.before, assistant=True)
        talk.hear(exchange.text)
        found.append(_named(talk.holding().states, services))
    return found


def story_document(source: Source, configuration: Configuration, cache: Path) -> dict[str, Any]:
    """Stories: the share of turns after which everything is right, and how often the user would have to repeat."""
    told = stories.load(source)
    with _embedding(configuration, cache) as embedder, talking(embedder) as memory:
        intents = Intents(shipped(), embedder)
        heard = [hear_story(story, place, memory, intents) for place, story in enumerate(told)]
        alone = [hear_alone(story, place, memory, intents) for place, story in enumerate(told)]
    checked = _flat(heard)
    needed = [turn.moves for turn in checked]
    metrics: dict[str, Any] = {
        "stories": len(told),
        "turns": len(checked),
        "stories_right": sum(not any(turn.wrong for turn in story) for story in heard) / len(told),
        "turns_right": sum(not turn.wrong for turn in checked) / len(checked),
        "must_repeat": to_repeat(needed, [turn.understood for turn in checked]),
        "must_repeat_without": to_repeat(needed, _flat(alone)),
    }
    cases = [
        {"id": story.id, "passed": False, "failures": problems(turns)} for story, turns in zip(told, heard, strict=True)
    ]
    metrics["cases"] = [case for case in cases if case["failures"]]
    rows = [
        {"id": f"{story.id}/{place}", "right": not turn.wrong, "wrong": list(turn.wrong)}
        for story, turns in zip(told, heard, strict=True)
        for place, turn in enumerate(turns)
    ]
    return _document("stories", metrics, rows, source, configuration)


@dataclass(frozen=True, slots=True)
class Checked:
    """A turn of a story that was heard."""

    text: str
    wrong: tuple[str, ...]
    """What does not hold as it should, one clause each."""
    moves: bool
    """Whether it was to get something done, and with words that can be understood."""
    understood: bool


def hear_story(story: Story, place: int, memory: Memory, intents: Intents) -> list[Checked]:
    """Tell a story to a user of its own, and check after every turn of the user what holds."""
    talk = Talk(f"{place}", memory, intents)
    found: list[Checked] = []
    for line in story.lines:
        outcomes = talk.hear(line.text, assistant=line.role == "assistant")
        if line.role == "user":
            wrong = tuple(differences(line, talk.holding(), outcomes))
            found.append(Checked(line.text, wrong, _can_be_known(line), not wrong))
    return found


def hear_alone(story: Story, place: int, memory: Memory, intents: Intents) -> list[bool]:
    """Whether each turn is understood by somebody who knows nothing but the assistant's line before it.

    Only what the turn itself changes is asked for: whoever knows nothing cannot keep what was arranged before.
    """
    found: list[bool] = []
    before, said = Line("user", ""), ""
    for number, line in enumerate(story.lines):
        if line.role == "assistant":
            said = line.text
            continue
        talk = Talk(f"{place}/{number}", memory, intents)
        if said:
            talk.hear(said, assistant=True)
        outcomes = talk.hear(line.text)
        found.append(_changes(line, before, talk.holding(), outcomes))
        before, said = line, ""
    return found


def differences(line: Line, holding: Holding, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What does not hold after a turn as the story says."""
    expected = line.expected
    if holding.states != expected.states:
        yield f"states {_shown(holding.states)}, not {_shown(expected.states)}"
    if holding.todos != expected.todos:
        yield f"todos {sorted(holding.todos)}, not {sorted(expected.todos)}"
    for (entity, slot), value in expected.slots.items():
        known = holding.slots.get((entity, slot), "")
        if known != value:
            yield f"{slot} of {entity} is {known or 'not known'}, not {value or 'not known'}"
    ended = {_OUTCOMES[it.kind] for it in outcomes if it.kind in _OUTCOMES}
    if line.outcome is not None and line.outcome not in ended:
        yield f"not {line.outcome}"


def problems(turns: Sequence[Checked]) -> list[str]:
    """The turns of a story after which something is wrong."""
    return [f"{turn.text!r}: {', '.join(turn.wrong)}" for turn in turns if turn.wrong]


def _can_be_known(line: Line) -> bool:
    return line.moves and line.outcome != _UNCLEAR


def _changes(line: Line, before: Line, holding: Holding, outcomes: Sequence[Outcome]) -> bool:
    """Whether a turn by itself led to what it changes in the story."""
    if line.outcome == "refused":
        return any(it.kind == "refused" for it in outcomes)
    new, old = line.expected, before.expected
    moved = {entity: state for entity, state in new.states.items() if old.states.get(entity) != state}
    ended = old.states.keys() - new.states.keys()
    slots = {key: value for key, value in new.slots.items() if old.slots.get(key) != value}
    return (
        not ended
        and moved.items() <= holding.states.items()
        and new.todos - old.todos <= holding.todos
        and slots.items() <= holding.slots.items()
    )


def _named(states: Mapping[str, str], services: Sequence[Service]) -> dict[str, str]:
    """The intents by the names of the schema; each service has one entity, itself."""
    purposes = {(snake(it.name), snake(purpose.name)): purpose.name for it in services for purpose in it.purposes}
    return {it.name: purposes.get((snake(it.name), states.get(snake(it.name), "")), NONE) for it in services}


def _turns(dialogues: Sequence[Errand], guesses: Sequence[Sequence[dict[str, str]]]) -> Iterator[dict[str, Any]]:
    for errand, guessed in zip(dialogues, guesses, strict=True):
        for place, (exchange, guess) in enumerate(zip(errand.exchanges, guessed, strict=True)):
            said = {service: guess.get(service, NONE) for service in exchange.active}
            yield {
                "id": f"{errand.id}/{place}",
                "expected": dict(exchange.active),
                "guessed": said,
                "right": agrees(said, exchange.active),
            }


@contextmanager
def _embedding(configuration: Configuration, cache: Path) -> Iterator[CachedEmbedder]:
    with closing(CachedEmbedder(open_embedder(configuration.settings.embeddings), cache / "embeddings")) as embedder:
        yield embedder


def _flat(parts: Sequence[Sequence[T]]) -> list[T]:
    return [turn for part in parts for turn in part]


def _shown(states: Mapping[str, str]) -> str:
    return ", ".join(f"{entity} {state}" for entity, state in sorted(states.items())) or "none"


def _document(
    name: str, metrics: dict[str, Any], turns: list[dict[str, Any]], source: Source, configuration: Configuration
) -> dict[str, Any]:
    return {
        "dataset": name,
        "version": VERSION,
        "config": configuration.document(source.conversations),
        "metrics": rounded(metrics),
        "questions": turns,
    }
