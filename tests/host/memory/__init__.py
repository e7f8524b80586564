"""A host's own memory."""

KEPT: list[str] = []


def keep(text: str) -> None:
    """Keep a text."""
    KEPT.append(text)
