"""How a run is told to end early."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum


class Urgency(IntEnum):
    """How fast a run is to end."""

    NONE = 0
    SOON = 1
    """Begin no block; play those under way to their end, for a while."""
    NOW = 2
    """Void what is under way."""


class Stopping:
    """The wish to end, which only ever grows more urgent."""

    def __init__(self) -> None:
        self.urgency = Urgency.NONE
        self._changed = asyncio.Event()

    def ask(self, urgency: Urgency) -> None:
        """Make the wish at least this urgent."""
        if urgency > self.urgency:
            self.urgency = urgency
            self._changed.set()

    async def reached(self, urgency: Urgency) -> None:
        """Wait until the wish is at least this urgent."""
        while self.urgency < urgency:
            self._changed.clear()
            await self._changed.wait()

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Listen to SIGINT (now) and SIGTERM (soon; a second one: now)."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self.ask, Urgency.NOW)
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            loop.remove_signal_handler(signal.SIGTERM)

    def _terminate(self) -> None:
        self.ask(Urgency.NOW if self.urgency else Urgency.SOON)
