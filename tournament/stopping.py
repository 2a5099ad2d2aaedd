"""How a run is told to end early."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

GRACE = 30.0
"""Seconds that blocks under way get when a run is to end soon."""


class Urgency(IntEnum):
    """How fast a run is to end."""

    NONE = 0
    SOON = 1
    """Begin no block; play those under way to their end, for a while."""
    NOW = 2
    """Void what is under way."""


class Stopping:
    """The wish to end, which only ever grows more urgent."""

    def __init__(self, note: Callable[[str], None] = lambda text: None) -> None:
        """`note` tells people that a wish was heard that takes a while."""
        self._note = note
        self.urgency = Urgency.NONE
        self._changed = asyncio.Event()

    def ask(self, urgency: Urgency) -> None:
        """Make the wish at least this urgent."""
        if urgency > self.urgency:
            self.urgency = urgency
            self._changed.set()
            if urgency is Urgency.SOON:
                self._note(f"ending: blocks under way are played for {GRACE:g} s more")

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


async def until_stopped(run: Coroutine[None, None, None], stopping: Stopping) -> bool:
    """Run something until it ends or has to; whether it ended by itself.

    A wish to end soon becomes one to end now after `GRACE`.
    """
    task = asyncio.ensure_future(run)
    watch = asyncio.create_task(_until_now(stopping))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            await task
            return True
        return False
    finally:
        task.cancel()
        watch.cancel()
        await asyncio.gather(task, watch, return_exceptions=True)


async def _until_now(stopping: Stopping) -> None:
    await stopping.reached(Urgency.SOON)
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await stopping.reached(Urgency.NOW)
