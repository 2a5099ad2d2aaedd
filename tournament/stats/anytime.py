"""A 95 % interval that may be looked at after every block, and acted upon.

An ordinary interval that is looked at again and again excludes the truth sooner or
later, and the sooner the rarer the blocks are that would have told. This one holds the
mean at all times together with probability 0.95, for any values between -B and B: it
is the set of means m that no bettor has refuted. One who bets that the mean is above m
begins with 1 and keeps at every value x the same part u of the most that can be put
at stake without a debt, which leaves

    W_n(m) = prod (1 - u + u (x_i + B) / (m + B))

If the mean is m, whatever the values before, this is a nonnegative martingale: it ever
reaches 40 with probability 1/40 at most (Ville 1939). The same is true of the mean of
several such bettors' money, and of those who bet that the mean is below m; each side
gives one end of the interval. Values that are all d refute 0 after about log(80) B / d
blocks, and no interval that holds for all values in these bounds can do so before
log(40) B / d: so long may the block that loses B, and with it all that was won, fail to
come. Where values vary more than that, the smaller bets take over.

References: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables
by betting" (hedged capital, with a grid of bets).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tournament.stats.intervals import Interval
from tournament.stats.scores import Floats

ODDS: Final = 40.0
"""Against a mean that is refuted: each end is wrong with probability 0.025."""
BETS: Final = tuple((2.0**-i, 2.0 ** -min(i + 1, 7)) for i in range(8))
"""Parts at stake, and how much of the money each begins with.

The largest is right where values are small against B, which those of blocks of many
deals are; each next one is right for a difference of half the size and costs its bettor
a factor of 2, that is B / difference * 0.7 blocks.
"""
_MOST: Final = 1e300
"""Money beyond it is given away, so that none becomes infinite."""


class BettingInterval:
    """The interval, and whether 0 is in it, after every value that is added."""

    def __init__(self, bound: float) -> None:
        """No value is above `bound` or below -`bound`."""
        self._bound = bound
        self._values: list[float] = []
        self._above = [begun for _, begun in BETS]
        self._below = [begun for _, begun in BETS]
        """Money of those who bet that the mean is above, and below, 0."""

    def add(self, value: float) -> None:
        """Take in one block."""
        self._values.append(value)
        # Products only, which every machine rounds alike: runs end because of them.
        part = value / self._bound
        self._above = _after(self._above, part)
        self._below = _after(self._below, -part)

    @property
    def sign(self) -> int:
        """1 or -1 where a mean of 0 and all beyond it are refuted now, else 0."""
        if sum(self._above) >= ODDS:
            return 1
        return -1 if sum(self._below) >= ODDS else 0

    def interval(self) -> Interval | None:
        """Give the means that are not refuted; None without a value."""
        if not self._values:
            return None
        values = np.array(self._values)
        return Interval(
            _lower_end(values, self._bound), -_lower_end(-values, self._bound)
        )


def _after(money: list[float], part: float) -> list[float]:
    """After a value of `part` times the bound."""
    return [
        min(held * max(0.0, 1 + stake * part), _MOST)
        for (stake, _), held in zip(BETS, money, strict=True)
    ]


def _lower_end(values: Floats, bound: float) -> float:
    """The largest mean, to 1e-12 of the bound, that is refuted from above."""
    refuted, possible = -bound, float(values.mean())
    while possible - refuted > 1e-12 * bound:
        middle = (refuted + possible) / 2
        if _log_money(values, bound, middle) >= math.log(ODDS):
            refuted = middle
        else:
            possible = middle
    return refuted


def _log_money(values: Floats, bound: float, mean: float) -> float:
    """Of those who bet that the mean is above `mean`."""
    gains = np.maximum(values + bound, 0.0) / (mean + bound)
    with np.errstate(divide="ignore"):
        each = [
            math.log(begun) + float(np.log(1 - stake + stake * gains).sum())
            for stake, begun in BETS
        ]
    most = max(each)
    return most + math.log(math.fsum(math.exp(one - most) for one in each))
