"""The plots of a report, each from plain numbers to SVG."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from .canvas import Anchor, Canvas, Point, Scale, axes, number_ticks, percent_ticks

_WIDE, _HALF = 1000.0, 480.0
_LEFT = 244.0
"""Where the lines of a chart begin, behind their labels."""
_LABEL = 28
"""Letters that a label may have."""


class Row(NamedTuple):
    """A line of a chart: questions of a kind."""

    label: str
    questions: int
    values: Mapping[str, float]
    """By the depth of a recall, or by the outcome of an answer."""


class Bin(NamedTuple):
    """Questions of similar confidence, and how many of them are as they should be."""

    confidence: float
    share: float
    low: float
    """The 95 % interval of the share."""
    high: float
    questions: int


def recall_chart(rows: Sequence[Row], depths: Sequence[str]) -> str:
    """A line per kind of question with a dot for each depth, and the figures beside it."""
    height = 34.0
    bottom = 34 + height * len(rows)
    canvas = Canvas(_WIDE, bottom + 26, "Recall by kind of question and number of results")
    x = Scale(0.0, 1.0, _LEFT, _column(0, depths) - 56)
    for value, words in percent_ticks():
        canvas.line((x(value), 30), (x(value), bottom), "grid")
        canvas.text((x(value), bottom + 18), words, "tick", "middle")
    for place, depth in enumerate(depths):
        at = _column(place, depths)
        canvas.circle((at - 16, 14), 4.5, f"k{_shade(place, depths)}")
        canvas.text((at + 6, 18), f"@{depth}", "head", "middle")
    for index, row in enumerate(rows):
        _label(canvas, row, 34 + height * (index + 0.5), x.start, first=index == 0)
        _recall_row(canvas, x, row, depths, 34 + height * (index + 0.5))
    return canvas.svg()


def _label(canvas: Canvas, row: Row, y: float, left: float, *, first: bool) -> None:
    """What a line is about, and of how many questions; the first line is that of all."""
    canvas.text((0, y + 4), _cut(row.label), "name" if first else "label", tip=row.label)
    canvas.text((left - 14, y + 4), f"{row.questions:,}", "tick", "end")


def _cut(label: str) -> str:
    """As much of a label as there is room for; an ideograph takes that of two letters."""
    room = _LABEL
    for place, character in enumerate(label):
        room -= 2 if east_asian_width(character) in "WF" else 1
        if room < 0:
            return f"{label[: place - 1]}…"
    return label


def _recall_row(canvas: Canvas, x: Scale, row: Row, depths: Sequence[str], y: float) -> None:
    known = [depth for depth in depths if depth in row.values]
    if known:
        ends = [row.values[depth] for depth in known]
        canvas.line((x(min(ends)), y), (x(max(ends)), y), "range")
    for place, depth in reversed(list(enumerate(depths))):
        if depth in row.values:
            value = row.values[depth]
            tip = f"{row.label}: recall@{depth} {value:.3f} over {row.questions:,} questions"
            canvas.circle((x(value), y), 6.5, f"k{_shade(place, depths)}", tip)
            canvas.text((_column(place, depths), y + 4), f"{value:.3f}", "figure", "middle")


def _column(place: int, depths: Sequence[str]) -> float:
    """Where the figures of a depth stand."""
    return _WIDE - 58.0 * (len(depths) - place - 0.5)


def _shade(place: int, depths: Sequence[str]) -> int:
    """One of four shades, the darkest for the shallowest."""
    return round(3 * place / max(len(depths) - 1, 1))


def outcome_chart(rows: Sequence[Row], outcomes: Sequence[str]) -> str:
    """A bar per kind of question, divided by what became of them."""
    height = 34.0
    canvas = Canvas(_WIDE, 34 + height * len(rows) + 4, "Outcomes by kind of question")
    x = Scale(0.0, 1.0, _LEFT, _WIDE - 4)
    for place, outcome in enumerate(outcomes):
        canvas.box((_LEFT + place * 120, 6), 12, 12, f"outcome {outcome}")
        canvas.text((_LEFT + place * 120 + 19, 17), outcome, "head")
    for index, row in enumerate(rows):
        y = 34 + height * index
        _label(canvas, row, y + height / 2, _LEFT, first=index == 0)
        begun = 0.0
        for outcome in outcomes:
            share = row.values.get(outcome, 0.0)
            width = x(begun + share) - x(begun)
            if share > 0:
                tip = f"{row.label}: {outcome} {share:.1%} of {row.questions:,}"
                canvas.box((x(begun), y + 5), max(width - 1.5, 0.5), height - 10, f"outcome {outcome}", tip)
            if width > 42:
                canvas.text((x(begun) + width / 2, y + height / 2 + 4), f"{share:.0%}", f"on {outcome}", "middle")
            begun += share
    return canvas.svg()


def abstention_chart(curve: Sequence[Point], at: Point, done: Point | None) -> str:
    """What every threshold would refuse.

    Args:
        curve: (refused of the answerable, refused of the unanswerable), ascending.
        at: the point of the curve at 15 % false refusals.
        done: what the answers of this run refused.
    """
    canvas, x, y = _square("Refused of the unanswerable against refused of the answerable")
    axes(canvas, x, y, percent_ticks(), percent_ticks())
    _titles(canvas, x, y, "answerable questions that are refused", "unanswerable questions that are refused")
    canvas.line((x(0), y(0)), (x(1), y(1)), "chance")
    corners = [(x(false), y(refused)) for false, refused in curve]
    canvas.path([(x(0), y(0)), *corners, (x(1), y(0))], "area", closed=True)
    canvas.path(corners, "curve")
    canvas.line((x(0.15), y(0)), (x(0.15), y(1)), "limit")
    tip = f"refuses {at[1]:.1%} of the unanswerable and {at[0]:.1%} of the answerable"
    canvas.circle((x(at[0]), y(at[1])), 6, "point", tip)
    canvas.text((x(at[0]) + 12, y(at[1]) + 16), f"{at[1]:.0%} at {at[0]:.0%}", "strong")
    if done is not None:
        tip = f"the answers refused {done[1]:.1%} of the unanswerable and {done[0]:.1%} of the answerable"
        _diamond(canvas, (x(done[0]), y(done[1])), tip)
    return canvas.svg()


def _diamond(canvas: Canvas, at: Point, tip: str) -> None:
    x, y = at
    canvas.path([(x - 7, y), (x, y - 7), (x + 7, y), (x, y + 7)], "done", closed=True)
    canvas.circle(at, 8, "sensor", tip)


def calibration_chart(series: Mapping[str, Sequence[Bin]]) -> str:
    """Confidence against the share that is as it should be, a line per name of ``series``."""
    canvas, x, y = _square("Confidence against the share that is right")
    confidences = [bin.confidence for bins in series.values() for bin in bins]
    is_share = min(confidences) >= 0 and max(confidences) <= 1
    if not is_share:
        x = x._replace(low=min(confidences), high=max(confidences))
    axes(canvas, x, y, percent_ticks() if is_share else number_ticks(x.low, x.high), percent_ticks())
    _titles(canvas, x, y, "confidence", "share")
    if is_share:
        canvas.line((x(0), y(0)), (x(1), y(1)), "chance")
    for place, (name, bins) in enumerate(series.items()):
        _bins(canvas, x, y, bins, name, f"s{place}")
    return canvas.svg()


def _bins(canvas: Canvas, x: Scale, y: Scale, bins: Sequence[Bin], name: str, look: str) -> None:
    """One line of the calibration: whiskers below, dots above."""
    for bin in bins:
        canvas.line((x(bin.confidence), y(bin.low)), (x(bin.confidence), y(bin.high)), f"whisker {look}")
    canvas.path([(x(bin.confidence), y(bin.share)) for bin in bins], f"series {look}")
    for bin in bins:
        tip = f"{name}: {bin.share:.0%} of {bin.questions:,} at confidence {bin.confidence:.2f}"
        canvas.circle((x(bin.confidence), y(bin.share)), 5, f"dot {look}", tip)


def latency_chart(spent: Sequence[float], marks: Mapping[str, float], what: str) -> str:
    """How many questions took how long.

    Args:
        spent: milliseconds per question; what lies beyond the last bin is counted in it.
        marks: percentiles by name.
        what: the step that was timed.
    """
    height = 250.0
    canvas = Canvas(_HALF, height, f"Latency of {what}")
    ordered = sorted(spent)
    end = max(ordered[int(0.99 * (len(ordered) - 1))] * 1.05, max(marks.values()) * 1.1, 1e-3)
    counts = _counts(ordered, end, 32)
    x = Scale(0.0, end, 44, _HALF - 14)
    y = Scale(0.0, max(counts) * 1.08, height - 46, 40)
    axes(canvas, x, y, number_ticks(0.0, end), [tick for tick in number_ticks(0.0, y.high, 3) if tick[0] % 1 == 0])
    canvas.text(((x.start + x.end) / 2, height - 8), f"{what}, milliseconds", "title", "middle")
    _bars(canvas, x, y, counts)
    for level, (name, value) in enumerate(marks.items()):
        top = 29.0 if level else 12.0
        canvas.line((x(value), y.start), (x(value), top), "limit")
        _beside(canvas, (x(value), top + 5), f"{name} {value:,.0f} ms")
    return canvas.svg()


def _bars(canvas: Canvas, x: Scale, y: Scale, counts: Sequence[int]) -> None:
    """The bars of a histogram over the whole scale of x."""
    width, step = (x.end - x.start) / len(counts), x.high / len(counts)
    for place, count in enumerate(counts):
        tip = f"{count:,} questions, {step * place:,.0f}–{step * (place + 1):,.0f} ms"
        if count:
            canvas.box((x.start + width * place, y(count)), width - 1, y.start - y(count), "bar", tip)


def _beside(canvas: Canvas, at: Point, words: str) -> None:
    """Words to the right of a place, or to the left of it where the picture ends."""
    x, y = at
    anchor: Anchor = "end" if x > _HALF - 110 else "start"
    canvas.text((x - 6 if anchor == "end" else x + 6, y), words, "strong", anchor)


def _counts(ordered: Sequence[float], end: float, bins: int) -> list[int]:
    counts = [0] * bins
    for value in ordered:
        counts[min(int(value / end * bins), bins - 1)] += 1
    return counts


def _square(title: str) -> tuple[Canvas, Scale, Scale]:
    height = 400.0
    return Canvas(_HALF, height, title), Scale(0.0, 1.0, 62, _HALF - 24), Scale(0.0, 1.0, height - 54, 14)


def _titles(canvas: Canvas, x: Scale, y: Scale, below: str, beside: str) -> None:
    canvas.text(((x.start + x.end) / 2, y.start + 42), below, "title", "middle")
    canvas.text((14, (y.start + y.end) / 2), beside, "title", "middle", turned=True)
