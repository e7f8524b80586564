"""What "the second contract" and 那份合同 point to: the question with the name in the place of the pointing words."""

import re

from sqlalchemy import Connection, func, select

from .calibration import wording
from .extraction.subjects import identifier
from .language import resources
from .language.folding import fold
from .records import Language
from .storage.handles import pointed_at
from .storage.states import as_spoken
from .storage.tables import items, turns
from .store import Memory


def spelled_out(memory: Memory, user_id: str, session_id: str, text: str, language: Language, topic: str | None) -> str:
    """The text with what it points to called by its name; as it is where that is not sure.

    Args:
        memory: the user's memory.
        user_id: who asks.
        session_id: the conversation: things are counted in the order in which it named them.
        text: the question.
        language: of the question.
        topic: the entity that was talked about last.
    """
    match = resources.compiled(resources.load("pointing"), language).search(fold(text))
    named = None if match is None else _by_items(memory, user_id, session_id, text, language, topic, match)
    return named or _by_handles(memory, user_id, text, language)


def _by_items(
    memory: Memory,
    user_id: str,
    session_id: str,
    text: str,
    language: Language,
    topic: str | None,
    match: re.Match[str],
) -> str | None:
    """The text with the name of a thing of which something was noted in the conversation."""
    kind = match["kind"] or match["that_kind"]
    with memory.database.read() as connection:
        known = _of_kind(connection, user_id, session_id, kind, language)
    meant = _at(known, match["place"]) if match["place"] else topic if topic in known else None
    return None if meant is None else text[: match.start()] + _called(meant, kind, language) + text[match.end() :]


def _by_handles(memory: Memory, user_id: str, text: str, language: Language) -> str:
    """The text with the name of a document that was given or named, in whichever conversation, or as it is."""
    known = [as_spoken(one) for one in memory.state(user_id).documents]
    found = pointed_at(text, known, language)
    if found is None or not found[1].names:
        return text
    span, meant = found
    # A label is what people say; a mark or a file name is what stands in the records otherwise.
    name = next((one for one in meant.names if " " in one or not one.isascii()), meant.names[0])
    return text[: span.start] + name + text[span.end :]


def _at(known: list[str], place: str) -> str | None:
    """The thing at a place that words name, where there are so many of the kind."""
    number = int(place) if place.isdecimal() else wording.ordinal(place)
    if not number or not known or number > len(known):
        return None
    return known[number - 1 if number > 0 else number]


def _of_kind(connection: Connection, user_id: str, session_id: str, kind: str, language: Language) -> list[str]:
    """The things of a kind that the conversation named, in the order of their first mention."""
    canonical = (identifier(f"{kind} a", language) or kind).partition(":")[0]
    place = (turns.c.user_id == items.c.user_id) & (turns.c.number == items.c.turn)
    statement = select(items.c.entity).select_from(items.join(turns, place)).group_by(items.c.entity)
    statement = statement.where(items.c.user_id == user_id, turns.c.session_id == session_id)
    found = connection.execute(statement.order_by(func.min(items.c.number))).scalars()
    named = re.compile(rf"^{canonical}:|\b{kind}\b" if language == "en" else rf"^{canonical}:|{kind}")
    return [entity for entity in found if named.search(entity)]


def _called(entity: str, kind: str, language: Language) -> str:
    """How people call an entity: ``contract:b`` is "contract B"; a small letter would read as an article."""
    _, colon, number = entity.partition(":")
    if not colon:
        return entity
    number = number.upper() if len(number) == 1 else number
    return f"{kind} {number}" if language == "en" else f"{kind}{number}"
