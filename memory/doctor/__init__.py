"""The doctor: holds a store to the promises that the project makes, and repairs what is derived."""

from .examination import examine, repair
from .problems import Checked, Problem, Report

__all__ = ["Checked", "Problem", "Report", "examine", "repair"]
