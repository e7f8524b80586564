"""What attributes and entities are called when the agent speaks of them."""

from ..language import resources
from ..language.folding import fold
from ..language.lexicon import FAVORITE, of_relative
from ..records import Item, Language, Turn

_UNNAMED = frozenset({"", "user", "assistant"})


def attribute_label(key: str, language: Language) -> str:
    """An attribute in the words of a language, for example 预算 for ``budget``; the key itself where there are none."""
    if key.startswith(FAVORITE):
        return _favorite(key.removeprefix(FAVORITE), language)
    known = _phrase(key, language)
    if known:
        return known
    relative, own = of_relative(key)
    parts = [_phrase(part, language) or part for part in filter(None, (relative, *own.split("_")))]
    if relative and _phrase(own, language):
        parts = [_phrase(relative, language) or relative, _phrase(own, language)]
    return ("" if all(not part.isascii() for part in parts) else " ").join(parts)


def _phrase(key: str, language: Language) -> str:
    """The first phrase of an attribute of the lexicon; empty for other keys."""
    phrases = resources.load("attributes")["attributes"].get(key, {}).get(language, ())
    called = resources.load("attributes")["relative_labels"].get(language, {})
    return str(phrases[0]) if phrases else str(called.get(key, ""))


def _favorite(what: str, language: Language) -> str:
    opening = str(resources.load("asking")["favorite_of"][language])
    if language == "en":
        return f"{opening} {what.replace('_', ' ')}"
    names = str(resources.load("attributes")["favorites"].get(what, what)).split()
    return f"{opening}{names[0]}"


def entity_label(item: Item, turn: Turn | None, language: Language) -> str:
    """Whom or what an item is about, spelled as in its turn where it is named there; empty for the speaker."""
    name = fold(item.entity).replace("_", " ").rpartition(":")[2]
    if name in _UNNAMED or (turn is not None and name == fold(turn.speaker)):
        return ""
    start = fold(turn.text).find(name) if turn else -1
    return turn.text[start : start + len(name)] if turn and start >= 0 else attribute_label(item.entity, language)
