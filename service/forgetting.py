"""Forgetting over HTTP: what is meant, what would go, and how a conversation with the agent asks for it."""

from typing import Any

from ..graph.threads import open_threads
from ..memory.errors import BadInput
from ..memory.forgetting import Preview, What
from ..memory.forgetting.dialogue import Reply, asked, settled
from ..memory.language.folding import clean
from ..nodes.contract import Resources
from .documents import Forgetting, Json, Message, turn_json
from .identity import Caller

MODE = "forgetting"
"""In ``done``: what was said to a line about forgetting comes from no record."""


def what_of(body: Forgetting) -> What:
    """What a request means.

    Raises:
        BadInput: it names nothing, or names something beside everything.
    """
    if (body.kind == "all") == bool(body.names):
        message = "Name what to forget in `names`; the kind `all` takes none."
        raise BadInput(message)
    return What(body.kind, tuple(clean(name).strip() for name in body.names))


def preview_json(planned: Preview) -> Json:
    """What a forgetting would take."""
    return {
        "turns": [turn_json(turn) for turn in planned.chosen],
        "echoes": [turn_json(turn) for turn in planned.echoes],
        "items": planned.items,
        "documents": planned.documents,
    }


def reply_about_forgetting(has: Resources, who: Caller, session: str, said: Message) -> Reply | None:
    """What to say to a message that asks to forget, or that answers such a question; ``None`` to any other.

    Which question it answers the message tells itself, so that any instance of the service may take it.

    Raises:
        NotFound: it names a turn that there never was.
    """
    memory, language = has.memory, said.language
    if said.forgetting is not None:
        what = what_of(said.forgetting)
        by: dict[str, Any] = {"language": language, "terminal": who.terminal, "now": has.clock()}
        with open_threads(memory) as threads:
            reply = settled(memory, threads, who.user_id, what, said.message, **by)
        if reply is not None:
            return reply
    return asked(memory, who.user_id, session, said.message, language)


def events_of(reply: Reply) -> list[tuple[str, Json]]:
    """A reply as the stream of a turn tells it: what is offered or done, the words for it, and the end."""
    told: list[tuple[str, Json]] = []
    if reply.offered is not None:
        what = reply.offered.what
        told.append(("forget", {"kind": what.kind, "names": list(what.names), **preview_json(reply.offered)}))
    if reply.report is not None:
        told.append(("forgotten", reply.report.document()))
    return [
        *told,
        ("sentence", {"text": reply.text, "claims": [], "citations": []}),
        ("done", {"answer_id": None, "text": reply.text, "abstained": False, "mode": MODE}),
    ]
