"""What changed between two documents, and a document after a change: JSON merge patches (RFC 7396).

A key that is gone is ``null`` in the patch, so no document holds ``null``; a list is a value and replaced whole.
"""

from typing import Any

Document = dict[str, Any]


def merge_patch(before: Document, after: Document) -> Document:
    """What turns ``before`` into ``after``; empty where nothing changed."""
    patch: Document = dict.fromkeys(before.keys() - after.keys())
    for key, value in after.items():
        known = before.get(key)
        if isinstance(value, dict) and isinstance(known, dict):
            if inner := merge_patch(known, value):
                patch[key] = inner
        elif key not in before or not _same(known, value):
            patch[key] = value
    return {key: patch[key] for key in sorted(patch)}


def patched(document: Document, patch: Document) -> Document:
    """The document after a change; neither argument is altered."""
    result = dict(document)
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        elif isinstance(change, dict):
            inner = result.get(key)
            result[key] = patched(inner if isinstance(inner, dict) else {}, change)
        else:
            result[key] = change
    return result


def without_nulls(document: Document) -> Document:
    """The document as a patch of nothing leaves it: keys whose value is ``null`` are not there."""
    return patched({}, document)


def _same(one: Any, other: Any) -> bool:
    # In Python, 1 == True == 1.0; as JSON they are three values.
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)
