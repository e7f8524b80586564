"""Questions, kept as questions: to ask about A, B and C is to ask three things, and to prefer none of them."""

import re

from ..language.lexicon import cue
from ..language.tokens import content_stems
from ..records import Span
from .drafts import Draft
from .patterns import pattern, words
from .quoting import Quoted
from .reading import Clause, Reading

_LONGEST = 400


def find_questions(reading: Reading) -> list[Draft]:
    """What the turn asks, one question for each thing that is asked about."""
    return [draft for index in range(len(reading.sentences)) for draft in _asked_in(index, reading)]


def _asked_in(index: int, reading: Reading) -> list[Draft]:
    asking = [clause for clause in reading.clauses if clause.sentence == index and clause.question]
    if not asking or _is_tag_only(asking):
        return []
    span = Span(asking[0].span.start, reading.sentences[index].end)
    text = span.cut(reading.folded)
    if len(text) > _LONGEST or _is_small_talk(text):
        return []
    whole = Clause(text, span, index, asking[0].language, question=True, hypothetical=False)
    members = [Span(span.start + start, span.start + end) for start, end in _members(text)]
    return [_question(whole, member, reading) for member in members or [_trimmed(span, reading)]]


def _question(clause: Clause, span: Span, reading: Reading) -> Draft:
    text = span.cut(reading.folded)
    topic = "_".join(content_stems(text)[:4]) or re.sub(r"\W+", "_", text).strip("_")
    return Draft(clause, reading.speaker, topic, Quoted(span, " ".join(text.split())), kind="question")


def _trimmed(span: Span, reading: Reading) -> Span:
    text = span.cut(reading.words)
    lead = len(text) - len(text.lstrip())
    return Span(span.start + lead, span.start + len(text.rstrip()))


def _is_tag_only(asking: list[Clause]) -> bool:
    return all(pattern(clause.language, "tag").fullmatch(clause.text) for clause in asking)


def _is_small_talk(text: str) -> bool:
    bare = text.strip(" ?？。.!！~")
    small = cue(text, "small_talk")
    covered = sum(span.end - span.start for span in small)
    return (bool(small) and covered * 2 >= len(bare)) or len(bare) < 2


def _members(text: str) -> list[tuple[int, int]]:
    """Where the members of an enumeration stand, if the question is about several things."""
    match = pattern("both", "enumeration").search(text)
    if match is None:
        return []
    name = "en" if match["en"] else "zh"
    start, end = match.span(name)
    pieces = []
    position = start
    for cut in re.finditer(r",? (?:and|or) |, |、|,|，|/|以及|或者?|还是|和|与", text[start:end]):
        pieces.append((position, start + cut.start()))
        position = start + cut.end()
    pieces.append((position, end))
    bare = [_bare(text, a, b, name) for a, b in pieces]
    members = [
        (a, b)
        for a, b in bare
        if text[a:b].strip() and text[a:b] not in (words("en", "no_members") | words("zh", "no_members"))
    ]
    return members if len(members) > 1 else []


def _bare(text: str, start: int, end: int, name: str) -> tuple[int, int]:
    """A member without the words of the question before the first and after the last one."""
    piece = text[start:end]
    if name == "en":
        lead = pattern("en", "question_lead").match(piece)
        shorter = re.sub(
            r" (?:cost|costs|compare|differ|mean|good|better|best|work|worth|available|each|then|please)\b.*$",
            "",
            piece,
        )
        return start + (lead.end() if lead and lead.end() < len(piece) else 0), start + len(shorter)
    lead = re.match(r"(?:请问|我想问一?下?|问一下|想了解一?下?|想问|关于|对比|比较|你觉得|帮我看看|选|在)+", piece)
    tail = pattern("zh", "question_tail").search(piece, 1)
    return start + (lead.end() if lead and lead.end() < len(piece) else 0), start + (
        tail.start() if tail else len(piece)
    )
