"""Forgetting in a conversation: "forget that" is answered by a question, and only a yes to it forgets.

Nothing of it is recorded: the question quotes what is to go.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ...prompts.library import load
from ..extraction import Surroundings, extract
from ..language.folding import detect_language
from ..records import Language
from ..storage.intents import open_intents, steps_of
from ..storage.items import LiveItemsIn
from ..storage.turns import get_turns, recent_turns
from ..store import Memory
from .forget import Threads, forget, preview
from .report import Forgotten, Preview
from .request import Topic, What, asked_to_forget, says_no, says_yes, topic_to_forget
from .topics import turns_about

_LONGEST = 300
_AROUND = 6
"""Turns before a line that it is read with, as it would be if it were recorded."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a line that is about forgetting."""

    text: str
    language: Language
    offered: Preview | None = None
    """What a yes to it forgets."""
    report: Forgotten | None = None
    """What has been forgotten."""


def asked(memory: Memory, user_id: str, session_id: str, line: str, language: Language | None = None) -> Reply | None:
    """What to say to "forget that", "forget t12" or "forget the rent": a question that shows what would go.

    Returns:
        ``None`` to other lines.

    Raises:
        NotFound: the line names a turn that there never was.
    """
    named = asked_to_forget(line)
    topic = topic_to_forget(line) if named is None else None
    if named is None and topic is None:
        return None
    spoken = language or detect_language(line)
    if topic is None:
        meant = named or _last_said(memory, user_id, session_id)
    else:
        about = _said_about(memory, user_id, session_id, topic, line)
        if about is None or not (about or topic.sure or topic.own):
            return None
        meant = about
    planned = preview(memory, user_id, What("turn", meant)) if meant else None
    if planned is None or not planned.turns:
        return Reply(_text("forget_nothing", spoken), spoken)
    listed = [{"id": turn.id, "text": _brief(turn.text)} for turn in planned.chosen]
    text = _text("forget_ask", spoken, turns=listed, echoes=[turn.id for turn in planned.echoes])
    return Reply(text, spoken, offered=planned)


def settled(
    memory: Memory,
    checkpoints: Threads | None,
    user_id: str,
    offered: What,
    line: str,
    *,
    language: Language | None = None,
    terminal: str = "",
    now: datetime,
) -> Reply | None:
    """Forget what was offered if the line says yes, keep it if it says no; ``None`` where it speaks of something else.

    Args:
        memory: the open memory.
        checkpoints: where the threads are kept; ``None`` where there are none.
        user_id: who speaks.
        offered: what the question was about.
        line: what they say to it.
        language: of the reply; by default the line's.
        terminal: where they say it.
        now: the time of the forgetting.
    """
    spoken = language or detect_language(line)
    if says_no(line):
        return Reply(_text("forget_kept", spoken), spoken)
    if not says_yes(line):
        return None
    report = forget(memory, checkpoints, user_id, offered, terminal=terminal, now=now)
    # A yes that is said again finds nothing left to forget.
    told = {"turns": list(report.turns or offered.names), "files": len(report.scanned)}
    return Reply(_text("forget_done" if report.clean else "forget_left", spoken, **told), spoken, report=report)


def _last_said(memory: Memory, user_id: str, session_id: str) -> tuple[str, ...]:
    """Ids of what "that" means: the turns that the last answer quoted, or what was told last."""
    recent = memory.recent(user_id, session_id, 2)
    told = [turn for turn in recent if turn.role == "user"]
    if not told:
        return ()
    answer = recent[-1]
    cited = tuple(one for one in answer.citations if one.startswith("t"))
    return cited if told[-1].act == "question" and answer.role == "assistant" and cited else (told[-1].id,)


def _said_about(memory: Memory, user_id: str, session_id: str, topic: Topic, line: str) -> tuple[str, ...] | None:
    """Ids of the turns that say something of a topic; ``None`` where the line may as well drop a plan."""
    with memory.database.read() as connection:
        found = turns_about(connection, user_id, topic.words)
        if not topic.sure and _drops_a_plan(connection, user_id, session_id, found, line):
            return None
    return tuple(f"t{number}" for number in found)


def _drops_a_plan(connection: Connection, user_id: str, session_id: str, about: Collection[int], line: str) -> bool:
    """Whether a line takes back something that is to be done, or an errand that those turns moved."""
    errands = [one.number for one in open_intents(connection, user_id)]
    if any(step.turn in about for steps in steps_of(connection, user_id, errands).values() for step in steps):
        return True
    previous = recent_turns(connection, user_id, _AROUND, session_id=session_id)
    last = next(iter(previous or get_turns(connection, user_id, about).values()), None)
    if last is None:
        return False
    said = replace(last, number=0, role="user", source="user_input", speaker=user_id, text=line, citations=())
    proposals = extract(said, Surroundings(previous, LiveItemsIn(connection, user_id)))
    return any(proposal.targets for proposal in proposals)


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _text(part: str, language: Language, **forgetting: Any) -> str:
    return load("chat_texts", language).render(part=part, due=0, open=0, forgetting=forgetting)
