"""The other name of whom a statement is about: "Clara" is "my sister Clara", whose home is known as the sister's."""

import functools
import re
from collections.abc import Iterator

from ..language.folding import fold
from ..language.lexicon import of_relative
from ..records import Item
from .drafts import Draft
from .lookups import Lookups
from .patterns import expand

_MOST_NEAR = 40


def known_otherwise(draft: Draft, lookups: Lookups) -> list[Item]:
    """Live items that say the same of the same person under another name: of the relative, or of the one named.

    Args:
        draft: what is stated, of whom it is about.
        lookups: of the turn.
    """
    speaker = lookups.reading.speaker
    relation, attribute = of_relative(draft.attribute)
    if draft.entity not in {None, speaker}:
        return _of_relatives(str(draft.entity), draft.attribute, lookups)
    names = _names_after(lookups.reading.original(draft.clause.span)) if relation else iter(())
    return next((found for name in names if (found := list(lookups.live.about(name, attribute)))), [])


def _of_relatives(name: str, attribute: str, lookups: Lookups) -> list[Item]:
    """What was said of the speaker's relative of that name."""
    found = [
        item
        for item in lookups.live.mentioning([name], _MOST_NEAR)
        if item.entity == lookups.reading.speaker
        and all(of_relative(item.attribute))
        and of_relative(item.attribute)[1] == attribute
        and name in _names_after(item.quote)
    ]
    called = [item for item in lookups.live.with_value([name]) if of_relative(item.attribute)[1] == "name"]
    relations = {of_relative(item.attribute)[0] for item in called if item.entity == lookups.reading.speaker} - {""}
    if found or len(relations) != 1:
        return found
    known = lookups.live.about(lookups.reading.speaker, f"{relations.pop()}_{attribute}")
    return [item for item in known if not any(_names_after(item.quote))]


def _names_after(text: str) -> Iterator[str]:
    """What may be the name of a relative that a text introduces by it: "my sister Clara lives ...", 我妹妹王芳在."""
    for match in _introduced().finditer(text):
        if match["en"]:
            words = fold(match["en"]).split()
            yield from (" ".join(words[:count]) for count in range(len(words), 0, -1))
        else:
            yield from (match["zh"][:count] for count in range(len(match["zh"]), 1, -1))


@functools.cache
def _introduced() -> re.Pattern[str]:
    relation, relatives = expand("en", "{relation}"), expand("zh", "{relatives}")
    return re.compile(
        rf"\b(?i:my|our) (?:[a-z-]+ )?(?i:{relation}) (?P<en>[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?)"
        rf"|(?:{relatives})(?:叫|是)?(?P<zh>[\u3400-\u9fff]{{2,3}})"
    )
