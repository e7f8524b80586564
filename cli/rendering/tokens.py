"""Tokens, as an operator looks over them."""

from collections.abc import Sequence
from datetime import tzinfo

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...memory.storage.tokens import Token
from ..output import one_line, styled
from .parts import BAD, FAINT, GOOD, ID, moment


def token_list(found: Sequence[Token], zone: tzinfo) -> RenderableType:
    """One line per token; never a secret, which is nowhere kept."""
    if not found:
        return Text("No tokens: `veridical token create` makes one.")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for token in found:
        used = f"used {moment(token.last_used_at, zone)}" if token.last_used_at else "never used"
        ended = token.revoked_at is not None
        table.add_row(
            styled(token.token_id, ID),
            styled(one_line(token.user_id), "bold"),
            styled(one_line(token.terminal)),
            styled(f"since {moment(token.created_at, zone)}", FAINT),
            styled(used, FAINT),
            styled(f"revoked {moment(token.revoked_at, zone)}" if ended else "valid", BAD if ended else GOOD),
        )
    return table
