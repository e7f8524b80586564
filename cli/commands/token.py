"""`veridical token`: who may speak for a user, from which terminal."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..output import echo, show, show_json

if TYPE_CHECKING:
    from ...memory.storage.tokens import Token

app = typer.Typer(
    help="Make, list and revoke the tokens with which terminals reach the service.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Terminal = Annotated[
    str, typer.Option("--terminal", metavar="NAME", help="Where it is used: phone, web; the console shows it.")
]


@app.command("create")
def create(
    terminal: Terminal = "default",
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Make a token. It is shown once, and nowhere kept: only its hash is."""
    from ...memory.storage.tokens import create_token
    from ..opening import load_settings, open_for

    with open_for(load_settings(data), None) as resources, resources.memory.database.write() as connection:
        token, shown = create_token(connection, user, terminal, now=resources.clock())
    if as_json:
        show_json({**_document(token), "token": shown})
    else:
        echo(f"Token {token.token_id} of {user} at {terminal}. Keep it: it is not shown again.", err=True)
        echo(shown)


@app.command("list")
def list_(
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Only this user's.")] = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """List the tokens, without their secrets."""
    from ...memory.storage.tokens import list_tokens
    from ..opening import load_settings, open_database, zone_of
    from ..rendering.tokens import token_list

    settings = load_settings(data)
    with open_database(settings, None) as database, database.read() as connection:
        found = list_tokens(connection, user)
    if as_json:
        show_json({"tokens": [_document(token) for token in found]})
    else:
        show(token_list(found, zone_of(settings)))


@app.command("revoke")
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as the list shows it.")],
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """End a token at once."""
    from datetime import UTC, datetime

    from ...memory.storage.tokens import revoke_token
    from ..opening import load_settings, open_database

    with open_database(load_settings(data), None) as database, database.write() as connection:
        token = revoke_token(connection, token_id, now=datetime.now(UTC))
    if as_json:
        show_json(_document(token))
    else:
        echo(f"Token {token.token_id} of {token.user_id} at {token.terminal} is revoked.")


def _document(token: "Token") -> dict[str, Any]:
    return {
        "token_id": token.token_id,
        "user": token.user_id,
        "terminal": token.terminal,
        "created_at": token.created_at.isoformat(),
        "last_used_at": None if token.last_used_at is None else token.last_used_at.isoformat(),
        "revoked_at": None if token.revoked_at is None else token.revoked_at.isoformat(),
    }
