"""Runs that end once it is decided which of two bots is better.

What is decided is a function of the committed blocks in schedule order, and ends the
schedule `lookahead` blocks later, as everything does that steers a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tournament.leads import widest_lead
from tournament.schedule import Block, Schedule
from tournament.spec import Spec
from tournament.stats.anytime import BettingInterval
from tournament.stats.scores import mean_scores

if TYPE_CHECKING:
    from tournament.outcome import BlockResult
    from tournament.stats.intervals import Interval


def difference(result: BlockResult, bots: tuple[int, int]) -> float | None:
    """Points per deal of the one minus the other's; None where they did not meet."""
    if not set(bots) <= set(result.seating):
        return None
    scores = dict(zip(result.seating, mean_scores(result), strict=True))
    return scores[bots[0]] - scores[bots[1]]


class Decider:
    """Follows the committed blocks of a run as there come to be more of them."""

    def __init__(self, bots: tuple[int, int], widest: float) -> None:
        """`bots` are the two, by index; their difference is at most `widest`."""
        self._bots = bots
        self._seen = 0
        self._difference = BettingInterval(widest)
        self.after: int | None = None
        """The number of blocks with which it was decided."""
        self.better: int | None = None
        """The better bot, by index."""

    @property
    def interval(self) -> Interval | None:
        """About the difference, with all blocks that have been seen."""
        return self._difference.interval()

    def see(self, committed: Sequence[BlockResult]) -> None:
        """Take in what is new: the same blocks as before, and perhaps more."""
        for result in committed[self._seen :]:
            self._seen += 1
            value = difference(result, self._bots)
            if value is None:
                continue
            self._difference.add(value)
            sign = self._difference.sign
            if self.after is None and sign:
                self.after = self._seen
                self.better = self._bots[0 if sign > 0 else 1]

    def is_decided(self, committed: Sequence[BlockResult]) -> bool:
        """Whether these blocks decide it, be they fewer than have been seen."""
        self.see(committed)
        return self.after is not None and self.after <= len(committed)


class UntilDecided:
    """A schedule that ends once the blocks that steer it have decided."""

    def __init__(self, schedule: Schedule, decider: Decider) -> None:
        self._schedule = schedule
        self._decider = decider

    def block(self, index: int, committed: Sequence[BlockResult]) -> Block | None:
        """Give block `index` of the schedule, or None past the end."""
        if self._decider.is_decided(committed):
            return None
        return self._schedule.block(index, committed)


def decider_of(spec: Spec) -> Decider | None:
    """Give what decides a run of this spec, if anything does."""
    if spec.decide is None:
        return None
    one, other = (spec.names.index(name) for name in spec.decide)
    return Decider((one, other), widest_lead(spec.rules, spec.seats))


def blocks_to_play(spec: Spec, committed: Sequence[BlockResult]) -> int:
    """How many blocks a run comes to, as far as the committed ones tell."""
    decider = decider_of(spec)
    if decider is None:
        return spec.blocks
    decider.see(committed)
    if decider.after is None:
        return spec.blocks
    return min(spec.blocks, decider.after + spec.lookahead)
