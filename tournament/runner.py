"""Plays a course to its end, so many tables at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

import structlog

from tournament.blocks import MatchPlan
from tournament.course import Course
from tournament.executors.port import Executor, MatchVoid, Played
from tournament.outcome import BlockResult
from tournament.stopping import Stopping, Urgency


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
        audience: Sequence[Audience],
        stopping: Stopping,
    ) -> None:
        """`audience` hears of everything in the order given."""
        self._course = course
        self._executor = executor
        self._concurrency = concurrency
        self._audience = audience
        self._stopping = stopping
        self._running: dict[asyncio.Task[Played], MatchPlan] = {}
        self._dropped: set[asyncio.Task[Played]] = set()
        """Matches of voided blocks, on their way out."""
        self._log = structlog.get_logger("runner")

    async def run(self) -> None:
        """Return at the end of the course, or of the blocks under way when stopping.

        Raises `TooManyVoids`. However this ends, no match is under way afterwards.
        """
        try:
            while self._fill():
                await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
                self._take_in_ended()
        finally:
            under_way = (*self._running, *self._dropped)
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    def _fill(self) -> bool:
        """Start matches while there are tables for them; whether any are under way."""
        open_blocks = self._stopping.urgency is Urgency.NONE
        while len(self._running) < self._concurrency:
            plan = self._course.next_match(open_blocks=open_blocks)
            if plan is None:
                break
            self._running[asyncio.create_task(self._executor.play(plan))] = plan
        return bool(self._running)

    def _take_in_ended(self) -> None:
        for task in [task for task in self._running if task.done()]:
            # A voided block takes the other matches of its block with it.
            if plan := self._running.pop(task, None):
                self._take_in(task, plan)

    def _take_in(self, task: asyncio.Task[Played], plan: MatchPlan) -> None:
        try:
            match = task.result()
        except MatchVoid as void:
            self._void(plan.block, str(void))
        except Exception as error:  # noqa: BLE001 - our own mistake costs a block, not the run
            self._log.error("match_failed", match=plan.name, exc_info=error)
            self._void(plan.block, f"{type(error).__name__}: {error}")
        else:
            if results := self._course.played(plan, match):
                for listener in self._audience:
                    listener.committed(results)

    def _void(self, block: int, reason: str) -> None:
        for task, plan in list(self._running.items()):
            if plan.block == block:
                del self._running[task]
                task.cancel()
                self._dropped.add(task)
                task.add_done_callback(self._dropped.discard)
        for listener in self._audience:
            listener.voided(block, reason)
        self._course.voided(block, reason)
