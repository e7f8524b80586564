"""A drawing surface for plots: a few marks of SVG, placed by the values of a linear scale.

Colours, strokes and fonts are the business of the page's style sheet, so that one drawing serves light and dark. Texts
are escaped by the XML library.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


class Scale(NamedTuple):
    """Maps a value between ``low`` and ``high`` to a place between ``start`` and ``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of ``value``; what lies outside is moved to the edge."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


class Canvas:
    """An SVG picture under construction."""

    def __init__(self, width: float, height: float, title: str) -> None:
        """Begin an empty picture; ``title`` is what a screen reader says of it."""
        self._root = Element("svg", {"viewBox": f"0 0 {width:g} {height:g}", "role": "img", "aria-label": title})

    def line(self, start: Point, end: Point, look: str) -> None:
        """Draw a straight line; ``look`` is a class of the style sheet, here and in the other marks."""
        self._add("line", look, x1=start[0], y1=start[1], x2=end[0], y2=end[1])

    def path(self, points: Iterable[Point], look: str, *, closed: bool = False) -> None:
        """Draw a line through the points."""
        joined = " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
        mark = self._add("path", look)
        mark.set("d", f"M{joined}{' Z' if closed else ''}")

    def circle(self, at: Point, radius: float, look: str, tip: str = "") -> None:
        """Draw a dot; ``tip`` is shown when the pointer rests on it."""
        self._add("circle", look, tip, cx=at[0], cy=at[1], r=radius)

    def box(self, corner: Point, width: float, height: float, look: str, tip: str = "") -> None:
        """Draw a rectangle from its upper left corner."""
        self._add("rect", look, tip, x=corner[0], y=corner[1], width=max(width, 0.0), height=max(height, 0.0))

    def text(
        self,
        at: Point,
        words: str,
        look: str = "label",
        anchor: Anchor = "start",
        *,
        tip: str = "",
        turned: bool = False,
    ) -> None:
        """Write words; ``turned`` ones run upwards."""
        mark = self._add("text", look, x=at[0], y=at[1])
        mark.set("text-anchor", anchor)
        if turned:
            mark.set("transform", f"rotate(-90 {at[0]:.2f} {at[1]:.2f})")
        mark.text = words
        if tip and tip != words:
            SubElement(mark, "title").text = tip

    def svg(self) -> str:
        """The picture as a piece of HTML."""
        return tostring(self._root, encoding="unicode")

    def _add(self, name: str, look: str, tip: str = "", **places: float) -> Element:
        mark = SubElement(self._root, name, {key: f"{value:.2f}" for key, value in places.items()} | {"class": look})
        if tip:
            SubElement(mark, "title").text = tip
        return mark


def axes(
    canvas: Canvas, x: Scale, y: Scale, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]]
) -> None:
    """Draw the grid of both axes with its labels; y grows upwards, so ``y.start`` is the bottom."""
    for value, words in y_ticks:
        canvas.line((x.start, y(value)), (x.end, y(value)), "grid")
        canvas.text((x.start - 8, y(value) + 4), words, "tick", "end")
    for value, words in x_ticks:
        canvas.line((x(value), y.start), (x(value), y.end), "grid")
        canvas.text((x(value), y.start + 18), words, "tick", "middle")
    canvas.line((x.start, y.start), (x.end, y.start), "axis")


def percent_ticks(step: float = 0.25) -> list[tuple[float, str]]:
    """Ticks of shares from nothing to all."""
    count = round(1 / step)
    return [(place * step, f"{place * step:.0%}") for place in range(count + 1)]


def number_ticks(low: float, high: float, count: int = 5) -> list[tuple[float, str]]:
    """Ticks at round numbers between ``low`` and ``high``."""
    span = (high - low) or 1.0
    rough = span / count
    magnitude = 10.0 ** _exponent(rough)
    step = next(factor * magnitude for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * magnitude >= rough)
    first = int(-(-low // step))
    places = [first + place for place in range(count + 2) if (first + place) * step <= high + step / 1000]
    return [(place * step, f"{place * step:,g}") for place in places]


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
