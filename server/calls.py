"""Single calls in flight: how many there are, and that none stays for ever."""

from __future__ import annotations

import asyncio
from typing import Protocol

from server.clock import Clock


class Call(Protocol):
    """A single call that is being served."""

    started: float

    def end_late(self, now: float) -> None:
        """Ends the call, unless it may take longer; asked again and again."""


class Calls:
    """Those of a process, the longest first.

    Nothing is set for a single one of them: all share a timer, which is late for a call
    by at most as much as a call may take.
    """

    def __init__(self, clock: Clock, *, longest_s: float) -> None:
        self._clock = clock
        self.longest_s = longest_s
        """What one may take that sets no deadline, and waits for nothing."""
        self._calls: dict[Call, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._calls)

    def begin(self, call: Call) -> None:
        self._calls[call] = None
        if self._timer is None:
            self._look_in(self.longest_s)

    def end(self, call: Call) -> None:
        del self._calls[call]

    def _look_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        now = self._clock()
        # Calls end, and are forgotten, in turns of the loop that come after this one.
        for call in self._calls:
            left = call.started + self.longest_s - now
            if left > 0:
                self._look_in(left)
                return
            call.end_late(now)
        if self._calls:
            self._look_in(self.longest_s)
