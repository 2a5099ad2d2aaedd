"""Means over matches, with what the chance of the deals leaves uncertain.

Matches of a block share their deals, so a block counts as one observation: with sums
y and counts x by block, the mean r = sum(y) / sum(x) has the standard error
sqrt(B / (B - 1) * sum((y - r x)^2)) / sum(x) over B blocks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from tournament.outcome import CopyResult


class Estimate(NamedTuple):
    """None where nothing was counted, and for the error of a single block."""

    value: float | None
    error: float | None


class Line(NamedTuple):
    """One bot's figures; shares are of the seats it had, and of the bids it made."""

    bot: str
    seats: int
    points_per_match: Estimate
    points_per_deal: Estimate
    win_share: Estimate
    bids_hit: Estimate


def ratio(sums: Sequence[float], counts: Sequence[int]) -> Estimate:
    """The mean of what was summed up by block."""
    total = sum(counts)
    if not total:
        return Estimate(None, None)
    mean = sum(sums) / total
    blocks = len(sums)
    if blocks == 1:
        return Estimate(mean, None)
    squares = sum((y - mean * x) ** 2 for y, x in zip(sums, counts, strict=True))
    return Estimate(mean, sqrt(blocks / (blocks - 1) * squares) / total)


class Sums:
    """What the matches of one bot add up to, by block."""

    def __init__(self) -> None:
        self._by_block: defaultdict[int, _Block] = defaultdict(_Block)

    def add(self, block: int, result: CopyResult, seat: int) -> None:
        """Count one seat of one match."""
        own = self._by_block[block]
        own.seats += 1
        own.deals += result.deals
        own.points += result.totals[seat]
        if seat in result.winners:
            own.wins += 1 / len(result.winners)
        for row in result.tallies[seat]:
            if row.bid is not None:
                own.bids += row.deals
                own.hits += row.hits

    def line(self, bot: str) -> Line:
        """Give the figures."""
        blocks = list(self._by_block.values())
        seats = [block.seats for block in blocks]
        points = [block.points for block in blocks]
        return Line(
            bot,
            sum(seats),
            ratio(points, seats),
            ratio(points, [block.deals for block in blocks]),
            ratio([block.wins for block in blocks], seats),
            ratio([block.hits for block in blocks], [block.bids for block in blocks]),
        )


class _Block:
    def __init__(self) -> None:
        self.seats = 0
        self.deals = 0
        self.points = 0
        self.wins = 0.0
        self.bids = 0
        self.hits = 0
