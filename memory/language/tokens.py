"""Tokens for the lexical index, and the content words of a text."""

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from . import resources
from .folding import CJK, fold

if TYPE_CHECKING:
    import snowballstemmer

_LONGEST_RUN = 4
"""A run of unknown ideographs up to this length stays one unit; a longer one becomes overlapping pairs."""


class Token(NamedTuple):
    """One token of a text: folded, stemmed, with its place in the original."""

    text: str
    stem: str
    start: int
    end: int
    cjk: bool


@functools.cache
def _token_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<cjk>[{CJK}])"
        r"|(?P<email>[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+)"
        r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d\w])|\d+\.\d+(?![\w.]))"
        # Letters, digits and joiners with at least one digit or underscore among them: an id, a version, a model number.
        r"|(?P<id>(?=[^\W_]*[-_./]?[^\W_]*[-_./]?\w*[\d_])[a-z0-9]+(?:[-_.]?[a-z0-9]+)*)"
        r"|(?P<word>[^\W\d_" + CJK + r"]+(?:'[^\W\d_" + CJK + r"]+)?)"
        r"|(?P<other>\d+)"
    )


@functools.cache
def _spelling() -> dict[str, str]:
    """Every spelling variant and irregular form, mapped to the form that is stemmed."""
    table: dict[str, str] = {}
    for section in ("variants", "irregular"):
        for base, forms in resources.load("spelling")[section].items():
            table.update(dict.fromkeys(str(forms).split(), str(base)))
    return table


@functools.cache
def _stop_words() -> tuple[frozenset[str], frozenset[str]]:
    words = resources.load("stopwords")
    return frozenset(" ".join(words["en"]).split()), frozenset(" ".join(words["zh"]).split())


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of one folded English word (Snowball), after spelling variants and irregular forms were evened out."""
    base = word.removesuffix("'s").removesuffix("'")
    base = _spelling().get(base, base)
    if not base.isascii() or not base.isalpha():
        return base.replace(",", "") if base[:1].isdigit() else base
    stemmed = str(_stemmer().stemWord(base))
    return _spelling().get(stemmed, stemmed)


@functools.cache
def _stemmer() -> "snowballstemmer.stemmer":
    import snowballstemmer  # noqa: PLC0415 - it loads the stemmers of all languages, a fifth of a second

    return snowballstemmer.stemmer("english")


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text`` in order: English words, numbers and ids whole, every CJK character by itself.

    ``Token.text`` is folded; ``Token.stem`` is the Snowball stem of a word, the digits of a number without separators, and
    the text itself otherwise. Offsets are those of the original.
    """
    return _tokenize_folded(fold(text))


def _tokenize_folded(folded: str) -> list[Token]:
    tokens = []
    for match in _token_pattern().finditer(folded):
        start, end = match.span()
        piece = match.group()
        cjk = match.lastgroup == "cjk"
        tokens.append(Token(piece, piece if cjk else stem(piece), start, end, cjk))
    return tokens


def is_stop(token: Token | str) -> bool:
    """Whether a token (or a folded word) carries no content of its own."""
    word = token.text if isinstance(token, Token) else token
    english, chinese = _stop_words()
    return word in english or word in chinese


@functools.cache
def _known_words() -> frozenset[str]:
    """Chinese words that stay whole: the lexicons' own and a list of common ones."""
    words = set(" ".join(resources.load("words")["zh"]).split())
    for entry in resources.load("attributes")["attributes"].values():
        words.update(entry.get("zh", ()))
    for group in resources.load("synonyms")["groups"]:
        words.update(word for word in group.split() if not word.isascii())
    for pair in resources.load("attributes")["favorites"].values():
        words.update(str(pair).split())
    # A single character is not cut out of its surroundings (小鱼 is a name, not something small).
    return frozenset(folded for word in words if len(folded := fold(word)) > 1)


@functools.cache
def _verbs() -> frozenset[str]:
    return frozenset(" ".join(resources.load("words")["verbs"]).split())


@functools.cache
def _longest_word() -> int:
    return max(max(map(len, _known_words())), max(map(len, _stop_words()[1])))


def _split_run(run: str) -> Iterator[str]:
    """The units of a run of ideographs: known words by longest match, what lies between stop words otherwise."""
    known, stops = _known_words(), _stop_words()[1]
    pending, position = "", 0
    while position < len(run):
        for length in range(min(_longest_word(), len(run) - position), 0, -1):
            piece = run[position : position + length]
            if piece in known or piece in stops:
                break
        else:
            pending += run[position]
            position += 1
            continue
        yield from _units(pending)
        pending = ""
        if piece in known:
            yield piece
        position += length
    yield from _units(pending)


def _units(run: str) -> Iterator[str]:
    if len(run) > 1 and run[0] in _verbs():
        yield run[0]
        yield from _units(run[1:])
    elif len(run) > _LONGEST_RUN:
        yield from (run[i : i + 2] for i in range(len(run) - 1))
    elif run:
        yield run


def content_stems(text: str) -> list[str]:
    """The content words of ``text`` in order, stemmed, without stop words.

    Chinese has no spaces: a run of ideographs is cut at stop words and particles, words of the lexicon are kept by longest
    match, and what is left stays a unit (花名, 部署) or, beyond four characters, becomes overlapping pairs. A single Latin
    letter joins the word beside it, so that C盘, A股 and 方案B survive.
    """
    folded = fold(text)
    stems: list[str] = []
    run_start = -1
    tokens = _tokenize_folded(folded)
    for index, token in enumerate(tokens):
        if token.cjk:
            if run_start < 0:
                run_start = token.start
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if following is None or not following.cjk or following.start != token.end:
                _add_run(stems, folded[run_start : token.end], tokens, index, run_start)
                run_start = -1
        elif not _is_stop_here(token, text):
            stems.append(token.stem)
    return stems


def _add_run(stems: list[str], run: str, tokens: list[Token], last: int, start: int) -> None:
    """Append the units of a run, gluing a single letter in front of it to its first unit."""
    units = list(_split_run(run))
    before = tokens[last - len(run)] if last >= len(run) else None
    glued = before is not None and before.end == start and len(before.text) == 1 and before.text.isalpha()
    if glued and before is not None and units and run.startswith(units[0]):
        if stems and stems[-1] == before.stem:
            stems.pop()
        first = units[0] if units[0] in _known_words() else units[0][0]
        units[:1] = [before.text + first, *filter(None, [units[0][len(first) :]])]
    stems.extend(units)


def _is_stop_here(token: Token, text: str) -> bool:
    """Stop words, but not the A of "option A": a capital letter in mid-sentence is a name."""
    if token.text == "a" and text[token.start] in "AＡ" and text[: token.start].rstrip(" ")[-1:] not in ("", ".", "!", "?", "\n"):
        return False
    return is_stop(token)
