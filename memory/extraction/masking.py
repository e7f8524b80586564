"""What of a turn's text its speaker did not say: context injected by a host, code, quoted speech of others.

Masked characters become line ends, one for one, so that offsets stay and sentences end there.
"""

import functools
import re

from ..language.folding import fold

_BLOCKS = (
    r"mem_start\b.*?\bmem_end",
    r"\bretrieved_memory\b.*?/retrieved_memory",
    r"```.*?(?:```|\Z)",
    r"<(?P<tag>[a-z][\w:-]*)(?:\s[^<>]*)?>.*?</(?P=tag)\s*>",
    r"<[a-z][\w:-]*(?:\s[^<>]*)?/>",
    r"<!--.*?-->",
    r"\{\s*\"[^{}\"]+\"\s*:[^{}]*(?:\{[^{}]*\}[^{}]*)*\}",
)
_HOST = (
    r"context|system|metadata|meta|environment|env|platform|info|host|device|client|session|runtime|note to assistant|"
    r"instructions?|memory|memories|time ?zone|tz|locale|user[- ]agent|current (?:date|time|datetime)|date ?time|timestamp|"
    r"message[- _]?id|channel|app version|operating system|language setting|location data|"
    r"上下文|系统|环境|平台|元数据|设备|会话|系统提示|时区|当前时间|系统时间|背景信息|运行环境|客户端"
)
_LINES = (
    rf"^[ \t]*\[(?:[\w /-]{{0,20}}\b)?(?:{_HOST})(?![a-z])[^\]\n]*\][^\n]*$",
    rf"^[ \t]*【(?:{_HOST})[^】\n]*】[^\n]*$",
    r"^[ \t]*(?:time ?zone|tz|locale|platform|user[- ]agent|current (?:date|time|datetime)|timestamp|os|device|app version|"
    r"client|conversation id|session id|message id|时区|当前时间|系统时间|平台|设备|客户端)[ \t]*[:=：][^\n]*$",
    r"^[ \t]*(?:assistant|ai|bot|chatgpt|claude|gpt|system|助手|机器人|系统)[ \t]*[:：][^\n]*$",
    r"^[ \t]*>[^\n]*$",
    r"^[ \t]*#{2,}[^\n]*(?:context|memory|memories|instructions?)[^\n]*$",
)
_QUOTED = (r"(?P<open>[\"“”「『])(?P<inner>[^\"“”「」『』\n]{8,}?)[\"”“」』]",)
_FIRST_PERSON = r"\b(?:i|i'm|i've|my|me|we|our)\b|我|咱|俺"
_REPORTED = (
    r"\b(?:you|the assistant|the bot|it|the ai)(?:'ve| have| had| just| once| also| earlier)* "
    r"(?:said|told me|mentioned|claimed|suggested|recommended|wrote|answered|replied|proposed|stated|called me)\b(?:(?!,? (?:but|that's|that is|no,|it's|it is|actually)\b)[^.!?\n])*",
    r"\baccording to (?:you|the assistant)\b[^.!?,\n]*",
    r"(?:你|助手|机器人|ai)(?:刚才|刚刚|之前|上次|昨天|前面|曾经|还|都|也)*(?:说|讲|提到|告诉我|建议|推荐|回答|声称|认为|叫我)过?(?:(?![,，]?\s*(?:不对|错了|但|可是|不过|其实|应该|不是))[^。！？!?\n])*",
)


@functools.cache
def _foreign() -> re.Pattern[str]:
    return re.compile("|".join([*(f"(?s:{block})" for block in _BLOCKS), *_LINES]), re.MULTILINE)


@functools.cache
def _spoken() -> re.Pattern[str]:
    return re.compile("|".join(_REPORTED))


@functools.cache
def _quotation() -> re.Pattern[str]:
    return re.compile(_QUOTED[0])


@functools.cache
def _first_person() -> re.Pattern[str]:
    return re.compile(_FIRST_PERSON)


def mask(text: str) -> str:
    """``text`` folded, with everything blanked that the speaker of the turn does not say in their own name.

    ``len(mask(text)) == len(text)``.
    """
    folded = _foreign().sub(_blank, fold(text))
    folded = _quotation().sub(_blank_speech, folded)
    return _spoken().sub(_blank, folded)


def own_words(text: str) -> str:
    """``text`` unfolded, blanked in the places where :func:`mask` blanks."""
    masked = mask(text)
    return "".join(mine if blank != "\n" else "\n" for mine, blank in zip(text, masked, strict=True))


def _blank(match: re.Match[str]) -> str:
    return "\n" * len(match.group())


def _blank_speech(match: re.Match[str]) -> str:
    """Somebody else's first person is not the speaker's; a quoted title stays."""
    return _blank(match) if _first_person().search(match["inner"]) else match.group()
