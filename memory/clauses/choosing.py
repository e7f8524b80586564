"""Which document and which version a name, a handle, a label or a day on the command line means."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

from ..errors import BadInput, NotFound
from ..knowledge.rows import Document
from ..language.folding import fold
from .rows import Family

_MOST = 5
_LISTED = "`veridical knowledge list --all` shows the names and versions there are"


def choose_family(families: Sequence[Family], given: str) -> Family:
    """The document of clauses that a name, a title, a handle or the id of a version names.

    Raises:
        NotFound: there is none.
        BadInput: there are several.
    """
    wanted = _key(given)
    fits: tuple[Callable[[Family], bool], ...] = (
        lambda one: given in (one.key, *one.names, *(version.id for version in one.versions)),
        lambda one: wanted in map(_key, (one.key, *one.names)),
        lambda one: any(wanted in _key(name) for name in (one.key, *one.names) if wanted),
    )
    found = next((found for fit in fits if (found := list(filter(fit, families)))), [])
    if not found:
        raise NotFound("document of clauses", given, _LISTED)
    if len(found) > 1:
        message = f"{given!r} may mean {', '.join(one.key for one in found[:_MOST])}: name one of them."
        raise BadInput(message)
    return found[0]


def choose_version(family: Family, given: str) -> Document:
    """The version that a label (``v2.1``, ``2.1``), the id of a document, a file's name or a day names.

    Raises:
        NotFound: there is none.
    """
    exact = [one for one in family.versions if given in (one.version_label, one.label, one.id, one.name)]
    labelled = exact or [one for one in family.versions if one.version_label.lstrip("vV") == given.lstrip("vV")]
    found = labelled or _begun(family, given)
    if not found:
        raise NotFound(f"version of {family.key}", given, _known(family))
    return found[-1]


def choose_named(family: Family, given: str) -> Document | None:
    """The version that an id or a file's name means that no other version has; ``None`` where all are meant."""
    found = [one for one in family.versions if given in (one.id, one.name)]
    return found[0] if len(found) == 1 and len(family.versions) > 1 else None


def _begun(family: Family, given: str) -> list[Document]:
    """The versions that had begun on a day; none where it is no day."""
    try:
        day = date.fromisoformat(given)
    except ValueError:
        return []
    return [one for one in family.versions if one.valid_from.date() <= day]


def choose_two(family: Family, given: Sequence[str]) -> tuple[Document, Document]:
    """The two versions to compare, the earlier first; the last two that there are where none are named.

    Raises:
        BadInput: there is only one, or it is not two that are named.
        NotFound: a named one is none.
    """
    if len(family.versions) < 2:
        message = f"{family.key} has one version, {family.versions[0].version_label}: add another to compare it with."
        raise BadInput(message)
    if len(given) not in (0, 2):
        message = "Name two versions to compare, or none for the last two."
        raise BadInput(message)
    chosen = [choose_version(family, one) for one in given] or list(family.versions[-2:])
    first, second = sorted(chosen, key=family.versions.index)
    return first, second


def version_at(family: Family, moment: datetime, *, asked: bool) -> Document:
    """The version in force at a time; where the time was not asked for, the last one where none is in force any more.

    Raises:
        NotFound: no version was in force at the time asked about.
    """
    found = family.in_force(moment)
    if found is not None:
        return found
    if not asked:
        return family.announced(moment) or family.versions[-1]
    ahead = family.announced(moment)
    if ahead is not None:
        return ahead
    raise NotFound(f"version of {family.key} in force at", f"{moment:%Y-%m-%d}", _known(family))


def _known(family: Family) -> str:
    """The labels that there are, with the days from which they hold."""
    listed = [f"{one.version_label} (since {one.valid_from:%Y-%m-%d})" for one in family.versions]
    shown = listed if len(listed) <= _MOST else [*listed[:2], "…", *listed[-2:]]
    return f"it has {', '.join(shown)}"


def _key(words: str) -> str:
    return re.sub(r"[\W_]+", "", fold(words))
