"""A real service in this process, and bots in processes of their own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import engine
from bots.local import LOCAL_FACTORIES
from engine.shuffle import SeededDecks, block_seed, bot_seed, first_dealer
from server.clock import TimeControl
from server.host import Host
from server.metrics import Metrics
from server.outcome import Outcome
from server.rpc.serving import GameListener
from server.setup import TableSetup
from server.table import Table
from tests.doubles.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]


class BotProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._stderr = asyncio.create_task(self._read())

    async def _read(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()

    async def stderr(self) -> str:
        """All of it; waits for the end of the process."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._stderr

    async def status(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self._stderr


class Service:
    def __init__(self, host: Host, address: str, stack: AsyncExitStack) -> None:
        self.host = host
        self.address = address
        self._stack = stack

    async def start(
        self,
        *command: str,
        bot: str,
        environment: dict[str, str] | None = None,
        stdin: int = asyncio.subprocess.DEVNULL,
        program: str = sys.executable,
    ) -> BotProcess:
        """Runs `python COMMAND...` as a bot that is registered under this name."""
        process = await asyncio.create_subprocess_exec(
            program,
            *command,
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "OHHELL_BOT_ADDRESS": self.address,
                "OHHELL_BOT_TOKEN": self.host.bots.register(bot),
                **(environment or {}),
            },
            stdin=stdin,
            stderr=asyncio.subprocess.PIPE,
        )
        started = BotProcess(process)
        self._stack.push_async_callback(started.kill)
        return started

    async def ready(self, *names: str) -> None:
        for name in names:
            await self.host.ready(name, seconds=PATIENCE_S)

    async def play(
        self,
        rules: engine.Rules,
        seats: Sequence[str],
        *,
        tables: int = 1,
        named: str = "t",
        clock: TimeControl | None = None,
    ) -> list[tuple[Table, Outcome]]:
        """Plays at all tables at once; seats are connected bots, or `house:NAME`."""
        loop = asyncio.get_running_loop()
        ends: list[asyncio.Future[Table]] = []
        for number in range(tables):
            seed = block_seed(bytes(32), number, 0)
            count = len(seats)
            setup = TableSetup(
                table=f"{named}{number}",
                rules=rules,
                players=tuple(seats),
                first_dealer=first_dealer(seed, count),
                decks=SeededDecks(seed, rules, count),
                bot_seeds=tuple([bot_seed(seed, 0, seat) for seat in range(count)]),
                rules_hash=rules.hash(count),
                clock=clock or TimeControl(),
            )
            end: asyncio.Future[Table] = loop.create_future()
            players = [
                self.host.house_player(name.removeprefix("house:"))
                if name.startswith("house:")
                else self.host.player(name)
                for name in seats
            ]
            self.host.open_table(setup, players, end.set_result)
            ends.append(end)
        async with asyncio.timeout(PATIENCE_S):
            played = await asyncio.gather(*ends)
        outcomes = []
        for table in played:
            assert table.outcome is not None
            outcomes.append((table, table.outcome))
        return outcomes


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    host = Host(house_bots=LOCAL_FACTORIES)
    host.start()
    listener = GameListener(host, Metrics(), address="127.0.0.1", port=0)
    await listener.start()
    async with AsyncExitStack() as stack:
        yield Service(host, f"127.0.0.1:{listener.port}", stack)
    host.close()
    await listener.stop(0)
