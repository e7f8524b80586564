"""`veridical serve`: the Memory State Service, until it is stopped."""

import ipaddress
import socket
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..output import echo

if TYPE_CHECKING:
    from ...graph.settings import Settings
    from ...service.options import ServiceOptions

_EXTRA = "`pip install 'veridical[service]'`"


def serve(
    host: Annotated[
        str, typer.Option("--host", envvar="VERIDICAL_HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", envvar="VERIDICAL_PORT", min=0, max=65535, help="The port.")] = 8080,
    without_tokens: Annotated[
        bool, typer.Option("--without-tokens", help="Answer without a token; only on a loopback address.")
    ] = False,
    retention_days: Annotated[
        int,
        typer.Option("--retention-days", envvar="VERIDICAL_RETENTION_DAYS", min=7, help="How long changes are kept."),
    ] = 7,
    rate: Annotated[
        str, typer.Option("--rate", envvar="VERIDICAL_RATE", help="Requests of one token at most, like 600/minute.")
    ] = "600/minute",
    workers: Annotated[
        int, typer.Option("--workers", envvar="VERIDICAL_WORKERS", min=1, max=1000, help="Turns at the same time.")
    ] = 64,
    data: options.Data = None,
    verbose: options.Verbose = False,
) -> None:
    """Serve the memory and the agent over HTTP: handles, events, snapshots, chat.

    Tokens come from `veridical token create`. /openapi.json describes every route.
    """
    from ..opening import load_settings

    chosen = _options(
        host, port, without_tokens=without_tokens, retention_days=retention_days, rate=rate, workers=workers
    )
    _serve(load_settings(data), host, port, chosen)


def _options(
    host: str, port: int, *, without_tokens: bool, retention_days: int, rate: str, workers: int
) -> "ServiceOptions":
    from ...memory.errors import BadInput

    try:
        from limits import parse

        from ...service.options import ServiceOptions
    except ModuleNotFoundError as error:
        message = f"The service needs {error.name}, which is not installed: run {_EXTRA}."
        raise BadInput(message) from error
    try:
        parse(rate)
    except ValueError as error:
        message = f"--rate {rate!r} is no rate: write it like 600/minute."
        raise BadInput(message) from error
    if without_tokens and not _is_loopback(host):
        message = f"--without-tokens is for this machine alone and {host} can be reached from others: leave it out."
        raise BadInput(message)
    return ServiceOptions(
        without_tokens=without_tokens, retention=timedelta(days=retention_days), rate=rate, workers=workers
    )


def _serve(settings: "Settings", host: str, port: int, chosen: "ServiceOptions") -> None:
    import uvicorn

    from ...graph.build import build_graph
    from ...graph.checkpointer import open_checkpointer
    from ...graph.logs import write_logs
    from ...service.app import create_app
    from ..opening import open_for, place_of

    # A service tells of its faults in any case, and the server's own log would tell the words of an error.
    write_logs(settings.log or "warning")
    with closing(_listening(host, port)) as listener, open_for(settings, None) as resources:
        checkpointer = open_checkpointer(settings.data_dir, settings.database_url.get_secret_value())
        with closing(checkpointer.conn):
            app = create_app(build_graph(resources, checkpointer=checkpointer), chosen, settings.configurations)
            server = uvicorn.Server(
                uvicorn.Config(
                    app, log_config=None, log_level="warning", server_header=False, timeout_graceful_shutdown=5
                )
            )
            where = listener.getsockname()
            echo(f"Serving {place_of(settings)} on http://{host}:{where[1]} (Ctrl+C stops).", err=True)
            server.run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    """A socket that is bound to the address.

    Raises:
        BadInput: the address is taken, or is none of this machine's.
    """
    from ...memory.errors import BadInput

    bare = host.strip("[]")
    listener = socket.socket(socket.AF_INET6 if ":" in bare else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((bare, port))
    except OSError as error:
        listener.close()
        message = f"{host}:{port} cannot be listened on ({error.strerror}): choose another with --host and --port."
        raise BadInput(message) from error
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
