"""Calibrating: settings fitted on labelled questions, with what they promise measured on conversations held out.

Three things are fitted: the weights of the ranking (by the mean of recall@5, @10 and @20), the threshold on the
confidence below which a question is refused (the most unanswerable ones, at a bounded share of false refusals), and how
many results are kept. Each conversation's figures come from a fit that never saw it. Weights whose gain there may be
luck are not written: the defaults were chosen on more data than one set has.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from ..graph.resources import DEFAULT_WEIGHTS
from ..graph.settings import Settings
from ..memory.errors import BadFile, BadInput
from .fitting import (
    FALSE_REFUSALS,
    Judged,
    Refusals,
    Weights,
    fewest,
    fit_threshold,
    folds,
    refusals,
    search,
)
from .metrics.abstention import auc
from .metrics.retrieval import recall_at
from .rehearsing import MOST, Rehearsed
from .resampling import interval, mean, resample

_DEPTHS = (5, 10, 20)
_KEPT = (3, 5, 8, 10, 12, 15, MOST)
"""How many results may be kept."""


class Figure(NamedTuple):
    """What the defaults reach, and what the fitted settings reach on conversations that the fit did not see."""

    name: str
    default: float | None
    fitted: float | None
    questions: int
    low: float | None = None
    """The 95 % interval of the difference, where it is one of means over questions."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The fitted settings, and what they promise."""

    weights: dict[str, float]
    """Those that differ from the defaults."""
    threshold: float | None
    limit: int
    figures: tuple[Figure, ...]
    folds: int
    questions: int
    dialogues: int
    notes: tuple[str, ...] = field(default=())
    """What could not be fitted, and why."""

    def settings(self) -> dict[str, Any]:
        """The settings as a settings file names them; what could not be fitted is left to the defaults."""
        chosen: dict[str, Any] = {"limit": self.limit}
        if self.threshold is not None:
            chosen["threshold"] = round(self.threshold, 4)
        return chosen | ({"weights": self.weights} if self.weights else {})


def calibrate(
    rehearsed: Sequence[Rehearsed],
    settings: Settings,
    *,
    false_refusals: float = FALSE_REFUSALS,
    fitted: Sequence[str] | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Calibrated:
    """Fit weights, threshold and number of results.

    Args:
        rehearsed: the questions, with their memories open.
        settings: those with which the fit begins and is compared.
        false_refusals: the share of answerable questions that may be refused.
        fitted: the names of the weights to fit; all that are not zero by default.
        on_progress: told whenever another ranking of all questions was tried.

    Raises:
        BadInput: there are too few conversations to hold any out.
    """
    groups = folds(one.dialogue for one in rehearsed)
    if not groups:
        message = "There is one conversation with questions, and none to measure the fit on: calibrate on two or more."
        raise BadInput(message)
    bench = _Bench(rehearsed, groups, on_progress)
    start = DEFAULT_WEIGHTS | settings.weights
    weights, of_weights, notes = _fit_weights(bench, start, _chosen(start, fitted))
    sure, results = _judged(rehearsed, weights)
    threshold, of_threshold, without = _fit_threshold(bench, sure, false_refusals)
    limit, of_limit = _fit_limit(bench, results, settings.limit)
    return Calibrated(
        weights={name: weight for name, weight in weights.items() if weight != DEFAULT_WEIGHTS[name]},
        threshold=threshold,
        limit=limit,
        figures=(*of_weights, *of_limit, *of_threshold),
        folds=len(groups),
        questions=len(rehearsed),
        dialogues=len({one.dialogue for one in rehearsed}),
        notes=(*notes, *without),
    )


def _judged(rehearsed: Sequence[Rehearsed], weights: Weights) -> tuple[list[Judged], list[list[str]]]:
    """What the product makes of each question under the weights: how sure it is, and what it keeps."""
    sure, results = [], []
    for one in rehearsed:
        verdict = one.judged(weights)
        sure.append(Judged(one.confidence(verdict), one.question.answerable, one.refuses(verdict)))
        results.append(one.results(verdict))
    return sure, results


class _Bench:
    """The questions with their folds; a ranking that was tried is not made again."""

    def __init__(
        self, rehearsed: Sequence[Rehearsed], groups: Sequence[frozenset[str]], on_progress: Callable[[int], None]
    ) -> None:
        self.questions = rehearsed
        self.fold = [next(place for place, group in enumerate(groups) if one.dialogue in group) for one in rehearsed]
        self.folds = range(len(groups))
        self.with_gold = [place for place, one in enumerate(rehearsed) if one.question.gold]
        self._on_progress = on_progress
        self._tried = cache(self._recalls)

    def recalls(self, weights: Weights) -> list[float]:
        """The mean of the recalls of each question with gold, under the weights."""
        return self._tried(tuple(weights.items()))

    def _recalls(self, weights: tuple[tuple[str, float], ...]) -> list[float]:
        self._on_progress(1)
        ranked = (self.questions[place] for place in self.with_gold)
        return [_mean_recall(one.ranking(dict(weights)), one.question.gold) for one in ranked]

    def mean(self, weights: Weights, *, held_out: int | None) -> float:
        """Mean recall of the questions outside of a fold; of all where none is held out."""
        values = zip(self.with_gold, self.recalls(weights), strict=True)
        return fmean(value for place, value in values if self.fold[place] != held_out)

    def figure(self, name: str, default: Mapping[int, float], fitted: Mapping[int, float]) -> Figure:
        """A mean over questions, by their places, with the interval of its difference."""
        gains = np.array([fitted[place] - default[place] for place in default])
        drawn = resample([self.questions[place].dialogue for place in default])
        low, high = interval(mean(gains, np.ones(len(gains), dtype=np.bool_), drawn.weights)) or (None, None)
        return Figure(name, fmean(default.values()), fmean(fitted.values()), len(default), low, high)

    def outside(self, fold: int) -> list[int]:
        """The places of the questions that a fold's fit may see."""
        return [place for place, own in enumerate(self.fold) if own != fold]


def _chosen(weights: Weights, fitted: Sequence[str] | None) -> list[str]:
    """The weights to fit: those that are named, else all that are not zero."""
    unknown = [name for name in fitted or () if name not in weights]
    if unknown:
        message = f"There is no weight {unknown[0]!r} to fit: name some of {', '.join(weights)}."
        raise BadInput(message)
    return list(fitted or (name for name, weight in weights.items() if weight))


def _fit_weights(
    bench: _Bench, start: dict[str, float], names: Sequence[str]
) -> tuple[dict[str, float], list[Figure], list[str]]:
    """The weights fitted on everything where those of the folds gain on what they did not see; else the start."""
    if not bench.with_gold:
        return start, [], ["no weights: no question names the turns that answer it"]
    reached: dict[int, float] = {}
    for fold in bench.folds:
        fitted = search(start, names, partial(bench.mean, held_out=fold))
        recalls = dict(zip(bench.with_gold, bench.recalls(fitted), strict=True))
        reached |= {place: recall for place, recall in recalls.items() if bench.fold[place] == fold}
    default = dict(zip(bench.with_gold, bench.recalls(start), strict=True))
    figure = bench.figure("mean recall of the ranking", default, reached)
    if figure.low is None or figure.low <= 0:
        return start, [figure], ["weights as they were: what fitted ones gain on conversations held out may be luck"]
    return search(start, names, partial(bench.mean, held_out=None)), [figure], []


def _fit_threshold(
    bench: _Bench, sure: Sequence[Judged], false_refusals: float
) -> tuple[float | None, list[Figure], list[str]]:
    """The threshold, what rules and threshold refuse together, and why there is none."""
    known, unknown = ([one for one in sure if one.answerable is kind] for kind in (True, False))
    if not known or not unknown:
        return None, [], ["no threshold: there are no questions that have to be refused"]
    threshold = fit_threshold(sure, false_refusals)
    of_fold = [fit_threshold([sure[place] for place in bench.outside(fold)], false_refusals) for fold in bench.folds]
    today, held_out = refusals(sure, None), _held_out(bench, sure, of_fold)
    figures = [
        Figure("refused of the unanswerable", today.of_unanswerable, held_out.of_unanswerable, len(unknown)),
        Figure("refused of the answerable", today.of_answerable, held_out.of_answerable, len(known)),
        Figure("AUC of the confidence", auc(_confidences(known), _confidences(unknown)), None, len(sure)),
    ]
    if threshold is None:
        reason = f"no threshold: none refuses more than the rules and at most {false_refusals:.0%} of the answerable"
        return None, figures, [reason]
    return threshold, figures, []


def _held_out(bench: _Bench, sure: Sequence[Judged], thresholds: Sequence[float | None]) -> Refusals:
    """What is refused when each question meets the threshold of a fit that did not see it."""
    met = [one._replace(refused=one.refused_below(thresholds[bench.fold[place]])) for place, one in enumerate(sure)]
    return refusals(met, None)


def _confidences(judged: Sequence[Judged]) -> list[float]:
    return [one.confidence for one in judged]


def _fit_limit(bench: _Bench, results: Sequence[Sequence[str]], default: int) -> tuple[int, list[Figure]]:
    """The fewest results that hold nearly all of the evidence among the most."""
    recalls = {
        place: {k: recall_at(results[place], bench.questions[place].question.gold, k) for k in {*_KEPT, default}}
        for place in bench.with_gold
    }
    if not recalls:
        return default, []
    of_fold = [_fewest(recalls, bench.outside(fold), default) for fold in bench.folds]
    limits = {place: of_fold[bench.fold[place]] for place in recalls}
    today = {place: of_question[default] for place, of_question in recalls.items()}
    held_out = {place: of_question[limits[place]] for place, of_question in recalls.items()}
    return _fewest(recalls, list(recalls), default), [
        bench.figure("evidence among those kept", today, held_out),
        Figure("results kept", float(default), fmean(limits.values()), len(recalls)),
    ]


def _fewest(recalls: Mapping[int, Mapping[int, float]], places: Sequence[int], default: int) -> int:
    """The fewest results that are enough for the questions at some places."""
    counted = [recalls[place] for place in places if place in recalls]
    return fewest({k: fmean(one[k] for one in counted) for k in _KEPT}) if counted else default


def _mean_recall(ranking: Sequence[str], gold: Sequence[str]) -> float:
    return fmean(recall_at(ranking, gold, k) for k in _DEPTHS)


def calibrated_document(calibrated: Calibrated) -> dict[str, Any]:
    """What was fitted, as plain JSON."""
    return {
        "settings": calibrated.settings(),
        "threshold": calibrated.threshold,
        "held_out": [figure._asdict() for figure in calibrated.figures],
        "folds": calibrated.folds,
        "questions": calibrated.questions,
        "dialogues": calibrated.dialogues,
        "not_fitted": list(calibrated.notes),
    }


def check_writable(path: Path) -> None:
    """See that the settings file can be written, before minutes are spent on it.

    Raises:
        BadFile: there is such a file already, or no folder for it.
    """
    if path.exists():
        message = f"{path} exists already: choose another name, and move what you want of it into your settings.toml."
        raise BadFile(message)
    if not path.absolute().parent.is_dir():
        message = f"There is no folder {path.absolute().parent}: make it, or choose another place."
        raise BadFile(message)


def write_settings(calibrated: Calibrated, path: Path, *, origin: str) -> None:
    """Write the fitted settings as a settings file.

    Args:
        calibrated: what was fitted.
        path: the file; in a data folder it is called ``settings.toml``.
        origin: what it was fitted on, for a reader of the file.

    Raises:
        BadFile: there is such a file already, or it cannot be written.
    """
    check_writable(path)
    lines = [f"# Fitted on {origin} by `veridical eval calibrate`."]
    chosen = calibrated.settings()
    lines += [f"{name} = {json.dumps(value)}" for name, value in chosen.items() if not isinstance(value, dict)]
    for name, table in chosen.items():
        if isinstance(table, dict):
            lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}): choose another place."
        raise BadFile(message) from error
