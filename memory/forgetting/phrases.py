"""What a residue would look like: the telling pieces of the forgotten texts, in every form in which a file holds text.

A piece counts only if nothing that stays says it as well: neither another turn or document of the store, nor the
program itself, whose own words (prompts, lexicons, names) prove nothing.
"""

import functools
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Literal, NamedTuple

from sqlalchemy import JSON, Connection, String, Table, cast, select

from ..language.folding import fold
from ..language.sentences import sentences
from ..language.tokens import Token, is_stop, tokenize
from ..records import Item
from ..retrieval.lexical import indexed_form
from ..storage.tables import (
    answers,
    conflicts,
    counters,
    items,
    meta,
    metadata,
    outbox,
    states,
    summaries,
    turns,
    vectors,
)
from .documents import Text
from .needles import Needles

MOST = 20_000
"""Pieces that are looked for: of a longer forgetting evenly chosen ones."""
_DERIVED = {answers, conflicts, counters, items, meta, outbox, states, summaries, vectors}
_SHORTEST_PIECE = 6
_SHORTEST_WORD = 5
_SHORTEST_NUMBER = 4
# Every trace is full of dates.
_DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d|$)")
_FOLDERS = ("memory", "nodes", "graph", "cli")

Kind = Literal["telling", "run", "word"]


class Phrase(NamedTuple):
    """A piece of a forgotten text."""

    text: str
    turn: str
    """Id of the turn that it is of, or of the piece of a document."""
    kind: Kind
    """``telling``: a sentence, a value, a number; ``run``: a few words in a row; ``word``: one ordinary word, which a
    library's own file may hold for its own reasons."""


def telling_phrases(
    connection: Connection, removed: Sequence[Text], items_removed: Sequence[Item], names: Sequence[str] = ()
) -> list[Phrase]:
    """The pieces of the removed texts and items, and the names given, that nothing else in the store says.

    To be called after the removal, in its transaction.
    """
    pieces = {fold(name): Phrase(name, "", "telling") for name in names}
    for phrase in chain(chain.from_iterable(map(_pieces, removed)), chain.from_iterable(map(_values, items_removed))):
        pieces.setdefault(fold(phrase.text), phrase)
    chosen = list(pieces.items())
    chosen = chosen[:: max(1, -(-len(chosen) // MOST))]
    needles = Needles([folded.encode() for folded, _ in chosen])
    said = _said(needles, _staying(connection))
    own = _said(needles, _own_words())
    return [
        phrase
        for index, (_, phrase) in enumerate(chosen)
        if index not in said and (phrase.kind == "telling" or index not in own)
    ]


def forms(text: str) -> dict[bytes, str]:
    """The byte strings under which a file may hold a text, each with the name of its form."""
    found: dict[bytes, str] = {}
    for name, written in (("as it was said", text), ("folded", fold(text)), ("as indexed", indexed_form(text))):
        escaped = json.dumps(written)[1:-1]
        for form, octets in (
            (name, written.encode()),
            (f"{name}, JSON", json.dumps(written, ensure_ascii=False)[1:-1].encode()),
            (f"{name}, JSON escapes", escaped.encode()),
            (f"{name}, UTF-16", written.encode("utf-16-le")),
            (f"{name}, UTF-16 BE", written.encode("utf-16-be")),
        ):
            if _telling(octets):
                found.setdefault(octets, form)
    return found


def _telling(octets: bytes) -> bool:
    return len(octets) >= _SHORTEST_NUMBER


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


def _staying(connection: Connection) -> Iterator[str]:
    """Every text that has a right to stay: what all users' turns and documents hold, and what the program writes."""
    yield from _own_texts("prompts", ".md")
    for table in metadata.sorted_tables:
        if table not in _DERIVED:
            yield from _texts_in(connection, table)
    # What the items of those turns make of them: canonical names and normal forms, which no text need hold.
    joined = items.join(turns, (turns.c.user_id == items.c.user_id) & (turns.c.number == items.c.turn))
    meanings = select(items.c.entity, items.c.attribute, items.c.normal).select_from(joined)
    yield from ("\n".join(meaning) for meaning in connection.execute(meanings))


def _texts_in(connection: Connection, table: Table) -> Iterator[str]:
    columns = [cast(column, String) for column in table.columns if isinstance(column.type, String | JSON)]
    rows = connection.execute(select(*columns)) if columns else ()
    return ("\n".join(filter(None, row)) for row in rows)


def _said(needles: Needles, texts: Iterable[str]) -> set[int]:
    found: set[int] = set()
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(fold(text))
        size += len(text)
        if size > 1 << 20:
            found.update(index for index, _ in needles.in_bytes("\x00".join(batch).encode()))
            batch, size = [], 0
    found.update(index for index, _ in needles.in_bytes("\x00".join(batch).encode()))
    return found


def _own_words() -> Iterator[str]:
    """The modules and the lexicons."""
    for folder in _FOLDERS:
        yield from _own_texts(folder, ".py")
        yield from _own_texts(folder, ".yaml")


@functools.cache
def _own_texts(folder: str, ending: str) -> tuple[str, ...]:
    package = resources.files(__package__.partition(".memory")[0])
    return tuple(entry.read_text(encoding="utf-8") for entry in _files(package / folder, ending))


def _files(folder: Traversable, ending: str) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, ending)
        elif entry.name.endswith(ending):
            yield entry


def _size(text: str) -> int:
    return len(text.encode())


def rare_stems(phrases: Collection[Phrase]) -> set[str]:
    """The terms by which the full-text index would hold what is rare in the phrases."""
    single = [tokenize(phrase.text) for phrase in phrases if phrase.kind != "run"]
    return {tokens[0].stem for tokens in single if len(tokens) == 1}
