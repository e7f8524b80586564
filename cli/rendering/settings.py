"""The settings as a table: every value, and where it comes from."""

from collections.abc import Sequence

from rich.table import Table

from ..output import one_line, styled
from .parts import DOUBT, FAINT, Document


def settings_table(settings: Sequence[Document]) -> Table:
    """Show the list that ``config --json`` prints."""
    table = Table(box=None, show_header=True, header_style=FAINT, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("setting", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("from", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for setting in settings:
        origin = str(setting["origin"])
        table.add_row(
            styled(str(setting["name"]), "bold"),
            styled(one_line(str(setting["value"]))),
            styled(origin, FAINT if origin == "default" else DOUBT),
            styled(str(setting["description"]), FAINT),
        )
    return table
