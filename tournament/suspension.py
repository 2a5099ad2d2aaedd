"""Bots that do not act for themselves any more are asked no further.

A pure function of the committed blocks: a bot is suspended once it has played three
blocks and the fallback player has made more than a tenth of its decisions. Its seats
are then kept by the fallback player, so that nobody waits for it and the schedule stays
balanced.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.outcome import BlockResult, CopyResult

FEWEST_BLOCKS = 3
MOST_FALLBACKS = 0.1


class Suspensions:
    """Who is suspended after each number of committed blocks."""

    def __init__(self, bots: int) -> None:
        """Begin with no blocks."""
        self._blocks = [0] * bots
        self._decisions = [0] * bots
        self._fallbacks = [0] * bots
        self._after: list[frozenset[int]] = [frozenset()]

    def add(self, result: BlockResult) -> None:
        """Count one more block, the next in schedule order."""
        for bot in result.seating:
            self._blocks[bot] += 1
        for copy in result.copies:
            for seat, bot in enumerate(copy.seats):
                self._decisions[bot] += decisions(copy, seat)
                self._fallbacks[bot] += copy.fallbacks[seat]
        unfit = frozenset(bot for bot in result.seating if self._is_unfit(bot))
        before = self._after[-1]
        # One set for long stretches: a run can have a million blocks.
        self._after.append(before if unfit <= before else before | unfit)

    def after(self, blocks: int) -> frozenset[int]:
        """Give the bots suspended by the first so many blocks."""
        return self._after[blocks]

    @property
    def now(self) -> frozenset[int]:
        """Give the bots suspended by all blocks so far."""
        return self._after[-1]

    def _is_unfit(self, bot: int) -> bool:
        allowed = MOST_FALLBACKS * self._decisions[bot]
        return self._blocks[bot] >= FEWEST_BLOCKS and self._fallbacks[bot] > allowed


def suspended(results: Sequence[BlockResult], bots: int) -> frozenset[int]:
    """Give the bots suspended by committed blocks in schedule order."""
    suspensions = Suspensions(bots)
    for result in results:
        suspensions.add(result)
    return suspensions.now


def decisions(copy: CopyResult, seat: int) -> int:
    """Count the bids and cards of a seat; choices of trump are not among them."""
    return sum(
        row.deals * (row.size + (row.bid is not None)) for row in copy.tallies[seat]
    )
