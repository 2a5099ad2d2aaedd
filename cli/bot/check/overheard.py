"""Tables of the service that remember every answer, and facts that it told nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import View, view
from engine.fallback import Command
from server.decision import Question, Reply
from server.guard import Fault
from server.host import Host
from server.observe import Observer
from server.players.port import Link, Player
from server.setup import TableSetup
from server.table import Table


class Exchange(NamedTuple):
    """An answer, the prompt that was open then, if it was to this, and its fate."""

    seat: int
    seq: int
    prompt: View | None
    command: Command | None
    reply: Reply
    seconds: float
    """From handing over the prompt to reading the answer."""
    attempt: int = 0
    """What the answer says, else that of the prompt that was open."""


class Faulted(NamedTuple):
    """A fault, and what its seat was asked when it was counted."""

    table: str
    seat: int
    fault: Fault
    prompt: View


class Overheard:
    """A table of the service, and all that was answered there.

    `deaf_to` makes the table lose an answer as if it had not arrived: it is called
    with the seat. An `impatient` one lets prompts expire as soon as they are sent.
    """

    def __init__(
        self, host: Host, setup: TableSetup, players: Sequence[Player]
    ) -> None:
        self.table = host.make_table(setup, players, lambda _: None)
        self.table.witness = self
        self.exchanges: list[Exchange] = []
        self.deaf_to: Callable[[int], bool] | None = None
        self.on_exchange: Callable[[Exchange], None] | None = None
        self.impatient = False

    def handed_over(self, question: Question) -> None:
        table = self.table
        if self.impatient and table.players[question.seat].link is not Link.LOCAL:
            asyncio.get_running_loop().call_soon(table.stand_in, question)

    def answered(
        self, seat: int, seq: int, attempt: int, command: Command | None, at: float
    ) -> Reply:
        table = self.table
        question = table.open[seat]
        is_open = question is not None and question.seq == seq
        prompt = view(table.match, seat) if is_open else None
        if is_open and self.deaf_to is not None and self.deaf_to(seat):
            return Reply(accepted=False, again=True, reason="STALE_DECISION")
        took = at - question.handed_at if question is not None and is_open else 0.0
        # Noted first: what follows from it may be answered before this returns.
        place = len(self.exchanges)
        self.exchanges.append(
            Exchange(
                *(seat, seq, prompt, command, Reply(accepted=False), took),
                attempt=attempt or (question.attempt if question and is_open else 0),
            )
        )
        reply = table.judge(seat, seq, attempt, command, at)
        exchange = self.exchanges[place]._replace(reply=reply)
        self.exchanges[place] = exchange
        if self.on_exchange is not None:
            self.on_exchange(exchange)
        return reply


class Ear(Observer):
    """Hears of faults and lost streams."""

    def __init__(self) -> None:
        self.faults: list[Faulted] = []
        self.lost: list[str] = []
        """Why streams ended."""

    def faulted(self, table: Table, seat: int, fault: Fault) -> None:
        prompt = view(table.match, seat)
        self.faults.append(Faulted(table.setup.table, seat, fault, prompt))

    def stream_closed(self, bot: str, why: str) -> None:
        self.lost.append(why)
