"""`veridical mcp`: the memory as a server of the Model Context Protocol, on standard input and output."""

import logging
from typing import Annotated

import typer

from .. import options

_EXTRA = "`pip install 'veridical[mcp]'`"


def mcp(
    trust_host: Annotated[
        bool,
        typer.Option("--trust-host", help="Take what the host notes for the user's own words, without asking them."),
    ] = False,
    user: options.User = options.DEFAULT_USER,
    session: options.Session = None,
    data: options.Data = None,
    verbose: options.Verbose = False,
) -> None:
    """Serve one user's memory to a host of the Model Context Protocol.

    The host starts this command and speaks to it by standard input and output; it ends when the host closes them.
    """
    from uuid import uuid4

    from ...graph.logs import write_logs
    from ...memory.errors import BadInput
    from ..opening import load_settings, open_for

    try:
        from ...integrations.mcp import build_server
    except ModuleNotFoundError as error:
        message = f"The MCP server needs {error.name}, which is not installed: run {_EXTRA}."
        raise BadInput(message) from error
    from ...integrations.user_memory import UserMemory

    settings = load_settings(data)
    write_logs(settings.log or "warning")
    # The protocol's library would else log through a handler of its own, with the words of errors.
    logging.getLogger().addHandler(logging.NullHandler())
    with open_for(settings, None) as resources:
        session_id = session or f"mcp-{resources.clock():%Y%m%d-%H%M%S}-{uuid4().hex[:6]}"
        resources.memory.admit(session_id, user)
        memory = UserMemory(resources, user, session_id, terminal="mcp")
        build_server(memory, trusts_host=trust_host).run("stdio")
