"""Time: read here and nowhere else.

Instants are seconds of a clock that only goes forward; durations on the wire and in
settings are whole milliseconds. Nothing in the server sets a timer for one decision:
whatever must wake up at some instant registers once with an `Alarms`, which one
callback of the event loop drives.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Clock: TypeAlias = Callable[[], float]

monotonic: Clock = time.monotonic
wall: Clock = time.time

GRAIN = 0.005
"""Seconds by which an alarm may be late: alarms closer together ring together."""

BEAT = 0.05
"""Seconds between measurements of how late the event loop is."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What a seat's time is worth, in milliseconds; all zero means no clock."""

    per_decision_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    grace_ms: int = 0

    @property
    def running(self) -> bool:
        return bool(self.per_decision_ms or self.bank_ms)


NO_CLOCK = TimeControl()


class Sleeper(Protocol):
    """Something with an instant at which it wants to be woken."""

    alarm_at: float
    """When the earliest alarm is set that has not rung; 0: none is."""

    def wake(self, now: float) -> None:
        """Looks at what is due, and sets the next alarm if anything remains."""

    def fail(self, error: Exception) -> None:
        """`wake` raised: our own mistake, which must not stop other sleepers."""


class Alarms:
    """Wakes sleepers; setting an alarm later than one already set costs nothing."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self.clock = clock
        self.on_earlier: Callable[[float], None] = lambda at: None
        self._heap: list[tuple[float, int, int]] = []
        """When, the how manyth alarm that is, and the `id` of whom to wake."""
        self._count = 0
        self._sleepers: dict[int, Sleeper] = {}

    def set(self, sleeper: Sleeper, at: float) -> None:
        """Sees to it that the sleeper is woken no later than `at`, up to the grain."""
        if sleeper.alarm_at and sleeper.alarm_at <= at:
            return
        sleeper.alarm_at = at
        self._count += 1
        self._sleepers[id(sleeper)] = sleeper
        heapq.heappush(self._heap, (at, self._count, id(sleeper)))
        if self._heap[0][1] == self._count:
            self.on_earlier(at)

    def forget(self, sleeper: Sleeper) -> None:
        """Lets the sleeper go: what is over need not stay in memory until its alarm."""
        sleeper.alarm_at = 0.0
        self._sleepers.pop(id(sleeper), None)

    def next_at(self) -> float | None:
        return self._heap[0][0] if self._heap else None

    def ring(self, now: float) -> None:
        """Wakes everything that is due; superseded alarms are dropped."""
        heap = self._heap
        while heap and heap[0][0] <= now:
            at, _, number = heapq.heappop(heap)
            sleeper = self._sleepers.get(number)
            # One that was forgotten may have left its number to another.
            if sleeper is not None and sleeper.alarm_at == at:
                self.forget(sleeper)
                try:
                    sleeper.wake(now)
                except Exception as error:  # noqa: BLE001 - see Sleeper.fail
                    sleeper.fail(error)


class LoopDriver:
    """Rings alarms from an event loop with a single timer, and measures its lag."""

    def __init__(
        self, alarms: Alarms, on_lag: Callable[[float], None] = lambda seconds: None
    ) -> None:
        self._alarms = alarms
        self._on_lag = on_lag
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._waited_for_readers = False
        alarms.on_earlier = self._earlier
        self._rearm()
        self._pulse = self._next_beat()

    def close(self) -> None:
        self._alarms.on_earlier = lambda at: None
        self._pulse.cancel()
        if self._handle is not None:
            self._handle.cancel()

    def _earlier(self, at: float) -> None:
        if self._handle is None or at < self._due - GRAIN:
            self._rearm()

    def _rearm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        at = self._alarms.next_at()
        if at is not None:
            self._due = at + GRAIN
            delay = self._due - self._alarms.clock()
            self._handle = self._loop.call_later(max(0.0, delay), self._ring)

    def _ring(self) -> None:
        now = self._alarms.clock()
        late = now - self._due
        if late > GRAIN and not self._waited_for_readers:
            # The loop was busy: answers may lie unread. They are read first.
            self._waited_for_readers = True
            self._handle = self._loop.call_later(GRAIN, self._ring)
            return
        self._waited_for_readers = False
        self._handle = None
        self._alarms.ring(now)
        self._rearm()

    def _next_beat(self) -> asyncio.TimerHandle:
        return self._loop.call_later(BEAT, self._beat, self._alarms.clock() + BEAT)

    def _beat(self, due: float) -> None:
        """Measures at even intervals, so that a loop in time is seen to be in time."""
        self._on_lag(max(0.0, self._alarms.clock() - due))
        self._pulse = self._next_beat()
