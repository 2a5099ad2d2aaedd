"""A 95 % interval that may be looked at after every block, and acted upon.

An ordinary interval that is looked at again and again excludes the truth sooner or
later. This one holds it at all times together with probability 0.95, so that a run may
end because of it. It is the set of means m that no bettor has refuted: the e-value

    E_n(m) = sqrt(c / (n + c)) * (1 - S^2 / ((n + c) V))^(-n/2)

with S and V the sums of x - m and of its square stays below 1 / 0.05. E_n is the
likelihood ratio of "the mean is m + s d, with d normal and of variance 1 / c" to "the
mean is m", whatever the deviation s (right Haar prior), and a nonnegative martingale
of mean 1 under the latter. Solved for m it is an interval about the sample mean.

It is exact for normal values, which means over the copies and deals of a block are
near to. Simulated on 2,000 blocks: 3.4 % of runs without a difference are decided, and
6 % where the values are as skewed as exponential ones. Where nine values of ten are the
same small gain and the tenth is a loss as large as all of them, it is 25 %.

References: Lai 1976; Wang and Ramdas 2024, "Anytime-valid t-tests and confidence
sequences for Gaussian means with unknown variance".
"""

from __future__ import annotations

import math
from typing import Final

from tournament.stats.intervals import CONFIDENCE, Interval

WEIGHT: Final = 25.0
"""c: differences of about a fifth of a block's deviation are decided soonest."""
FEWEST: Final = 15
"""With fewer values no mean is refuted, whatever they are."""


class Running:
    """The values so far: their number, mean, and spread."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        """Sum of the squared distances from the mean."""

    def add(self, value: float) -> None:
        """Take in one block (after Welford 1962)."""
        self.count += 1
        distance = value - self.mean
        self.mean += distance / self.count
        self._squares += distance * (value - self.mean)

    def interval(self) -> Interval | None:
        """Give the interval; None while any mean is possible."""
        n, c = self.count, WEIGHT
        if n < FEWEST:
            return None
        # r is the least S^2 / ((n + c) V) at which E_n(m) reaches 1 / 0.05.
        logarithm = math.log((1 - CONFIDENCE) ** 2 * c / (n + c)) / n
        r = -math.expm1(logarithm)
        room = n - r * (n + c)
        half = math.sqrt(r * (n + c) * self._squares / (n * room))
        return Interval(self.mean - half, self.mean + half)
