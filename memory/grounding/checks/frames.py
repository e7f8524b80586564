"""Frames of a statement: "On 2 March you said that ...", 您提到过……, "..., as Dana told you"."""

import functools
import re
from dataclasses import dataclass

from ...language.folding import fold
from ...records import Span, Turn
from . import vocabulary
from .reading import Reading
from .roles import USER, Frame


@dataclass(frozen=True, slots=True)
class Framed:
    """A statement taken apart: who is said to have said it, and what."""

    frame: Frame | None
    span: Span
    """Where the frame stands; empty where there is none."""


@functools.cache
def _pattern() -> re.Pattern[str]:
    entry = vocabulary.table()["saying"]
    english = (
        rf"(?:(?P<user>{entry['user']})|(?P<assistant>{entry['assistant']})(?:\s?\([^)]*\))?|(?P<name>[a-z][\w.-]*))"
        rf"(?:\s(?:had|have|has|also|already|once|just|previously|earlier|first|then|clearly|explicitly))*"
        rf"\s(?:{entry['verbs']})\b(?:\s(?:to\s)?(?:me|us|you|them|him|her))?"
    )
    chinese = (
        rf"(?:(?P<user_zh>您|你|用户)|(?P<assistant_zh>我|助手|助理)(?:（[^）]*）|\([^)]*\))?|"
        r"(?P<name_zh>[\u3400-\u9fff]{2,4}?|(?<![a-z0-9_])[a-z][a-z0-9_.-]*))"
        rf"(?:曾经|曾|刚才|刚刚|之前|以前|也|还|当时|明确|先)*(?:对我|跟我|向我|和我|给我)?(?:{entry['verbs_zh']})(?:了|过)?(?:我|你|您)?"
    )
    return re.compile(rf"(?<![a-z])(?:{english})|(?:{chinese})")


@functools.cache
def _tail() -> re.Pattern[str]:
    """What may stand between the verb and what was said."""
    return re.compile(
        r"\s*(?:(?:on|in|at)\b)?\s*(?:(?:that|whether|if|about)\b|:|,)?\s*[:：,，]?\s*(?:道|到)?\s*[:：,，]?"
    )


def framed(claim: Reading) -> Framed:
    """Find the frame of a statement: at its beginning, where only a time may stand before it, or behind "as"."""
    folded = fold(claim.text)
    for match in _pattern().finditer(folded):
        lead = _blank_times(claim, 0, match.start())
        if _is_opening(lead):
            return Framed(_frame(match), Span(0, _end_of(claim, match.end())))
        if lead.rstrip().endswith(("as", "like", "正如", "如", "what", "which", "that")):
            start = max(folded.rfind(",", 0, match.start()), folded.rfind("，", 0, match.start()))
            if start >= 0 or lead.strip() in {"as", "like", "正如", "如"}:
                return Framed(_frame(match), Span(max(0, start), _end_of(claim, match.end())))
    return Framed(None, Span(0, 0))


def reports(turn: Turn, name: str) -> bool:
    """Whether a turn tells that somebody said something. The user's "my mother" is "your mother" in an answer."""
    folded = fold(turn.text)
    bare = name.lstrip("您你我的")
    said = [match["name"] or match["name_zh"] or "" for match in _pattern().finditer(folded)]
    return any(one.endswith(bare) for one in said) or f"{name}:" in folded


def _blank_times(claim: Reading, start: int, end: int) -> str:
    rest = list(claim.folded)
    for time in claim.times:
        rest[time.span.start : time.span.end] = " " * (time.span.end - time.span.start)
    return "".join(rest)[start:end]


@functools.cache
def _openings() -> re.Pattern[str]:
    return re.compile(
        r"[\s,，;；:：.。(（-]*(?:(?:on|in|at|and|but|also|then|later|the|according|to|what|as|earlier|previously|"
        r"yes|since|because|from|records?|conversation)\b[\s,]*|根据|记录|在|于|那天|当天|后来|然后|而|另外|对话|中|，|,)*[\s,，;；:：]*"
    )


def _is_opening(lead: str) -> bool:
    return _openings().fullmatch(lead) is not None


def _end_of(claim: Reading, end: int) -> int:
    """Where a frame ends: behind the verb, a time that follows it at once, and "that"."""
    match = _tail().match(claim.folded, end)
    after = match.end() if match else end
    for time in claim.times:
        if end <= time.span.start <= after and not claim.folded[after : time.span.start].strip():
            following = _tail().match(claim.folded, time.span.end)
            return following.end() if following and following.end() > time.span.end else end
    return after


def _frame(match: re.Match[str]) -> Frame | None:
    verb = match.group()
    by_user = match["user"] or match["user_zh"]
    by_assistant = match["assistant"] or match["assistant_zh"]
    speaker = USER if by_user else "assistant" if by_assistant else match["name"] or match["name_zh"]
    if speaker in vocabulary.words("records"):
        return None
    return Frame(
        speaker,
        asked=vocabulary.pattern("asking").search(verb) is not None and not _requests(match),
        advised=vocabulary.pattern("advising").search(verb) is not None,
    )


def _requests(match: re.Match[str]) -> bool:
    """Whether somebody is asked to do something, or for something, which is no question."""
    return re.match(r"\s*(?:(?:me|you|us|him|her|them)\s)?(?:to|for)\b", match.string[match.end() :]) is not None
