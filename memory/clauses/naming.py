"""Which document a file is a version of, by its title and by its name without version, date and hash.

Two files are versions of one document where their names agree in what is left; where that is only a kind of document
(``terms_v1``, ``terms_v2``), their titles must be alike. Where the names say nothing (``scan_2``), or only abbreviate
the title, the titles decide, if they say more than what kind of document it is. Two names that differ ("Contract A",
"Contract B") are two documents, whatever title they share. Only the Chinese title of a statute is enough by itself:
there is one statute of that name.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ..language.folding import CJK, fold
from ..language.tokens import content_stems
from .dating import dates_in, levelled, pattern_of
from .records import EntityType

_SEPARATORS = re.compile(r"[\s_\-()（）\[\]【】{}《》〈〉<>.,，、:：'\"“”+&/#]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?:\s?年)?(?!\d)")
_COMPACT = re.compile(r"(?<!\d)(?:19|20)\d{6}(?!\d)")
_TRAILING_HASH = re.compile(r"(?<=[\s-])[\da-f]{7,64}$")
_SPACED = re.compile(rf"(?<=[{CJK}]) (?=[{CJK}])")


@dataclass(frozen=True, slots=True)
class Named:
    """What the name and the title of a file say of the document that it is a version of."""

    stem: str
    """The file's name without ending, version, date, hash and state; may be empty."""
    title: str
    """The title without version and date, and without the name of the state before a statute's."""
    entity_type: EntityType


@functools.lru_cache(maxsize=4096)
def named(name: str, title: str, entity_type: EntityType, *, given: bool = False) -> Named:
    """Read name and title of a file.

    Args:
        name: the file's name, or the document's name that the user gave.
        title: the title that the text has.
        entity_type: years are versions of statutes and policies, but part of a contract's name.
        given: the user named the document; the title has nothing to add.
    """
    if given:
        return Named(_tidied(name), "", entity_type)
    stem = PurePath(name).stem
    official = pattern_of("official").sub("", _bare(title, entity_type))
    return Named(_bare(stem, entity_type), official, entity_type)


def are_versions(one: Named, other: Named) -> bool:
    """Whether two files are versions of one document."""
    if _key(one.stem) == _key(other.stem) and _is_telling(one.stem):
        return True
    if one.entity_type != other.entity_type:
        return False
    if _key(one.stem) and _key(one.stem) == _key(other.stem) and _are_alike(one.title, other.title):
        return True
    if _is_telling(one.title) and _key(one.title) == _key(other.title):
        return _is_unique(one) or (_defers(one) and _defers(other))
    return _is_titled(one, other) or _is_titled(other, one)


def _are_alike(title: str, other: str) -> bool:
    """Whether two titles share half of what they say beyond the kind of document: titles change, too."""
    said = [set(content_stems(pattern_of("generic").sub(" ", fold(words)))) for words in (title, other)]
    return 4 * len(said[0] & said[1]) >= len(said[0]) + len(said[1]) > 0


def _is_unique(one: Named) -> bool:
    """Whether there is one document of that title: of a statute, in Chinese."""
    return one.entity_type == "statute" and not one.title.isascii()


def _is_titled(one: Named, other: Named) -> bool:
    """Whether the name of one file is the title of another, and its own title says nothing else."""
    if not _is_telling(one.stem) or _key(one.stem) != _key(other.title):
        return False
    return _defers(other) and _key(one.title) in ("", _key(other.title))


def handle(one: Named) -> str:
    """The readable handle of a document: ``CONTRACT_A``, ``会计法``; the title where the name only abbreviates it."""
    words = one.title if one.title and _is_telling(one.title) and _defers(one) else one.stem or one.title
    return re.sub(r"[^\w]+", "_", words).strip("_").upper()[:120] or one.entity_type.upper()


def free_handle(wanted: str, taken: Sequence[str]) -> str:
    """A handle that no other document has."""
    place, found = 1, wanted
    while found in taken:
        place += 1
        found = f"{wanted}_{place}"
    return found


def _defers(one: Named) -> bool:
    """Whether the name adds nothing to the title: it says nothing itself, or is made of words of the title."""
    if not _is_telling(one.stem):
        return True
    title = _key(one.title)
    if _key(one.stem) in title:
        return True
    stems = set(content_stems(one.title))
    return bool(stems) and all(stem in stems or stem in title for stem in content_stems(one.stem))


def _is_telling(words: str) -> bool:
    """Whether words say more than what kind of document something is: "Contract 2" does, "scan 0012" does not."""
    left, kinds = pattern_of("generic").subn(" ", fold(words))
    return bool(re.search(r"[^\W\d_]", left)) or (kinds > 0 and bool(re.search(r"\d", left)))


def _key(words: str) -> str:
    return re.sub(r"[\W_]+", "", fold(words))


def _bare(words: str, entity_type: EntityType) -> str:
    """A name without what sets one version apart from another."""
    words = levelled(_COMPACT.sub(" ", words))
    for written in reversed(dates_in(words)):
        words = words[: written.span.start] + " " + words[written.span.end :]
    kept = [pattern_of("version"), pattern_of("hash"), _TRAILING_HASH, pattern_of("states")]
    for pattern in [*kept, _YEAR] if entity_type != "contract" else kept:
        words = _cut_out(words, pattern)
    return _tidied(words)


def _cut_out(words: str, pattern: re.Pattern[str]) -> str:
    """Words without what a pattern of folded text matches."""
    kept, start = [], 0
    for match in pattern.finditer(fold(words)):
        kept.append(words[start : match.start()])
        start = match.end()
    return " ".join([*kept, words[start:]])


def _tidied(words: str) -> str:
    return _SPACED.sub("", _SEPARATORS.sub(" ", words).strip())
