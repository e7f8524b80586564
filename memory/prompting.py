"""The sections of a prompt: rendered from what is stored, within a budget, and unable to pose as anything else."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ..prompts.tokens import count_tokens
from .language.folding import fold
from .language.guises import defused, visible
from .language.tokens import tokenize
from .records import Language, Reference, Source, Turn
from .storage.states import MemoryState

EVIDENCE_BUDGET = 1500
RECENT_BUDGET = 800
STATE_BUDGET = 1200
TURNS_BUDGET = 3000
"""Tokens of each section."""
_HISTORY_TURNS = 3
_HISTORY_LENGTH = 50

_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_QUOTES = str.maketrans({'"': "”"})
_SIGNS = str.maketrans('"()[]:/', "”（）【】：／")
_LONGEST_NAME = 80
_NAMED: dict[str, Source] = {"user": "user_input", "assistant": "ai_generated"}
_CUT = {"en": "(cut: {} more)", "zh": "（已截断：还有 {} 条）"}


def harmless(text: str) -> str:
    """Stored text as one line in which no delimiter of a prompt is whole: it reads, but opens and ends nothing.

    What nobody sees is left out: a model would read it.
    """
    return defused(visible(_BREAKS.sub(" ⏎ ", text)).replace("\t", " "))


def dated_lines(turns: Iterable[Turn], time_zone: str, language: Language, *, budget: int) -> str:
    """Turns as dated lines ``[t12] 2026-03-02 09:00 user: "..."``, oldest first, as many of the last as fit.

    A clause stands behind what it is: ``- [CONTRACT_A_v2.1] CONTRACT_PAYMENT_5.2 (payment_term): "..." [c5] ...``.
    """
    lines = [_line(turn, time_zone) for turn in sorted(turns, key=lambda turn: (turn.observed_at, turn.number))]
    return _within(lines, language, budget)


def state_section(state: MemoryState, language: Language) -> str:
    """MEMORY_STATE as JSON, the oldest facts left out where it would not fit."""
    text, dropped = _state_json(state), 0
    while count_tokens(text) > STATE_BUDGET and dropped < len(state.current_facts):
        dropped += 1
        text = _state_json(state.model_copy(update={"current_facts": state.current_facts[dropped:]}))
    return f"{text}\n{_CUT[language].format(dropped)}" if dropped else text


def _state_json(state: MemoryState) -> str:
    # JSON escapes line breaks by itself; the tags are what is left to defuse.
    return harmless(state.model_dump_json(exclude_none=True, exclude={"last_updated"}))


def history_line(turns: Sequence[Turn], language: Language) -> str:
    """The last three turns in at most 50 words, or 50 Chinese characters, cut evenly."""
    last = turns[-_HISTORY_TURNS:]
    share = _HISTORY_LENGTH // max(1, len(last))
    return " / ".join(_opening(turn, share) for turn in last)


def _opening(turn: Turn, most: int) -> str:
    tokens = tokenize(turn.text)
    # The speaker is a word too.
    words = tokens[: max(1, most - 1)]
    cut = turn.text[: words[-1].end] + ("…" if len(words) < len(tokens) else "") if words else turn.text
    return f"{_voice(turn)}: {_quoted(cut)}"


def _line(turn: Turn, time_zone: str) -> str:
    said = _moment(turn.observed_at, time_zone)
    if isinstance(turn, Reference) and turn.clause:
        return f"- {harmless(turn.clause).translate(_QUOTES)}: {_quoted(turn.text)} [{turn.id}] {said}"
    return f"[{turn.id}] {said} {_name(turn.speaker)} ({turn.source}): {_quoted(turn.text)}"


def _quoted(text: str) -> str:
    return f'"{harmless(text).translate(_QUOTES)}"'


def _name(speaker: str) -> str:
    """A name that a file or a service gave: short, and without what sets names, sources and words apart."""
    return harmless(speaker).translate(_SIGNS)[:_LONGEST_NAME]


def _voice(turn: Turn) -> str:
    """Who speaks; with the channel where the name is another's."""
    name = _name(turn.speaker)
    return name if _NAMED.get(fold(name).strip(), turn.source) == turn.source else f"{name} ({turn.source})"


def _moment(moment: datetime, time_zone: str) -> str:
    return moment.astimezone(ZoneInfo(time_zone)).strftime("%Y-%m-%d %H:%M")


def _within(lines: Sequence[str], language: Language, budget: int) -> str:
    """As many of the last lines as fit, with a line that says how many do not."""
    left, shown = budget, 0
    for line in reversed(lines):
        left -= count_tokens(line) + 1
        if left < 0:
            break
        shown += 1
    kept = list(lines[len(lines) - shown :])
    return "\n".join(kept if shown == len(lines) else [_CUT[language].format(len(lines) - shown), *kept])
