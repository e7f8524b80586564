"""What an examination reports."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken promise: where, what, and whether it can be repaired from what is true."""

    check: str
    """Name of the check that found it."""
    user_id: str
    """Whose memory; empty for the store as a whole."""
    subject: str
    """Id of the thing concerned: ``f3``, ``t12``, a table, a file."""
    detail: str
    """One clause that says what is wrong."""
    repairable: bool = False
    """Whether it concerns something derived, which ``repair`` makes anew."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of one check."""

    name: str
    promise: str
    """What the check holds the store to."""
    examined: int
    """How many things were looked at."""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an examination, and what a repair did before it."""

    checks: tuple[Checked, ...]
    repaired: tuple[str, ...] = ()
    """What was repaired, one sentence each."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem found, in the order of the checks."""
        return tuple(problem for checked in self.checks for problem in checked.problems)

    @property
    def healthy(self) -> bool:
        """Whether every promise holds."""
        return not self.problems

    def document(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {
            "healthy": self.healthy,
            "checks": [
                {
                    "name": checked.name,
                    "promise": checked.promise,
                    "examined": checked.examined,
                    "problems": [asdict(problem) for problem in checked.problems],
                }
                for checked in self.checks
            ],
            "repaired": list(self.repaired),
        }
