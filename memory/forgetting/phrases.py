"""What a residue would look like: the telling pieces of the forgotten texts, in every form in which a file holds text.

A piece counts only if nothing that stays says it as well: neither another turn or document of the store, nor the
program itself, whose own words (prompts, lexicons, names) prove nothing.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from ..language.folding import fold
from ..language.sentences import sentences
from ..language.tokens import Token, is_stop, tokenize
from ..records import Item
from .documents import Text
from .forms import writings
from .staying import found_in, indexed_texts, own_words, staying_texts

MOST = 20_000
"""Pieces that are looked for: of a longer forgetting evenly chosen ones."""
_SHORTEST_PIECE = 6
_SHORTEST_WORD = 5
_SHORTEST_NUMBER = 4
# Every trace is full of dates.
_DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d|$)")

Kind = Literal["telling", "run", "word"]


class Phrase(NamedTuple):
    """A piece of a forgotten text."""

    text: str
    turn: str
    """Id of the turn that it is of, or of the piece of a document."""
    kind: Kind
    """``telling``: a sentence, a value, a number; ``run``: a few words in a row; ``word``: one ordinary word, which a
    library's own file may hold for its own reasons."""
    writings: tuple[tuple[str, str], ...] = ()
    """The ways in which it may be written, each with its name."""


def telling_phrases(
    connection: Connection, removed: Sequence[Text], items_removed: Sequence[Item], names: Sequence[str] = ()
) -> list[Phrase]:
    """The pieces of the removed texts and items, and the names given, that nothing else in the store says.

    To be called after the removal, in its transaction.
    """
    pieces = {fold(name): Phrase(name, "", "telling") for name in names}
    for phrase in chain(chain.from_iterable(map(_pieces, removed)), chain.from_iterable(map(_values, items_removed))):
        pieces.setdefault(fold(phrase.text), phrase)
    folded = list(pieces)[:: max(1, -(-len(pieces) // MOST))]
    said = found_in(folded, staying_texts(connection))
    own = found_in(folded, own_words())
    telling = [text for text in folded if text not in said and (pieces[text].kind == "telling" or text not in own)]
    return _with_writings(connection, [pieces[text] for text in telling])


def _with_writings(connection: Connection, phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases, each with those of its writings that stand in nothing that stays.

    Other words may have the same stems: "we wanted dancing" is indexed as "want danc", and so is "want to dance".
    """
    written = {text for phrase in phrases for text in writings(phrase.text).values()}
    stays = found_in(sorted(written), chain(indexed_texts(connection), staying_texts(connection)))
    return [
        phrase._replace(
            writings=tuple((name, text) for name, text in writings(phrase.text).items() if text not in stays)
        )
        for phrase in phrases
    ]


def _pieces(said: Text) -> Iterator[Phrase]:
    """The whole text, its sentences, runs of its words, and the words that are rare by themselves."""
    yield Phrase(said.text, said.id, "telling")
    for span in sentences(said.text):
        yield Phrase(span.cut(said.text), said.id, "telling")
    if said.by_assistant:
        return  # its own phrases recur in other answers
    tokens = tokenize(said.text)
    for first, last in _runs(tokens):
        text = said.text[first.start : last.end]
        if _size(text) >= _SHORTEST_PIECE:
            yield Phrase(text, said.id, "run")
    for token in tokens:
        text = said.text[token.start : token.end]
        kind = _kind(token, text)
        if kind is not None:
            yield Phrase(text, said.id, kind)


def _kind(token: Token, text: str) -> Kind | None:
    """What a single word is worth: a number tells by itself, an ordinary word little, a short one nothing."""
    if any(map(str.isdigit, text)):
        return "telling" if len(text) >= _SHORTEST_NUMBER and not _DATE.match(text) else None
    return None if token.cjk or len(text) < _SHORTEST_WORD or is_stop(token) else "word"


def _values(item: Item) -> Iterator[Phrase]:
    """What an item says of its turn, as quoted and as normalised."""
    for text in (item.value, item.normal, item.quote, item.entity, item.entity.partition(":")[2]):
        if _size(text) >= _SHORTEST_WORD and not _DATE.match(text):
            yield Phrase(text, f"t{item.turn}", "word" if text.isascii() and text.isalpha() else "telling")


def _runs(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Three words, or two that both carry meaning; four Chinese characters."""
    for place, first in enumerate(tokens):
        width = 4 if first.cjk else 3
        if place + width <= len(tokens):
            yield first, tokens[place + width - 1]
        if place + 1 < len(tokens) and _carries(first, tokens[place + 1]):
            yield first, tokens[place + 1]


def _carries(first: Token, second: Token) -> bool:
    return not (is_stop(first) or is_stop(second) or (first.cjk and second.cjk))


def _size(text: str) -> int:
    return len(text.encode())


def rare_stems(phrases: Collection[Phrase]) -> set[str]:
    """The terms by which the full-text index would hold what is rare in the phrases."""
    single = [tokenize(phrase.text) for phrase in phrases if phrase.kind != "run"]
    return {tokens[0].stem for tokens in single if len(tokens) == 1}
