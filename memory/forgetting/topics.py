"""The user's turns that say something of what a line names: "forget the rent", 把打印机的事删掉."""

import re
from collections.abc import Sequence

from sqlalchemy import Connection, select

from ..extraction.subjects import named
from ..language.folding import fold
from ..language.lexicon import attribute_key, of_relative
from ..language.sentences import sentences
from ..language.tokens import content_words
from ..storage.tables import items, turns

_OWNED = re.compile(r"(?P<owner>[^'的]+)(?:'s? |的)(?P<thing>.+)")
_OWN = re.compile(r"^(?:(?:my|our|the|that|this|his|her|their|an?) |(?:我们?|咱们?)的?(?=.{2}))")


def turns_about(connection: Connection, user_id: str, topic: str) -> list[int]:
    """The numbers of the user's turns from which an item about the topic was drawn, or a sentence of which names it.

    Args:
        connection: open.
        user_id: whose turns.
        topic: as a line names it, folded.
    """
    about = _drawn(connection, user_id, topic)
    words = [_word(word) for word in _spoken(topic)]
    own = (turns.c.user_id == user_id, turns.c.source == "user_input")
    rows = connection.execute(select(turns.c.number, turns.c.text).where(*own)) if words else ()
    return sorted(about | {number for number, text in rows if _names(text, words)})


def _drawn(connection: Connection, user_id: str, topic: str) -> set[int]:
    """The turns of items whose attribute, whose relative or whose entity the topic is."""
    bare = _OWN.sub("", topic)
    owned = _OWNED.fullmatch(bare)
    key, name = attribute_key(bare), named(bare)
    pair = (named(owned["owner"]), attribute_key(owned["thing"])) if owned else None
    statement = select(items.c.turn, items.c.entity, items.c.attribute)
    return {
        turn
        for turn, entity, attribute in connection.execute(statement.where(items.c.user_id == user_id))
        if key in {attribute, of_relative(attribute)[0]} or name == entity or pair == (entity, attribute)
    }


def _spoken(topic: str) -> list[str]:
    """The words of a topic that have to be said, as they were said."""
    stems = set(content_words(topic))
    latin = [word for word in re.findall(r"[a-z0-9][\w.-]*", topic) if stems.intersection(content_words(word))]
    return latin + [word for word in stems if not word.isascii()]


def _word(word: str) -> re.Pattern[str]:
    """A word in the singular or the plural; a Chinese one wherever it stands."""
    if not word.isascii():
        return re.compile(re.escape(word))
    return re.compile(rf"(?<![a-z0-9]){re.escape(word.removesuffix('s'))}(?:e?s)?(?![a-z0-9])")


def _names(text: str, words: Sequence[re.Pattern[str]]) -> bool:
    folded = fold(text)
    if not all(word.search(folded) for word in words):
        return False
    return any(all(word.search(span.cut(folded)) for word in words) for span in sentences(folded))
