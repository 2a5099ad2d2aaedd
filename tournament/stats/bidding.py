"""How each bot did by size of deal, and whether its bids mean what they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tournament.outcome import BlockResult


class SizeScore(NamedTuple):
    """One bot's deals of one size; `bid_hit` is None where it never bid."""

    size: int
    deals: int
    points_per_deal: float
    bid_hit: float | None


class BidOutcome(NamedTuple):
    """What became of one bot's bids of one value; `mean_tricks` is what it took."""

    bid: int
    times: int
    bid_hit: float
    mean_tricks: float


def by_size(results: Sequence[BlockResult], bots: int) -> list[list[SizeScore]]:
    """Give each bot's scores by size of deal, small ones first."""
    sums: list[defaultdict[int, list[int]]] = [
        defaultdict(lambda: [0, 0, 0, 0]) for _ in range(bots)
    ]
    for result in results:
        for copy in result.copies:
            for bot, rows in zip(copy.seats, copy.tallies, strict=True):
                for row in rows:
                    cell = sums[bot][row.size]
                    cell[0] += row.deals
                    cell[1] += row.points
                    if row.bid is not None:
                        cell[2] += row.deals
                        cell[3] += row.hits
    return [
        [
            SizeScore(size, deals, points / deals, hits / bids if bids else None)
            for size, (deals, points, bids, hits) in sorted(own.items())
        ]
        for own in sums
    ]


def calibration(results: Sequence[BlockResult], bots: int) -> list[list[BidOutcome]]:
    """Give each bot's outcomes by bid, low bids first."""
    sums: list[defaultdict[int, list[int]]] = [
        defaultdict(lambda: [0, 0, 0]) for _ in range(bots)
    ]
    for result in results:
        for copy in result.copies:
            for bot, rows in zip(copy.seats, copy.tallies, strict=True):
                for row in rows:
                    if row.bid is not None:
                        cell = sums[bot][row.bid]
                        cell[0] += row.deals
                        cell[1] += row.hits
                        cell[2] += row.tricks
    return [
        [
            BidOutcome(bid, times, hits / times, tricks / times)
            for bid, (times, hits, tricks) in sorted(own.items())
        ]
        for own in sums
    ]
