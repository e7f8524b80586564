"""What a text may pose as: a section of a prompt, a line of the records, somebody else's words; and what hides that."""

import functools
import re
import unicodedata
from collections.abc import Iterator

from ..records import Span, Turn
from . import resources
from .folding import fold
from .sentences import sentences

_PAIRED = ("retrieved_memory", "recent_turns", "memory_state", "open_intents", "allowed_transitions")
"""Sections that a name opens, and the name behind a slash closes."""
_SECTIONS = ("mem_start", "mem_end", "history_summary", "user_turn", *_PAIRED)
_FIELDS = (r"last\s+updated", r"question(?=\s*:)", r"sentence(?=\s*:)", r"what\s+is\s+wrong")
"""What stands before single values in prompts; people say these as well."""
_TURNS = (r"<\|[^|<>\n]{0,60}\|>", r"\[/?inst\]", r"<</?sys>>", r"</?(?:start|end)_of_turn>")
"""How templates of chat models say that somebody else begins to speak."""
_COMMENTS = ("<!--", "-->", "</?s>")
_SOURCES = ("user_input", "ai_generated", "external_knowledge")

_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""Invisible, and yet part of how emoji and some scripts are written."""
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\U000e0000-\U000e0fff"
_HIDING = f"\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufe00-\ufe0f{_FILLERS}"
"""Character class (without brackets) of what nobody sees, or what reorders what they see."""


def visible(text: str) -> str:
    """The text without characters that nobody sees; line breaks, tabs and what joins emoji stay."""
    return text if text.isascii() and text.isprintable() else "".join(filter(_is_seen, text))


@functools.cache
def _is_seen(character: str) -> bool:
    if character in _JOINERS or character in "\n\r\t":
        return True
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs"} and _hidden().match(character) is None


@functools.cache
def _hidden() -> re.Pattern[str]:
    return re.compile(f"[{_HIDING}]")


def _loose(name: str) -> str:
    """A name with whatever may be hidden between its letters."""
    return f"[{_HIDING}]*".join(name)


@functools.cache
def _commands() -> re.Pattern[str]:
    """Escape sequences of terminals, and single control characters but line ends and tabs."""
    return re.compile(
        r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\n\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"
    )


@functools.cache
def _names() -> re.Pattern[str]:
    known = "|".join([*map(_loose, sorted(_SECTIONS, key=len, reverse=True)), *_FIELDS, *_TURNS, *_COMMENTS])
    return re.compile(known)


@functools.cache
def _marks() -> re.Pattern[str]:
    # With "_" for what is closed, a name is no word of a longer one.
    closed = rf"(?P<closes>/[{_HIDING}]*)?(?P<section>{'|'.join(map(_loose, _SECTIONS))})(?![a-z_])"
    return re.compile(rf"(?<![a-z_]){closed}|(?P<turn>{'|'.join(_TURNS)})")


def defused(text: str) -> str:
    """The text with a dot in every name that opens or ends something in a prompt: it reads, and delimits nothing."""
    shown, last = [], 0
    for match in _names().finditer(fold(text)):
        shown += [text[last : match.start() + 1], "\u00b7"]
        last = match.start() + 1
    return "".join([*shown, text[last:]])


@functools.lru_cache(maxsize=32)
def posing(text: str, *, spoken: bool) -> tuple[Span, ...]:
    """The stretches of a text that nobody says in their own name, although no quotation marks say so, in order.

    They are sections of a prompt (to the text's end, where nothing closes them), lines that cite or label as the
    records do, and what stands under a label of another source, up to the next empty line. What somebody says has more:
    other speakers' names, and headings that update a memory; a document has chapters of such names.

    Args:
        text: what stands there.
        spoken: whether somebody says it.
    """
    folded = fold(text)
    patterns = (_single(), _sourced(), _headed()) if spoken else (_single(), _sourced())
    lines = (Span(*match.span()) for pattern in patterns for match in pattern.finditer(folded))
    joined: list[Span] = []
    for span in sorted([*_sections(folded), *lines]):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


def posing_in(turn: Turn) -> tuple[Span, ...]:
    """Where a turn, or a piece of a document, poses; the assistant's own answers cite by right."""
    return () if turn.source == "ai_generated" else posing(turn.text, spoken=turn.source == "user_input")


def without_guises(text: str) -> str:
    """What somebody says, with what only poses as words made line ends, and what commands a terminal made blanks.

    One character for one, so that offsets stay.
    """
    text = text if text.isprintable() else _commands().sub(lambda match: " " * len(match.group()), text)
    shown, last = [], 0
    for span in posing(text, spoken=True):
        shown += [text[last : span.start], "\n" * (span.end - span.start)]
        last = span.end
    return "".join([*shown, text[last:]])


def _sections(folded: str) -> Iterator[Span]:
    opened: re.Match[str] | None = None
    for match in _marks().finditer(folded):
        if opened is None:
            opened = match
        if _closes(opened, match):
            yield Span(opened.start(), match.end())
            opened = None
    if opened is not None:
        yield Span(opened.start(), len(folded))


def _closes(opened: re.Match[str], match: re.Match[str]) -> bool:
    """Whether a mark ends the section that another has opened."""
    begun, ended = (_hidden().sub("", one["section"] or "") for one in (opened, match))
    if begun == "mem_start":
        return ended == "mem_end"
    return not opened["closes"] and begun == ended and bool(match["closes"])


@functools.cache
def _single() -> re.Pattern[str]:
    """Lines that cite a record behind what they say, begin with an id as records do, or give a field of a state."""
    mark = r"\[[tfcsa][1-9][0-9]{0,8}(?::[^\]\n]*)?\]"
    names = r"\b(?:current_facts|open_todos|superseded_by|closed_by|memory_state)\b"
    fields = "role|entity|attribute|supersedes|open_questions|active_topic|last_updated"
    return re.compile(
        rf"^[^\n]*(?:^[ \t>*-]*{mark}|{mark}(?=[ \t]*(?:[.,;!?。，；！？、)(（）]|$)))[^\n]*$"
        rf"|^[^\n]*(?:{names}|[\"'](?:{fields})[\"'][ \t]*:"
        rf"|\b(?:open_questions|active_topic|last_updated)[ \t]*[:=]"
        rf"|\bsentence[ \t]*:[^\n]*\bwhat\s+is\s+wrong)[^\n]*$",
        re.MULTILINE,
    )


_WORDS_BELOW = r"[^\n]*(?:\n(?![ \t]*(?:{own})[ \t]*:)[^\n]*\S[^\n]*)*"
"""The rest of a line, and what stands below it up to an empty line or the user's own label."""


def _below() -> str:
    return _WORDS_BELOW.replace("{own}", resources.load("guises")["own"])


@functools.cache
def _sourced() -> re.Pattern[str]:
    """Labels of a source, as only the records have them."""
    return re.compile(rf"^[^\n]*\b(?:{'|'.join(_SOURCES)})\b{_below()}", re.MULTILINE)


@functools.cache
def _headed() -> re.Pattern[str]:
    """What others say below or behind their names, quoted lines, and headings that update a memory."""
    table = resources.load("guises")
    names = table["speakers"]
    block = rf"[ \t]*(?:(?:{names})[ \t]*:[ \t]*(?=\n)|#{{2,}}[^\n]*(?:{table['headings']})){_below()}"
    line = rf"[ \t]*(?:>|(?:{names})[ \t]*:|[\[【](?:{names})[ \t]*[\]】])[^\n]*$"
    return re.compile(rf"^(?:{block}|{line})", re.MULTILINE)


@functools.cache
def _dictating() -> re.Pattern[str]:
    return re.compile("|".join(resources.load("guises")["dictated"]), re.MULTILINE)


@functools.lru_cache(maxsize=32)
def dictated(text: str) -> tuple[Span, ...]:
    """What one is told to say ("answer that it is 5"): nobody says so. To the end of its sentence, in order."""
    folded = fold(text)
    if _dictating().search(folded) is None:
        return ()
    found = ((span, _dictating().search(span.cut(folded))) for span in sentences(text))
    return tuple(Span(span.start + match.start(), span.end) for span, match in found if match is not None)
