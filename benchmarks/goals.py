"""Goals: ratios with a bound, printed on lines that `python -m benchmarks` gathers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MARK = "goal "
"""What the line of a goal begins with."""


class Goal(NamedTuple):
    """A ratio that must not lie beyond its bound."""

    name: str
    text: str
    ratio: float
    bound: float
    at_most: bool = False
    """Whether the bound is the largest ratio allowed, not the least."""

    @property
    def reached(self) -> bool:
        """Whether it holds."""
        return self.ratio <= self.bound if self.at_most else self.ratio >= self.bound

    def __str__(self) -> str:
        """Fit one line."""
        limit = "at most" if self.at_most else "at least"
        verdict = "reached" if self.reached else "MISSED"
        return (
            f"{MARK}{self.name:4}{self.text:58}{self.ratio:6.2f}"
            f"  {limit:8} {self.bound:.2f}  {verdict}"
        )


def report(goals: Iterable[Goal]) -> bool:
    """Print all; whether all were reached."""
    verdicts = []
    for goal in goals:
        print(goal, flush=True)
        verdicts.append(goal.reached)
    return all(verdicts)
