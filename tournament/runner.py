"""Plays a course to its end, so many tables at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Protocol

from tournament.blocks import MatchPlan
from tournament.course import Course
from tournament.executors.port import Executor, MatchVoid, Played
from tournament.outcome import BlockResult
from tournament.stopping import Stopping, Urgency

GRACE = 30.0
"""Seconds that blocks under way get when a run is to end soon."""


class Audience(Protocol):
    """Who hears how a run goes on."""

    def committed(self, results: Sequence[BlockResult]) -> None:
        """Blocks have been committed, in schedule order."""

    def voided(self, block: int, reason: str) -> None:
        """A block is played again; no bot is to blame."""


class Runner:
    """Keeps `concurrency` tables busy as long as the course has matches."""

    def __init__(
        self,
        course: Course,
        executor: Executor,
        *,
        concurrency: int,
        audience: Audience,
        stopping: Stopping,
    ) -> None:
        self._course = course
        self._executor = executor
        self._concurrency = concurrency
        self._audience = audience
        self._stopping = stopping
        self._running: dict[asyncio.Task[Played], MatchPlan] = {}
        self._dropped: set[asyncio.Task[Played]] = set()
        """Matches of voided blocks, on their way out."""

    async def run(self) -> None:
        """Return at the end of the course or when asked to stop.

        Raises `TooManyVoids`; whatever happens, no match is under way afterwards.
        """
        changed = asyncio.create_task(self._watch_stopping())
        try:
            while True:
                self._fill()
                if not self._running or changed.done():
                    return
                await asyncio.wait(
                    {changed, *self._running}, return_when=asyncio.FIRST_COMPLETED
                )
                self._take_in_ended()
        finally:
            changed.cancel()
            for task in self._running:
                task.cancel()
            under_way = (*self._running, *self._dropped)
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _watch_stopping(self) -> None:
        """Return when matches under way are to be voided."""
        await self._stopping.reached(Urgency.SOON)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._stopping.reached(Urgency.NOW)

    def _fill(self) -> None:
        open_blocks = self._stopping.urgency is Urgency.NONE
        while len(self._running) < self._concurrency:
            plan = self._course.next_match(open_blocks=open_blocks)
            if plan is None:
                return
            task = asyncio.create_task(self._executor.play(plan))
            self._running[task] = plan

    def _take_in_ended(self) -> None:
        for task in [task for task in self._running if task.done()]:
            # A voided block takes the other matches of its block with it.
            if plan := self._running.pop(task, None):
                self._take_in(task, plan)

    def _take_in(self, task: asyncio.Task[Played], plan: MatchPlan) -> None:
        try:
            match = task.result()
        except MatchVoid as void:
            self._drop(plan.block)
            self._audience.voided(plan.block, str(void))
            self._course.voided(plan.block, str(void))
            return
        if results := self._course.played(plan, match):
            self._audience.committed(results)

    def _drop(self, block: int) -> None:
        for task, plan in list(self._running.items()):
            if plan.block == block:
                del self._running[task]
                task.cancel()
                self._dropped.add(task)
                task.add_done_callback(self._dropped.discard)
