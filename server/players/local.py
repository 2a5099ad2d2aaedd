"""Bots that run inside the server: trusted, quick, and handed in as factories."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from engine.fallback import Command
from engine.view import View, view
from server.clock import Clock
from server.players.port import Link, Withdrawal

if TYPE_CHECKING:
    from server.decision import Question
    from server.outcome import Outcome
    from server.setup import TableSetup
    from server.table import Table

SLICE = 0.002
"""Seconds that local bots may think before the event loop gets a turn."""


class Bot(Protocol):
    """One seat's bot; it is asked in the order of play and may keep state."""

    def answer(self, view: View) -> Command:
        """Acts on a view in which `ask` is set."""


BotFactory: TypeAlias = "Callable[[TableSetup, int], Bot]"
"""Makes the bot of one seat from the table's set-up and the seat."""

BotFactories: TypeAlias = Mapping[str, BotFactory]


class Desk:
    """Puts questions to local bots, a slice of time at a turn of the loop."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[tuple[LocalPlayer, Question]] = deque()
        self._scheduled = False
        self._paused = False

    def player(self, factory: BotFactory) -> LocalPlayer:
        return LocalPlayer(factory, self)

    def put(self, player: LocalPlayer, question: Question) -> None:
        self._waiting.append((player, question))
        self._schedule()

    def pause(self) -> None:
        """Leaves questions where they are."""
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.work)

    def has(self, question: Question) -> bool:
        return any(waiting is question for _, waiting in self._waiting)

    def work(self) -> None:
        """Answers questions until none is left or the slice is used up."""
        if self._paused:
            self._scheduled = False
            return
        clock = self._clock
        until = clock() + SLICE
        waiting = self._waiting
        while waiting:
            player, question = waiting.popleft()
            player.work(question, clock)
            if clock() > until:
                break
        self._scheduled = bool(waiting)
        if waiting:
            asyncio.get_running_loop().call_soon(self.work)


class LocalPlayer:
    """Plays a seat with a bot of this process; it has no clock."""

    link = Link.LOCAL

    def __init__(self, factory: BotFactory, desk: Desk) -> None:
        self._factory = factory
        self._desk = desk
        self._bot: Bot | None = None

    def seated(self, table: Table, seat: int) -> None:
        self._bot = self._factory(table.setup, seat)

    def ask(self, question: Question) -> None:
        self._desk.put(self, question)

    def has(self, question: Question) -> bool:
        return self._desk.has(question)

    def work(self, question: Question, clock: Clock) -> None:
        table, seat = question.table, question.seat
        if self._bot is None or table.open[seat] is not question:
            return
        question.handed_at = clock()
        try:
            command = self._bot.answer(view(table.match, seat))
        except Exception:  # noqa: BLE001 - a bot's mistake is an answer like another
            table.answer(seat, question.seq, question.attempt, None, clock())
            return
        table.answer(seat, question.seq, question.attempt, command, clock())

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        pass

    def ended(self, outcome: Outcome) -> None:
        self._bot = None
