"""The report of a run: one HTML page that needs nothing besides itself."""

from .page import write_report

__all__ = ["write_report"]
