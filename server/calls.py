"""Calls that are being served: how many there are, and that no single one stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from server.clock import Clock


class Call(Protocol):
    """A call that is being served."""

    @property
    def peer(self) -> str:
        """The other end of its connection."""


class SingleCall(Call, Protocol):
    """One with one answer."""

    started: float

    def end_late(self, now: float) -> None:
        """Ends the call, unless it may take longer; asked again and again."""


class Calls:
    """Those of a process, the longest first.

    Nothing is set for a single one of them: all share a timer, which is late for a call
    by at most as much as a call may take.
    """

    def __init__(
        self, clock: Clock, *, longest_s: float, most: Callable[[], int]
    ) -> None:
        """`most` is how many single ones may be at work, as things stand."""
        self._clock = clock
        self.longest_s = longest_s
        """What one may take that sets no deadline, and waits for nothing."""
        self._most = most
        self._singles: dict[SingleCall, None] = {}
        self._waiting = 0
        self.streams: dict[Call, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """Single ones."""
        return len(self._singles)

    @property
    def at_work(self) -> int:
        """Single ones that do not wait because they were asked to."""
        return len(self._singles) - self._waiting

    @property
    def too_many(self) -> bool:
        return self.at_work > self._most()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Meanwhile a single one waits because it was asked to: it keeps nobody out."""
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def connections(self) -> int:
        """Those on which something is being served; of others gRPC tells nothing."""
        calls = (*self._singles, *self.streams)
        return len({call.peer for call in calls})

    def begin(self, call: SingleCall) -> None:
        self._singles[call] = None
        if self._timer is None:
            self._look_in(self.longest_s)

    def end(self, call: SingleCall) -> None:
        del self._singles[call]

    def _look_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        now = self._clock()
        # Calls end, and are forgotten, in turns of the loop that come after this one.
        for call in self._singles:
            left = call.started + self.longest_s - now
            if left > 0:
                self._look_in(left)
                return
            call.end_late(now)
        if self._singles:
            self._look_in(self.longest_s)
