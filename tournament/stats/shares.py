"""Win share and bid-hit rate, each a ratio of two counts that blocks add to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tournament.stats.intervals import Interval, around_share

if TYPE_CHECKING:
    from tournament.outcome import BlockResult, CopyResult


class Share(NamedTuple):
    """A rate in 0..1 and its interval by block."""

    rate: float
    interval: Interval | None


class _Count(NamedTuple):
    """What one block adds to a rate: `hits` out of `chances`."""

    hits: float
    chances: int


def win_shares(results: Sequence[BlockResult], bots: int) -> list[Share | None]:
    """Give each bot's wins per match, a win shared by n counting 1/n for each."""
    counts: list[list[_Count]] = [[] for _ in range(bots)]
    for result in results:
        for bot in result.seating:
            won = math.fsum(_won(copy, bot) for copy in result.copies)
            counts[bot].append(_Count(won, len(result.copies)))
    return [_share(one) for one in counts]


def bid_hits(results: Sequence[BlockResult], bots: int) -> list[Share | None]:
    """Give each bot's bids met per bid made; deals without a bid do not count."""
    counts: list[list[_Count]] = [[] for _ in range(bots)]
    for result in results:
        for bot in result.seating:
            rows = [
                row
                for copy in result.copies
                for row in copy.tallies[copy.seats.index(bot)]
                if row.bid is not None
            ]
            hits, bids = sum(r.hits for r in rows), sum(r.deals for r in rows)
            counts[bot].append(_Count(hits, bids))
    return [_share(one) for one in counts]


def _won(copy: CopyResult, bot: int) -> float:
    return 1 / len(copy.winners) if copy.seats.index(bot) in copy.winners else 0.0


def _share(counts: Sequence[_Count]) -> Share | None:
    """Give the ratio of the sums with its linearised error; None without chances."""
    chances = sum(count.chances for count in counts)
    if not chances:
        return None
    rate = math.fsum(count.hits for count in counts) / chances
    blocks = len(counts)
    squares = math.fsum((one.hits - rate * one.chances) ** 2 for one in counts)
    error = math.sqrt(squares * blocks / max(blocks - 1, 1)) / chances
    return Share(rate, around_share(rate, error, blocks))
