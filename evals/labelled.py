"""Parts of the product by themselves, on labelled texts: the score of attribution, and the trigger of a topic shift."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..memory.grounding.attribution import attribution_score
from ..memory.language.tokens import content_stems
from ..memory.retrieval.embedders import Embedder, open_embedder
from ..memory.shifts import topic_shifts
from .configuration import Configuration
from .datasets import begin, tiage
from .datasets.begin import Pair
from .datasets.tiage import Chat
from .embeddings import CachedEmbedder
from .metrics.abstention import auc
from .metrics.labels import Agreement, agreement, best_threshold
from .records import Source
from .rounding import rounded
from .stored_runs import VERSION

_FOLDS = 5


def attribution_document(source: Source, configuration: Configuration, cache: Path) -> dict[str, Any]:
    """BEGIN: how well the score of attribution tells attributable responses, beside the overlap of content words."""
    pairs = begin.load(source)
    labels = [pair.attributable for pair in pairs]
    metrics: dict[str, Any] = {"pairs": len(pairs), "attributable": sum(labels)}
    if any(labels) and not all(labels):
        metrics["auc"] = _separated(attribution_score, pairs)
        metrics["overlap_auc"] = _separated(overlap, pairs)
    return _document("begin", metrics, source, configuration)


def shift_document(source: Source, configuration: Configuration, cache: Path) -> dict[str, Any]:
    """TIAGE: F1 of the summary's trigger for a shift of topic, beside a threshold on the distance of embeddings.

    The baseline's threshold is fitted on four fifths of the dialogues and used on the other; the trigger has none.
    """
    chats = tiage.load(source)
    labels = [shift for chat in chats for shift in chat.shifts]
    triggered = [topic_shifts(chat.texts[: place + 1]) for chat in chats for place in range(1, len(chat.texts))]
    with closing(CachedEmbedder(open_embedder(configuration.settings.embeddings), cache / "embeddings")) as embedder:
        distances = [_distances(chat, embedder) for chat in chats]
    metrics: dict[str, Any] = {"turns": len(labels), "shifts": sum(labels)}
    metrics |= _figures("", agreement(triggered, labels))
    metrics |= _figures("distance_", agreement(_by_distance(distances, chats), labels))
    return _document("tiage", metrics, source, configuration)


def _separated(score: Callable[[str, str], float], pairs: Sequence[Pair]) -> float:
    """The AUC of a score for what is attributable against the rest."""
    scored = [(score(pair.response, pair.knowledge), pair.attributable) for pair in pairs]
    borne_out = [value for value, attributable in scored if attributable]
    return auc(borne_out, [value for value, attributable in scored if not attributable])


def overlap(text: str, evidence: str) -> float:
    """The share of a text's content words that occur in its evidence."""
    words = content_stems(text)
    known = set(content_stems(evidence))
    return sum(word in known for word in words) / len(words) if words else 0.0


def _distances(chat: Chat, embedder: Embedder) -> list[float]:
    """How far each turn is from the one before it."""
    rows = embedder.embed_documents(list(chat.texts))
    return [float(1.0 - rows[place - 1] @ rows[place]) for place in range(1, len(rows))]


def _by_distance(distances: Sequence[Sequence[float]], chats: Sequence[Chat]) -> list[bool]:
    """The baseline's guesses, each with a threshold that was fitted on other dialogues."""
    guesses: list[bool] = []
    for place, own in enumerate(distances):
        fitted = [other for other in range(len(chats)) if other % _FOLDS != place % _FOLDS] or [place]
        threshold = _fitted(fitted, distances, chats)
        guesses += [distance >= threshold for distance in own]
    return guesses


def _fitted(places: Sequence[int], distances: Sequence[Sequence[float]], chats: Sequence[Chat]) -> float:
    """The threshold that is best for some dialogues."""
    known = [distance for place in places for distance in distances[place]]
    return best_threshold(known, [shift for place in places for shift in chats[place].shifts])


def _figures(prefix: str, found: Agreement) -> dict[str, float]:
    return {f"{prefix}f1": found.f1, f"{prefix}precision": found.precision, f"{prefix}recall": found.recall}


def _document(name: str, metrics: dict[str, Any], source: Source, configuration: Configuration) -> dict[str, Any]:
    return {
        "dataset": name,
        "version": VERSION,
        "config": configuration.document(source.conversations),
        "metrics": rounded(metrics),
        "questions": [],
    }
