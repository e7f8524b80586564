"""`veridical chat`: the conversation, at a terminal or from standard input."""

from contextlib import closing
from pathlib import Path

import typer

from .. import options
from ..border import EXIT_USAGE
from ..output import echo
from ..reading import is_terminal, piped_lines, typed_lines


def chat(
    user: options.User = options.DEFAULT_USER,
    session: options.Session = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Chat, at the terminal or over standard input."""
    from ..wording import chat_text

    if not as_json:
        echo(chat_text("opening"))  # before the heavy libraries are loaded, which takes seconds
    _chat(data, user, session, as_json=as_json)


def _chat(data: Path | None, user: str, session: str | None, *, as_json: bool) -> None:
    from ...graph.build import build_graph
    from ...graph.checkpointer import open_checkpointer
    from ..conversation import Conversation
    from ..opening import load_settings, open_for, zone_name
    from ..talking import JsonChat, TextChat

    settings = load_settings(data)
    zone = zone_name(settings)
    terminal = is_terminal() and not as_json
    with open_for(settings, None) as resources:
        checkpointer = open_checkpointer(settings.data_dir, settings.database_url.get_secret_value())
        with closing(checkpointer.conn):
            graph = build_graph(resources, checkpointer=checkpointer)
            talk = Conversation(graph, user=user, session=session, time_zone=zone)
            loop = JsonChat(talk) if as_json else TextChat(talk, terminal=terminal)
            answered = loop.run(typed_lines() if terminal else piped_lines())
    if not answered:
        raise typer.Exit(EXIT_USAGE)
