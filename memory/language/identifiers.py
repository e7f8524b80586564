"""Names made of letters and digits: contacts, order numbers, document ids, field names, versions."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..records import Span


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier-like value of a text with its form for comparing."""

    kind: Literal["identifier", "phone", "email", "url", "version"]
    span: Span
    normal: str


@functools.cache
def _contact_patterns() -> tuple[tuple[Literal["identifier", "phone", "email", "url"], re.Pattern[str]], ...]:
    word = r"[a-z0-9]"
    return (
        ("email", re.compile(rf"(?<![a-z0-9._%+-]){word}[a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{{2,}}")),
        ("url", re.compile(r"(?:https?|ftp)://[\x21-\x7e]+|(?<![\w.@-])www\.[\x21-\x7e]+|(?<![\w.@/-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|cn|dev|ai|edu|gov|co|app|me)(?:/[\x21-\x7e]*|(?![\w.-]))")),
        ("identifier", re.compile(r"(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\d.])|(?<!\d)\d{17}[\dx](?!\w)")),
        ("phone", re.compile(
            r"(?<![\w+])(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?![\d-])"
            r"|(?<![\w])\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}(?!\d)"
            r"|(?<![\w-])(?:\(\d{3}\)\s?|\d{3}[-.\s])\d{3}[-.\s]\d{4}(?![\w-])"
            r"|(?<![\w-])(?:0\d{2,3}[- ]\d{7,8}|[48]00-\d{3,4}-\d{3,4})(?![\w-])"
            r"|(?:(?<=phone )|(?<=call )|(?<=number )|(?<=is )|(?<=at )|(?<=电话)|(?<=电话是)|(?<=号码是))\d{3}-\d{4}(?![\w-])"
        )),
    )  # fmt: skip


def find_contacts(folded: str) -> Iterator[Name]:
    """E-mail addresses, URLs, unique ids, IP addresses and phone numbers of a folded text, in this order of precedence."""
    for kind, pattern in _contact_patterns():
        for match in pattern.finditer(folded):
            start, end = match.span()
            if kind == "url":
                end = start + len(match.group().rstrip(".,;:!?)]}'\"<>"))
            piece = folded[start:end]
            yield Name(kind, Span(start, end), _normal(kind, piece))


def _normal(kind: str, piece: str) -> str:
    if kind == "phone":
        digits = re.sub(r"\D", "", piece)
        return digits[2:] if len(digits) == 13 and digits.startswith("861") else digits
    return piece.upper() if kind == "identifier" else piece


_NOUNS = (
    r"order|invoice|ticket|case|contract|issue|bug|pr|po|account|room|flight|tracking|shipment|ref|reference|booking|reservation|confirmation|"
    r"member(?:ship)?|customer|employee|student|patient|document|doc|serial|model|batch|policy|passport|licen[sc]e|plate|card|unit|gate|clause|article|section"
)
_NOUNS_ZH = (
    r"订单|运单|快递单|单据|编号|合同|工单|发票|房间|航班|车次|尾号|学号|工号|卡号|车牌|证号|身份证|账号|账户|帐号|流水|案号|案件|保单|会员|病历|档案|文档|文件|批次|"
    r"序列|型号|单号|房号|票号|护照|门牌|代码"
)


@functools.cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    body = r"[a-z0-9]+(?:[-_./][a-z0-9]+)*"
    return (
        re.compile(rf"#\s?(?P<id>(?=[a-z_-]*\d){body}|[a-z]+[-_][a-z0-9_-]+)"),
        re.compile(
            rf"\b(?:{_NOUNS})(?P<n>\s?(?:no\.?|number|num|id|code|#))?\s?(?P<is>(?:\s?(?:is|was|:|=|to|changed to))*)\s?#?(?P<id>(?=[a-z_-]*\d){body})(?![\w%])"
            rf"|(?:{_NOUNS_ZH})(?P<n2>号码|编号|代码|号|id)?\s?(?:(?:是|为|:|=|改成|改为|叫)\s?)*#?(?P<id2>(?=[a-z_-]*\d){body})(?![\w%]*[%元年月天])"
        ),
        re.compile(r"(?<![\w.])(?P<id>v(?:er(?:sion)?)?[. ]?\d+(?:\.\d+){0,3}(?:-?(?:alpha|beta|rc)\.?\d*)?)(?![\w]|\.\d)|\b(?:version|release|版本号?)\s?(?:is |是|为|:)?\s?(?P<id2>\d+(?:\.\d+){0,3})(?!\w)|版本号?(?:是|为|:)?\s?(?P<id3>\d+(?:\.\d+)*)|(?<![\w.,])(?P<id4>\d+\.\d+\.\d+)(?![\w.]*\w)"),
        re.compile(r"(?<![\w@./-])(?P<id>(?=[\w-]*[a-z])(?=[\w-]*\d)[a-z0-9]+(?:[-_.][a-z0-9]+)*)(?![\w@])|(?<=[\u4e00-\u9fff])(?P<id2>[a-z]{1,6}[-_]?\d[a-z0-9]*(?:[-_.][a-z0-9]+)*)(?![a-z0-9_@])"),
        re.compile(r"(?<![\w@.])(?P<id>[a-z][a-z0-9]*(?:_[a-z0-9.]*[a-z0-9])+)(?![\w@])"),
        re.compile(r"(?P<id>[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][a-z]·?[a-z0-9]{5,6})(?![a-z0-9])"),
        re.compile(r"(?<![\w.,-])(?P<id>\d{11,})(?![\w.,-])"),
    )  # fmt: skip


def find_identifiers(text: str, folded: str) -> Iterator[Name]:
    """Identifiers and versions of a text (``folded`` is its folding): what is written as a name, not as an amount.

    ``#12345``, "order 12345", 订单号12345, ABC123, INV-2024-001, CONTRACT_PAYMENT_5.2, field_names, 粤B12345, v2.1.
    """
    tagged, named, version, mixed, snake, plate, long = _patterns()
    for match in tagged.finditer(folded):
        yield _name(match.start(), match.end(), folded)
    for match in plate.finditer(folded):
        yield _name(match.start(), match.end(), folded)
    for match in named.finditer(folded):
        group = "id" if match["id"] else "id2"
        if _is_named(folded, match, match[group]):
            yield _name(match.start(group), match.end(group), folded)
    for match in version.finditer(folded):
        group = next(name for name in ("id", "id2", "id3", "id4") if match[name])
        start, end = match.span(group)
        yield Name("version", Span(start, end), re.sub(r"^v(?:er(?:sion)?)?[. ]?", "", folded[start:end]))
    for match in mixed.finditer(folded):
        group = "id" if match["id"] else "id2"
        if _is_mixed_id(text[match.start(group) : match.end(group)]):
            yield _name(match.start(group), match.end(group), folded)
    for pattern in (snake, long):
        for match in pattern.finditer(folded):
            yield _name(match.start("id"), match.end("id"), folded)


def _name(start: int, end: int, folded: str) -> Name:
    return Name("identifier", Span(start, end), folded[start:end].lstrip("# ").upper())


def _is_named(folded: str, match: re.Match[str], body: str) -> bool:
    """ "order 12345" names one, "order 3 pizzas" and "I want to order 2000 bricks" do not."""
    if match["id2"]:
        return len(body) > 1 or bool(match["n2"])
    if match["n"] or not body.isdigit():
        return not re.fullmatch(r"\d+(?:st|nd|rd|th|k|m|pm|am|kg|g|cm|mm)", body) and not (match["is"] and not match["n"] and body.isdigit())
    verb = re.search(r"\b(?:to|can|will|would|should|could|i|we|they|you|let's|please|and|in)\s$", folded[: match.start()])
    noun = re.match(r"\s?[a-z]{3,}s\b", folded[match.end() :])
    return len(body) >= 2 and not verb and not noun and not match["is"]


_ORDINARY = re.compile(
    r"\d+(?:st|nd|rd|th|s|k|m|w|b|g|l|x|am|pm|kg|km|cm|mm|ml|mg|lb|lbs|oz|ft|in|min|mins|hr|hrs|h|d|gb|mb|tb|kb|ms|ghz|mmhg|mmol|kcal|mi|bn|mn|usd|rmb|cny|eur|fold|day|year|week|"
    r"month|hour|minute)(?:[-_.].*)?|(?:q[1-4]|h[12]|fy\d+)|v\d+(?:\.\d+)*|\d+-[a-z]+(?:-[a-z]+)*|(?:rmb|usd|cny|eur|gbp|hkd|jpy)\d+.*|\d+[a-z]{0,2}\d*:?|(?:19|20)\d\d-[a-z]+|.*'.*",
    re.IGNORECASE,
)


def _is_mixed_id(written: str) -> bool:
    """Letters and digits together are an id when they look made up: capitals, a joiner, or several digits."""
    if _ORDINARY.fullmatch(written):
        return False
    digits = sum(character.isdigit() for character in written)
    capital = any(character.isupper() for character in written)
    joined = any(mark in written for mark in "-_")
    return capital or digits >= 3 or (joined and digits >= 1) or written[0].isalpha()
