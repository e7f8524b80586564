"""Is only what belongs there shown? Precision of what is chosen, and the cases that must not fail."""

from collections.abc import Collection, Sequence


def precision(shown: Collection[str], relevant: Collection[str]) -> float | None:
    """The share of what is shown that is relevant; ``None`` where nothing is shown."""
    return len(set(shown) & set(relevant)) / len(set(shown)) if shown else None


def share_of(relevant: Collection[str], shown: Collection[str]) -> float | None:
    """The share of what is relevant that is shown; ``None`` where nothing is."""
    return len(set(relevant) & set(shown)) / len(set(relevant)) if relevant else None


def failures(shown: Sequence[str], demanded: Collection[str], excluded: Collection[str]) -> list[str]:
    """What is wrong with what is shown, one sentence each; nothing is right."""
    found = [f"{one} is missing" for one in demanded if one not in shown]
    return found + [f"{one} is shown" for one in excluded if one in shown]
