"""How a clause is called: before its text, for whoever reads it, a model included; and in a list."""

from .categories import term
from .records import Clause


def prefix_of(clause: Clause) -> str:
    """What stands before a clause: ``[CONTRACT_A_v2.1] CONTRACT_PAYMENT_5.2 (payment_term)``."""
    return f"[{clause.handle}] {clause.clause_id} ({term(clause.category)})"


def label_of(clause: Clause) -> str:
    """Its number as it is written."""
    return clause.label.strip(" .:、：") or clause.at.text


def called(clause: Clause) -> str:
    """Its number as it is written, and its heading."""
    label = label_of(clause)
    return f"{label} {clause.heading}" if clause.heading and clause.heading not in label else label
