"""The bot processes of a run, kept alive and kept apart.

A bot that is not trusted has as many lanes as the table has seats, each a process of
its own: lane c plays copy c of every block and nothing else, so no process meets the
same deals twice. A bot has fewer lanes only where it is trusted, or where copies have
deals of their own. Processes of bots that are servers run already, and are only called.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from server.address import Address, Trust
from server.arena import BotDeclines, BotNotReady
from server.host import Host
from server.rpc.dial import CannotDial, Dialler
from tournament.launcher import (
    BotProcess,
    Handle,
    Launcher,
    LauncherError,
    Restarts,
)
from tournament.naming import some_of
from tournament.spec import Command, Dialled, Entrant, House, Protocol, Spec

READY_WITHIN = 30.0
"""Seconds that a process has until it must have dialled in."""
STARTED_AT_ONCE = 16
"""Processes on their way in at the same time: a machine that loads the programs of
hundreds of bots at once is busy for minutes, and late for all of them."""


class BotsNotReady(Exception):
    """The run cannot begin; the message says which bot is missing, and why."""


@dataclass
class Lane:
    """One process of a bot, through all its restarts."""

    process: BotProcess
    restarts: Restarts = field(default_factory=Restarts)
    crashes: int = 0
    """Times it ended without having been asked to."""


class Lanes:
    """All lanes of a run; use it as an asynchronous context manager."""

    def __init__(
        self,
        spec: Spec,
        *,
        house: Mapping[str, tuple[str, ...]],
        bridge: tuple[str, ...],
        launcher: Launcher,
        host: Host,
        address: str,
        note: Callable[[str], None],
    ) -> None:
        """Give the run's own `host` with its `address`, and commands of house bots.

        `bridge` is the beginning of a command that plays for a program of lines;
        `note` tells people of crashes and lost calls.
        """
        self._spec = spec
        self._launcher = launcher
        self._arena = host.arena
        self._dialler = Dialler(host, note)
        self._note = note
        self.on_ready: Callable[[], None] | None = None
        """Told each time that another process is ready for the run."""
        self._keepers: list[asyncio.Task[None]] = []
        self._starting = asyncio.Semaphore(STARTED_AT_ONCE)
        self._awaited: dict[tuple[str, int], float] = {}
        self._lanes: dict[tuple[str, int], Lane] = {}
        self._called: dict[tuple[str, int], tuple[Address, Trust | None]] = {}
        for entrant in spec.entrants:
            if isinstance(entrant.source, Dialled):
                trust = _trust(entrant.source, spec.folder)
                for lane, address_of_lane in enumerate(entrant.source.addresses):
                    self._called[entrant.name, lane] = (address_of_lane, trust)
            command = _command(entrant, house, bridge)
            if command is None:
                continue
            host.bots.add(entrant.name)
            for lane in range(entrant.lanes):
                self._lanes[entrant.name, lane] = Lane(
                    BotProcess(
                        name=entrant.name,
                        command=command.command,
                        directory=spec.folder,
                        lane=lane,
                        settings={"address": address, "lane": str(lane)},
                        token=host.bots.issue(entrant.name, lane),
                        variables=dict(command.env),
                    )
                )

    def __len__(self) -> int:
        """Count the processes that are started here."""
        return len(self._lanes)

    def lane(self, bot: int, copy: int) -> Lane | None:
        """Give the lane of a copy, or None where no process was started for it."""
        entrant = self._spec.entrants[bot]
        return self._lanes.get((entrant.name, entrant.lane_of(copy)))

    async def __aenter__(self) -> Self:
        """Start every process and wait until all are ready; raises `BotsNotReady`."""
        try:
            await self._start_all()
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all calls, and stop looking after processes; the launcher ends them."""
        await self._stop()

    async def _start_all(self) -> None:
        trouble = ""
        try:
            async with asyncio.TaskGroup() as group:
                for lane in self._lanes.values():
                    group.create_task(self._start(lane))
                for (bot, number), (process, trust) in self._called.items():
                    group.create_task(self._dialler.call(bot, number, process, trust))
            self._refuse_declined()
        except* (LauncherError, CannotDial, BotDeclines) as errors:
            trouble = _first_message(errors)
        except* BotNotReady:
            trouble = trouble or (
                f"no connection within {READY_WITHIN:g} s from: {self._late()}"
            )
        # Not in the clauses: what is raised there comes out wrapped in a group, though
        # not from every 3.11.
        if trouble:
            raise BotsNotReady(trouble)

    def _refuse_declined(self) -> None:
        """BotDeclines where a bot has said in its hello that it cannot play the run."""
        for name, number in (*self._lanes, *self._called):
            self._arena.refuse_declined(name, number, self._spec.rules)

    async def _start(self, lane: Lane) -> None:
        name, number = lane.process.name, lane.process.lane
        async with self._starting:
            handle = await self._launcher.start(lane.process)
            self._awaited[name, number] = time.monotonic()
            await handle.while_running(self._arena.ready(name, number, READY_WITHIN))
            del self._awaited[name, number]
        if self.on_ready is not None:
            self.on_ready()
        self._keepers.append(asyncio.create_task(self._keep(lane, handle)))

    async def _keep(self, lane: Lane, handle: Handle | None) -> None:
        """Start the process again whenever it ends."""
        while True:
            why = "could not be started again"
            if handle is not None:
                why = (await handle.exited).describe()
                if lane.crashes:
                    # Its last words were told the first time; the log has them all.
                    why = why.partition(";")[0] + " again"
                lane.crashes += 1
            restart = lane.restarts.ended(time.monotonic())
            join = "\n" if "\n" in why else "; "
            self._note(
                f"bot {lane.process.name} (lane {lane.process.lane}) {why}{join}"
                f"it is started again in {restart.delay:g} s"
            )
            await asyncio.sleep(restart.delay)
            try:
                handle = await self._launcher.start(lane.process)
            except LauncherError as error:
                handle = None
                self._note(str(error))

    async def _stop(self) -> None:
        await self._dialler.close()
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    def _late(self) -> str:
        """Name who is late, with those whose time is up in the same second."""
        since = time.monotonic() - READY_WITHIN + 1.0
        late = {name for (name, _), begun in self._awaited.items() if begun <= since}
        return some_of([bot.name for bot in self._spec.entrants if bot.name in late])


def _command(
    entrant: Entrant,
    house: Mapping[str, tuple[str, ...]],
    bridge: tuple[str, ...],
) -> Command | None:
    match entrant.source:
        case House(_, in_process=True) | Dialled():
            return None
        case House(name):
            return Command(house[name], ())
        case Command(command, env, Protocol.STDIO):
            return Command((*bridge, *command), env)
        case Command() as started:
            return started


def _trust(dialled: Dialled, folder: Path) -> Trust | None:
    """What calls are encrypted with; `BotsNotReady` for a file that is gone."""
    if not dialled.ca_file:
        return Trust() if dialled.tls else None
    path = folder / dialled.ca_file
    try:
        return Trust.read(path)
    except OSError as error:
        raise BotsNotReady(f"{path}: {error.strerror or error}") from None


def _first_message(errors: BaseExceptionGroup[BaseException]) -> str:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)
