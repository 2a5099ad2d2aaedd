"""When refusals at the door are told: those of one connection ever later.

At the door is refused whoever shows no valid token, sends what is no message, calls a
method that does not exist, or comes too often: before anybody looks at what is asked.
So many of them a connection is told at once, as mistakes are made; those beyond wait
for their turn, one after the other, so that a storm of them brings itself to a stand.
Only refusals wait. Whatever is right is answered as ever, on the same connection too,
and what others at the same address do is no matter.
"""

from __future__ import annotations

import asyncio
from typing import Final

from grpc import StatusCode

from server.host import Host
from server.limits import Buckets, Quota
from server.rpc.rates import too_often
from server.rpc.status import Problem

_STATUSES: Final = frozenset({StatusCode.UNAUTHENTICATED, StatusCode.UNIMPLEMENTED})
_REASONS: Final = frozenset({"MALFORMED_MESSAGE", "RATE_LIMITED"})


def at_the_door(problem: Problem) -> bool:
    """Whether nobody has looked at what was asked."""
    return problem.status in _STATUSES or problem.reason in _REASONS


class Pace:
    """One for each listener; lives on its event loop."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._owed = Buckets()
        """By connection."""
        self._held: set[asyncio.Future[None]] = set()
        self._over = False

    def judged(self, problem: Problem, peer: str) -> tuple[Problem, float]:
        """What the caller is told, and after how many seconds."""
        if self._over or not at_the_door(problem):
            return problem, 0.0
        limits = self._host.limits
        quota = Quota(f"connection:{peer}", "refusals_per_s")
        wait_s = self._owed.owe(
            quota,
            per_s=limits.refusals_per_s,
            burst=limits.refusals_burst,
            now=self._host.alarms.clock(),
        )
        if not wait_s:
            return problem, 0.0
        if len(self._held) >= limits.held_refusals:
            return too_often(quota, wait_s), 0.0
        longest_s = self._host.patience.refused_ms / 1000
        if wait_s > longest_s:
            return too_often(quota, wait_s), longest_s
        return problem, wait_s

    async def hold(self, seconds: float) -> None:
        """Returns when it is the caller's turn."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(seconds, _come, turn)
        self._held.add(turn)
        try:
            await turn
        finally:
            timer.cancel()
            self._held.discard(turn)

    def end(self) -> None:
        """Everybody is told at once from now on: the service goes down."""
        self._over = True
        for turn in self._held:
            _come(turn)


def _come(turn: asyncio.Future[None]) -> None:
    # A caller that went away, or was told already, waits no more.
    if not turn.done():
        turn.set_result(None)
