"""The settings: every value, where it comes from, and what it is."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..output import one_line, styled
from .parts import DOUBT, FAINT, Document, joined


def settings_page(settings: Sequence[Document]) -> Group:
    """Show the list that ``config --json`` prints."""
    parts: list[RenderableType] = []
    for setting in settings:
        origin = str(setting["origin"])
        value = one_line(str(setting["value"])) or "(not set)"
        parts.append(
            joined(
                (str(setting["name"]), "bold"),
                (value, ""),
                (f"from {origin}" if origin != "default" else origin, FAINT if origin == "default" else DOUBT),
                separator="  ",
            )
        )
        parts.append(Padding(styled(f"{setting['description']} ({setting['variable']})", FAINT), (0, 0, 0, 4)))
    return Group(*parts, Text())
