"""What is to be played next: the schedule minus the journal.

A course opens blocks in schedule order, at most `lookahead` of them beyond the last
committed one, hands out their matches, and stores a block when its last copy has ended.
Nothing here waits for anything.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from engine.commitments import GROUP
from engine.shuffle import ORDER_LABEL, Words
from tournament.blocks import MatchPlan, plan_block
from tournament.commitments import Promise, promise
from tournament.deciding import UntilDecided, blocks_to_play, decider_of
from tournament.executors.port import Played
from tournament.journal import Charter, Journal
from tournament.outcome import BlockResult
from tournament.schedule import Block, Draw, Schedule, round_robin
from tournament.spec import Dialled, Duplicate, ScheduleKind, Spec
from tournament.suspension import Suspensions

MOST_VOIDS = 3


class TooManyVoids(Exception):
    """A block that cannot be played to its end, for reasons of our own."""


@dataclass
class _Open:
    """A block under way."""

    block: Block
    attempt: int
    played: dict[int, Played] = field(default_factory=dict)
    voids: int = 0


def schedule_of(spec: Spec, charter: Charter) -> Schedule:
    """Give the schedule of a run; the draws of a block come from its first attempt."""

    def order(index: int) -> Draw:
        return Words(charter.seeds.seed(index, 0), ORDER_LABEL).draw

    schedule: Schedule
    match spec.schedule:
        case ScheduleKind.ROUND_ROBIN:
            schedule = round_robin(len(spec.entrants), spec.seats, order)
        case _:
            assert_never(spec.schedule)
    decider = decider_of(spec)
    return schedule if decider is None else UntilDecided(schedule, decider)


class Course:
    """The blocks of a run between schedule and journal."""

    def __init__(self, spec: Spec, journal: Journal) -> None:
        self._journal = journal
        self._schedule = schedule_of(spec, journal.charter)
        self._trusted = tuple(entrant.trusted for entrant in spec.entrants)
        self._outlives = tuple(
            isinstance(entrant.source, Dialled) and not entrant.trusted
            for entrant in spec.entrants
        )
        """Bots whose processes have seen what a killed run had begun."""
        self._lookahead = spec.lookahead
        self.committed: list[BlockResult] = []
        """Results in schedule order, without gaps."""
        self._early: dict[int, BlockResult] = {}
        """Finished, while one before it is not."""
        self._attempts = journal.unfinished()
        self._open: dict[int, _Open] = {}
        self._ready: list[tuple[int, int, MatchPlan]] = []
        self._next = 0
        self._suspensions = Suspensions(len(spec.entrants))
        self._duplicate = spec.duplicate is Duplicate.ON
        self._planned = spec.blocks
        self._promised = {(one.first, one.attempt) for one in journal.promises()}
        self.on_promise: Callable[[Promise], None] | None = None
        """Publishes what is promised; called before the first prompt that it covers."""
        for result in journal.results():
            self._early[result.block] = result
        self._advance()
        self.blocks = blocks_to_play(spec, self.committed)

    @property
    def finished(self) -> bool:
        """True when every block is committed."""
        return len(self.committed) == self.blocks

    def next_match(self, *, open_blocks: bool = True) -> MatchPlan | None:
        """Give a match to be started, or None while there is none.

        Copies of blocks under way come first, those of the earliest block before
        others; without `open_blocks` no further block is begun.
        """
        if not self._ready and open_blocks:
            self._open_next()
        if not self._ready:
            return None
        return heapq.heappop(self._ready)[2]

    def played(self, plan: MatchPlan, match: Played) -> Sequence[BlockResult]:
        """Take in a match; give the blocks that are committed by it, in order."""
        block = self._open[plan.block]
        block.played[plan.copy] = match
        if len(block.played) < len(plan.seats):
            return ()
        del self._open[plan.block]
        copies = tuple(block.played[copy] for copy in range(len(plan.seats)))
        result = BlockResult(
            plan.block,
            plan.attempt,
            block.block.seating,
            tuple(copy.result for copy in copies),
        )
        self._journal.finish(result, b"".join(copy.record for copy in copies))
        self._early[plan.block] = result
        return self._advance()

    def voided(self, index: int, reason: str) -> None:
        """Have a block played again from the start; raises `TooManyVoids`.

        A process that is not trusted has seen its cards and still runs: then the
        block gets another seed.
        """
        block = self._open[index]
        block.voids += 1
        if block.voids >= MOST_VOIDS:
            msg = f"block {index} was voided {block.voids} times, last because {reason}"
            raise TooManyVoids(msg)
        if not all(self._trusted[bot] for bot in block.block.seating):
            block.attempt += 1
        block.played.clear()
        self._ready = [entry for entry in self._ready if entry[0] != index]
        heapq.heapify(self._ready)
        self._deal(block)

    def _open_next(self) -> None:
        while self._next in self._early or self._next < len(self.committed):
            self._next += 1
        index = self._next
        if index >= self.blocks or index >= len(self.committed) + self._lookahead:
            return
        steering = self.committed[: max(0, index - self._lookahead)]
        block = self._schedule.block(index, steering)
        if block is None:
            self.blocks = index
            return
        self._next += 1
        # What a killed run has begun is played by processes started since, so the
        # same seed may be dealt again; but not to processes that it did not start.
        attempt = self._attempts.get(index, 0)
        if index in self._attempts and any(
            self._outlives[bot] for bot in block.seating
        ):
            attempt += 1
        self._open[index] = _Open(block, attempt)
        self._deal(self._open[index])

    def _deal(self, block: _Open) -> None:
        seeds = self._journal.charter.seeds
        self._promise(block.block.index, block.attempt)
        self._journal.begin(block.block.index, block.attempt)
        steering = max(0, block.block.index - self._lookahead)
        plans = plan_block(
            block.block,
            block.attempt,
            seed=seeds.seed(block.block.index, block.attempt),
            duplicate=self._duplicate,
            suspended=self._suspensions.after(steering),
        )
        for plan in plans:
            heapq.heappush(self._ready, (plan.block, plan.copy, plan))

    def _promise(self, index: int, attempt: int) -> None:
        group = (index if attempt else index - index % GROUP), attempt
        if group in self._promised:
            return
        seeds = self._journal.charter.seeds
        fresh = promise(seeds, index, attempt, blocks=self._planned)
        self._journal.promise(fresh)
        self._promised.add(group)
        if self.on_promise is not None:
            self.on_promise(fresh)

    def _advance(self) -> Sequence[BlockResult]:
        fresh = []
        while (result := self._early.pop(len(self.committed), None)) is not None:
            self.committed.append(result)
            self._suspensions.add(result)
            fresh.append(result)
        return fresh
