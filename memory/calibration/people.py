"""Whom a name means."""

_SHORT_NAME = 3
"""A name of fewer letters is no short form of another."""


def same_person(speaker: str, name: str | None) -> bool:
    """Whether a folded name is a speaker's, or the beginning of it ("mel" for "melanie")."""
    if name is None:
        return False
    short, long = sorted((speaker, name), key=len)
    return speaker == name or (len(short) >= _SHORT_NAME and long.startswith(short))
