"""A service of its own, with the bot connected to it, and matches played there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from bots.local import LOCAL_FACTORIES
from cli.bot.check.matches import HOUSE, Plan
from cli.bot.check.overheard import Ear, Exchange, Faulted, Overheard
from cli.bot.check.subject import Subject, Unreachable
from server.arena import BotDeclines, BotNotReady
from server.clock import monotonic
from server.host import Host
from server.metrics import Metrics
from server.outcome import End
from server.patience import Patience
from server.registry import GUEST
from server.rpc.serving import GameListener
from server.table import Table
from tournament.launcher import Exit

HURRIED: Final = Patience(
    heartbeat_ms=500,
    silent_ms=2_500,
    hang_ms=3_000,
    away_ms=5_000,
    away_in_match_ms=8_000,
)
"""Nobody else waits here for a bot that does not come back."""
TOO_LONG: Final = "it took too long"
MOST_CRASHES: Final = 3
"""Ends of the process in one case after which no more of it is tried."""


class Gone(Exception):
    """There is no bot to play with any more; the message says why."""


@dataclass(frozen=True)
class Heard:
    """A match that was played, as far as it came."""

    plan: Plan
    exchanges: tuple[Exchange, ...]
    faults: tuple[Faulted, ...]
    stopped: str = ""
    """Why it did not come to its end, if it did not."""
    declined: str = ""
    """What the bot says it cannot play, if that is why nothing was played."""
    awaited: float = 0.0
    """Seconds since an answer was asked for that was not there when it ended."""

    @property
    def broken_off(self) -> str:
        """Why it did not come to its end, if that was not for want of time."""
        return "" if self.stopped == TOO_LONG else self.stopped

    @property
    def answered(self) -> tuple[Exchange, ...]:
        """Answers to prompts that were open."""
        return tuple([e for e in self.exchanges if e.prompt is not None])


class Rig:
    """Begin with `begin`; everything ends with `end`."""

    def __init__(self, subject: Subject, *, address: str, port: int) -> None:
        self.subject = subject
        self.ear = Ear()
        self.crashes: list[str] = []
        """How the process ended, each time that nobody had told it to."""
        self.ended_before = ""
        """How the process ended that a case took over from the one before it, if that
        was before it answered anything here."""
        self._end_is_told = False
        self._tables: list[tuple[Plan, Overheard]] = []
        """Those of the case that is tried."""
        self._address = address
        self._port = port
        self._host: Host | None = None
        self._listener: GameListener | None = None

    @property
    def host(self) -> Host:
        if self._host is None:
            raise RuntimeError("the service is down")
        return self._host

    @property
    def where(self) -> str:
        return f"{self._address}:{self._port}"

    # Life

    async def begin(self) -> None:
        """PortTaken where the address cannot be had."""
        await self.raise_service()

    async def end(self) -> None:
        await self.subject.go(grace=1.0)
        await self.drop_service()

    async def raise_service(self) -> None:
        """Serves, on the same port as before if there was a before."""
        before = self._host
        host = Host(
            house_bots=LOCAL_FACTORIES,
            observers=(self.ear,),
            bots=before.bots if before is not None else None,
            auth_required=self.subject.bot != GUEST,
            patience=HURRIED,
        )
        listener = GameListener(host, Metrics(), address=self._address, port=self._port)
        host.start()
        await listener.start()
        self._host, self._listener, self._port = host, listener, listener.port

    async def drop_service(self) -> None:
        """Ends it as a crash would: calls break off."""
        if self._listener is not None:
            await self._listener.stop(0)
        if self._host is not None:
            self._host.close()

    async def restart_service(self) -> None:
        """Another service on the same port, which knows of no match; Gone."""
        await self.drop_service()
        await self.raise_service()
        try:
            await self.subject.follow(self.host, self.where)
        except Unreachable as error:
            raise Gone(str(error)) from None

    async def connect(self) -> None:
        """Waits for the bot, started first if it is not there; Gone."""
        if not self.subject.present:
            ended = self.subject.ended
            if ended is not None:
                self._note_crash(await ended)
            try:
                await self.subject.come(self.host, self.where)
            except Unreachable as error:
                raise Gone(str(error)) from None
            self._end_is_told = False
        await self.ready()

    async def ready(self) -> None:
        """Waits until the bot has a stream; Gone if its process ends instead."""
        seconds = self.subject.connects_within
        waiting = asyncio.ensure_future(self.host.ready(self.subject.bot, 0, seconds))
        ended = self.subject.ended
        either: list[asyncio.Future[Any]] = [waiting, *([ended] if ended else [])]
        try:
            await asyncio.wait(either, return_when="FIRST_COMPLETED")
            if not waiting.done() and ended is not None:
                raise Gone(self._note_crash(ended.result()))
            await waiting
        except BotNotReady:
            raise Gone(f"it did not connect within {seconds:g} s") from None
        finally:
            waiting.cancel()
            if ended is not None:
                ended.cancel()

    def begin_case(self) -> None:
        """From here on the bot is asked for another case."""
        self._tables.clear()
        self.ended_before = ""
        ended = self.subject.ended
        if ended is None or (not self.subject.present and self._end_is_told):
            return

        def note(future: asyncio.Future[Exit]) -> None:
            if future.cancelled() or future.result().asked or self._has_answered():
                return
            self.ended_before = future.result().describe()

        ended.add_done_callback(note)

    def _has_answered(self) -> bool:
        return any(
            plan.is_own(exchange.seat)
            for plan, overheard in self._tables
            for exchange in overheard.exchanges
        )

    async def begin_anew(self) -> None:
        """A process without a past."""
        await self.subject.go(grace=1.0)
        await self.connect()

    def _note_crash(self, exit_: Exit) -> str:
        how = exit_.describe()
        self.crashes.append(how)
        self._end_is_told = True
        return f"its process {how}"

    # Matches

    async def play(
        self, plans: Iterable[Plan], *, at_once: int = 8, seconds: float = 60.0
    ) -> list[Heard]:
        """Plays matches; those that have no time left are not begun, or cut off."""
        heard: list[Heard] = []
        waiting = iter(plans)
        until = asyncio.get_running_loop().time() + seconds
        crashes = len(self.crashes)
        connecting = asyncio.Lock()

        async def work() -> None:
            for plan in waiting:
                left = until - asyncio.get_running_loop().time()
                if left <= 0 or len(self.crashes) - crashes >= MOST_CRASHES:
                    return
                async with connecting:
                    await self.connect()
                heard.append(await self.play_one(plan, seconds=left))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(work())
        except* Gone as gone:
            if not heard:
                raise Gone(str(gone.exceptions[0])) from None
        return sorted(heard, key=lambda h: (h.plan.preset, h.plan.number))

    async def play_one(self, plan: Plan, *, seconds: float = 60.0) -> Heard:
        """Plays one match with a bot that is connected."""
        async with self.overheard(plan) as overheard:
            if isinstance(overheard, str):
                return Heard(plan, (), (), declined=overheard)
            overheard.table.start()
            stopped = await self.until_over(overheard.table, seconds)
            return self.heard(plan, overheard, stopped)

    @asynccontextmanager
    async def overheard(self, plan: Plan) -> AsyncIterator[Overheard | str]:
        """A table that is not started yet, or why the bot declines to play there."""
        host = self.host
        setup = plan.setup(self.subject.bot)
        try:
            players = [
                host.player(self.subject.bot, 0, setup.rules)
                if plan.is_own(seat)
                else host.house_player(HOUSE)
                for seat in range(len(setup.players))
            ]
        except BotDeclines as error:
            yield str(error)
            return
        except BotNotReady as error:
            raise Gone(str(error)) from None
        overheard = Overheard(host, setup, players)
        self._tables.append((plan, overheard))
        try:
            yield overheard
        finally:
            overheard.table.cancel()

    async def until_over(self, table: Table, seconds: float) -> str:
        """Why it did not come to its end; empty if it did."""
        over = asyncio.get_running_loop().create_future()

        def look(_seq: int) -> None:
            if table.outcome is not None and not over.done():
                over.set_result(None)

        table.audience.listen(look)
        look(0)
        ended = self.subject.ended
        try:
            await asyncio.wait(
                [over, *([ended] if ended else [])],
                timeout=seconds,
                return_when="FIRST_COMPLETED",
            )
            if ended is not None and ended.done() and not over.done():
                self._end_is_told = True
                return f"its process {ended.result().describe()}"
            if not over.done():
                return TOO_LONG
        finally:
            table.audience.unlisten(look)
            if ended is not None:
                ended.cancel()
        outcome = table.outcome
        played = outcome is not None and outcome.why is End.PLAYED
        return "" if played else "the service failed"

    def heard(self, plan: Plan, overheard: Overheard, stopped: str = "") -> Heard:
        """All that is known of the match so far."""
        now = monotonic()
        since = [
            question.handed_at
            for question in overheard.table.open
            if question and question.handed_at and plan.is_own(question.seat)
        ]
        return Heard(
            plan,
            tuple([e for e in overheard.exchanges if plan.is_own(e.seat)]),
            tuple(
                [
                    fault
                    for fault in self.ear.faults
                    if fault.table == plan.table and plan.is_own(fault.seat)
                ]
            ),
            stopped,
            awaited=max([now - handed_at for handed_at in since], default=0.0),
        )
