"""Tokens for the lexical index, and the content words of a text."""

import functools
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from . import resources
from .folding import CJK, fold
from .segmenting import is_word, segment

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
    letter = rf"[^\W\d_{CJK}]"
    return re.compile(
        rf"(?P<cjk>[{CJK}])"
        r"|(?P<email>[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+)"
        r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w))"
        # Letters and digits with joiners between them; the group is atomic, so that long runs cost linear time.
        rf"|(?P<chunk>(?>[a-z0-9]+(?:(?:[-_]+|\.(?=\d))[a-z0-9]+)*)(?!{letter}|'[a-z]))"
        rf"|(?P<word>{letter}+(?:'{letter}+)?)"
        r"|(?P<other>\d+)"
    )


@functools.cache
def _part_pattern() -> re.Pattern[str]:
    return re.compile(r"[a-z]+")


def _forms(section: str) -> dict[str, str]:
    table = resources.load("spelling")[section]
    return {form: str(base) for base, forms in table.items() for form in resources.words(str(forms))}


@functools.cache
def spelling_variants() -> dict[str, str]:
    """Every variant spelling with the one that stands for it (``colour`` → ``color``)."""
    return _forms("variants")


@functools.cache
def _base_forms() -> dict[str, str]:
    """Every spelling variant and irregular form, mapped to the form that is stemmed."""
    return spelling_variants() | _forms("irregular")


@functools.cache
def _stop_words() -> tuple[frozenset[str], frozenset[str]]:
    words = resources.load("stopwords")
    return frozenset(" ".join(words["en"]).split()), frozenset(" ".join(words["zh"]).split())


# The stemmer keeps the word that it is at in itself: two threads would take each other's letters.
_stemming = threading.Lock()


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded English word (Snowball), once spelling variants and irregular forms are evened out."""
    base = word.removesuffix("'s").removesuffix("'")
    base = _base_forms().get(base, base)
    if not base.isascii() or not base.isalpha():
        return base.replace(",", "") if base[:1].isdigit() else base
    with _stemming:
        stemmed = str(_stemmer().stemWord(base))
    return spelling_variants().get(stemmed, stemmed)


@functools.cache
def _stemmer() -> "snowballstemmer.stemmer":
    import snowballstemmer  # noqa: PLC0415 - it loads the stemmers of all languages, a fifth of a second

    return snowballstemmer.stemmer("english")


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text`` in order: English words, numbers and ids whole, every CJK character by itself.

    ``Token.text`` is folded; ``Token.stem`` is the Snowball stem of a word, the digits of a number without separators,
    and the text itself otherwise. Offsets are those of the original.
    """
    return _tokenize_folded(fold(text))


def _tokenize_folded(folded: str) -> list[Token]:
    tokens = []
    for match in _token_pattern().finditer(folded):
        start, end = match.span()
        piece = match.group()
        if match.lastgroup == "cjk":
            tokens.append(Token(piece, piece, start, end, True))
        elif match.lastgroup == "chunk" and not piece.isalpha() and not any(c.isdigit() or c == "_" for c in piece):
            tokens += [_word(part.group(), start + part.start()) for part in _part_pattern().finditer(piece)]
        else:
            tokens.append(_word(piece, start))
    return tokens


def _word(piece: str, start: int) -> Token:
    return Token(piece, stem(piece), start, start + len(piece), False)


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
    # A single character is not cut out of its surroundings: "small" begins many a name.
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

    Chinese has no spaces: a run of ideographs is cut at stop words and particles, words of the lexicon are kept by
    longest match, and what is left stays one unit or, beyond four characters, becomes overlapping pairs. A single Latin
    letter joins the ideograph after it, as in the Chinese for "drive C" and "A-shares".
    """
    return _content(text, _split_run)


def content_words(text: str) -> list[str]:
    """The content words of ``text`` in order, stemmed, Chinese ones as the dictionary has them, without stop words.

    What a question asks for is weighed word by word, so no unit may run across two words, as those of
    ``content_stems`` do where neither is known.
    """
    return _content(text, _words_of_run)


def _words_of_run(run: str) -> Iterator[str]:
    """The words of a run of ideographs without stop words."""
    known, stops = _whole_words(), _stop_words()[1]
    counted = False
    for word in segment(run, known):
        kept = word if word in known or word in stops else _without_grammar(word, counted=counted)
        counted = word[-1] in _grammar()["pointing"]
        if kept and kept not in stops:
            yield kept


def _without_grammar(word: str, *, counted: bool) -> str:
    """A word rid of the grammar that the dictionary leaves on it (走后, 那套) or that was guessed to be part of it."""
    grammar, stops = _grammar(), _stop_words()[1]
    if is_word(word, _whole_words()):
        word = word[:-1] if len(word) > 1 and word[-1] in grammar["endings"] else word
        word = "" if len(word) > 1 and word[0] in grammar["pointing"] else word
    else:
        while word and (word[0] in stops or (len(word) > 1 and word[0] in grammar["results"])):
            counted, word = word[0] in grammar["pointing"], word[1:]
        while word and (word[-1] in stops or (len(word) > 1 and word[-1] in grammar["homes"])):
            word = word[:-1]
    return word[1:] if counted and word[:1] in grammar["measures"] else word


@functools.cache
def _whole_words() -> frozenset[str]:
    """Known words without verbs turned into nouns (吃的), which are more often the verb of a question."""
    return frozenset(word for word in _known_words() if not word.endswith("的") or word == "目的")


@functools.cache
def _grammar() -> dict[str, str]:
    """Characters that point at what is counted, count it, end a verb, say how a deed ended, or whose home it is."""
    return {name: str(characters) for name, characters in resources.load("words")["grammar"].items()}


def _content(text: str, cut: Callable[[str], Iterable[str]]) -> list[str]:
    """The content words of a text, whose runs of ideographs ``cut`` takes apart."""
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
                units = list(cut(folded[run_start : token.end]))
                _add_run(stems, units, tokens, index, run_start)
                run_start = -1
        elif not _is_stop_here(token, text):
            stems.append(token.stem)
    return stems


def _add_run(stems: list[str], units: list[str], tokens: list[Token], last: int, start: int) -> None:
    """Append the units of a run that ends at the token ``last``, gluing a single letter in front to the first unit."""
    first = next(place for place in range(last, -1, -1) if tokens[place].start == start)
    before = tokens[first - 1] if first else None
    begins = bool(units) and units[0].startswith(tokens[first].text)
    if before and begins and _is_letter_beside(before, start):
        if stems and stems[-1] == before.stem:
            stems.pop()
        glued = units[0] if units[0] in _known_words() else units[0][0]
        units[:1] = [before.text + glued, *filter(None, [units[0][len(glued) :]])]
    stems.extend(units)


def _is_letter_beside(token: Token, start: int) -> bool:
    return token.end == start and len(token.text) == 1 and token.text.isalpha()


def _is_stop_here(token: Token, text: str) -> bool:
    """Stop words, but not the A of "option A": a capital letter in mid-sentence is a name."""
    if token.text == "a" and text[token.start] in "A\uff21":
        before = text[: token.start].rstrip(" ")[-1:]
        return before in ("", ".", "!", "?", "\n", '"')
    return is_stop(token)
