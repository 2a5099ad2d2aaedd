"""Goals: ratios with a bound, printed on lines that `python -m benchmarks` gathers."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

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
    rounds: Sequence[float] = ()
    """Ratios of single rounds, where there were any: the ratio is their median."""

    @classmethod
    def of_rounds(
        cls,
        name: str,
        text: str,
        rounds: Sequence[float],
        bound: float,
        *,
        at_most: bool = False,
    ) -> Self:
        """A goal for the median of what single rounds have given."""
        return cls(name, text, statistics.median(rounds), bound, at_most, rounds)

    @property
    def reached(self) -> bool:
        """Whether it holds."""
        return self.ratio <= self.bound if self.at_most else self.ratio >= self.bound

    @property
    def seen(self) -> str:
        """What was measured, without a verdict."""
        spread = f"{min(self.rounds):.2f}-{max(self.rounds):.2f}" if self.rounds else ""
        return f"{self.name:4}{self.text:58}{self.ratio:6.2f} {spread:11}"

    def __str__(self) -> str:
        """Fit one line."""
        limit = "at most" if self.at_most else "at least"
        verdict = "reached" if self.reached else "MISSED"
        return f"{MARK}{self.seen}{limit:8} {self.bound:.2f}  {verdict}"


def report(goals: Iterable[Goal]) -> bool:
    """Print all; whether all were reached."""
    verdicts = []
    for goal in goals:
        print(goal, flush=True)
        verdicts.append(goal.reached)
    return all(verdicts)
