"""Lets those who only look on through one at a time, so that nobody who plays waits.

A move is one thing to do; fifty watches that tell of it are hundreds of messages to
write. All of them at once would stand between the player and its next move, and keep
both ends' processors from it. Here they queue: at each turn of the loop one of them may
write one message, everything else that came meanwhile is done in between, and after so
many there is a rest. Where they are too many they fall behind, which costs a number
each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

IN_A_ROW: Final = 8
REST_S: Final = 0.002
"""Messages of a tenth of a millisecond each: a third of the time, with the rest."""


class Turnstile:
    """One for all watches of a service; lives on its event loop."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False
        self._in_a_row = 0

    async def passed(self) -> None:
        """Returns when it is the caller's turn to write a message."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn)
        await turn

    def _turn(self) -> None:
        waiting = self._waiting
        while waiting:
            turn = waiting.popleft()
            # Those whose call has ended have left.
            if not turn.done():
                turn.set_result(None)
                break
        else:
            self._turning = False
            return
        loop = asyncio.get_running_loop()
        self._in_a_row += 1
        if self._in_a_row < IN_A_ROW:
            loop.call_soon(self._turn)
        else:
            self._in_a_row = 0
            loop.call_later(REST_S, self._turn)
