"""When a bot process that ended may be started again."""

from collections import deque
from typing import NamedTuple

BACKOFF_SECONDS = (0.25, 0.5, 1.0)
CIRCUIT_RESTARTS = 5
CIRCUIT_WINDOW_SECONDS = 60.0
CIRCUIT_OPEN_SECONDS = 60.0


class Restart(NamedTuple):
    """The next start: after how many seconds, and whether it is only a probe."""

    delay: float
    probe: bool


class Restarts:
    """Backoff and circuit breaker of one bot process; times are given, not read.

    The sixth end within a minute opens the circuit: after a pause of a minute one
    probe is started, and unless `proved` is called for it, so does its end.
    """

    def __init__(self) -> None:
        self._starts: deque[float] = deque()
        self._in_a_row = 0
        self._probing = False

    def ended(self, now: float) -> Restart:
        """Take note that the process has ended, and say when to start it again."""
        while self._starts and now - self._starts[0] >= CIRCUIT_WINDOW_SECONDS:
            self._starts.popleft()
        if not self._starts and not self._probing:
            self._in_a_row = 0
        if self._probing or len(self._starts) >= CIRCUIT_RESTARTS:
            self._probing = True
            self._starts.clear()
            return Restart(CIRCUIT_OPEN_SECONDS, probe=True)
        delay = BACKOFF_SECONDS[min(self._in_a_row, len(BACKOFF_SECONDS) - 1)]
        self._in_a_row += 1
        self._starts.append(now)
        return Restart(delay, probe=False)

    def proved(self) -> None:
        """Close the circuit: the probe has played."""
        if self._probing:
            self._probing = False
            self._in_a_row = 0
