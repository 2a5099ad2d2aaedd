"""A client that says nothing any more: a stopped process, a network that vanished."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.shuffle import block_seed, first_dealer, published_seed
from ohhell.v1 import frames_pb2, match_pb2, tables_pb2
from tests.doubles.frames import answer, frame_client
from tests.doubles.network import network
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Person,
    person_at,
    registered,
    seat_bot,
    serving,
    sit_down,
)

PRESENCE = frames_pb2.NOTICE_KIND_PRESENCE

BOT = """
import asyncio, sys
from tests.doubles.frames import frame_client

async def main(address, token):
    async with frame_client(address, token) as client:
        await client.hello(instance_id="anna")
        print("ready", flush=True)
        await client.next("ended")

asyncio.run(main(*sys.argv[1:]))
"""


def seed_where_first(seat: int) -> int:
    """A seed with which this seat of three bids first."""
    return next(
        seed
        for seed in range(100)
        if first_dealer(block_seed(published_seed(seed), 0, 0), 3) == (seat - 1) % 3
    )


@contextmanager
def bot_process(address: str, token: str) -> Iterator[subprocess.Popen[str]]:
    """Connected, and answering nothing but heartbeats."""
    bot = subprocess.Popen(
        [sys.executable, "-c", BOT, address, token],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert bot.stdout is not None
    try:
        assert bot.stdout.readline() == "ready\n"
        yield bot
    finally:
        bot.kill()
        bot.wait()
        bot.stdout.close()


async def until_away(person: Person) -> frames_pb2.Notice:
    """What the person is told of the bot."""
    watch = person.tables.WatchTable(
        tables_pb2.WatchTableRequest(table=person.table, seat=person.seat),
        metadata=person.token,
    )
    async for message in watch:
        if message.notice.kind == PRESENCE:
            break
    watch.cancel()
    return message.notice


async def test_a_stopped_bot_is_away_soon_and_its_seat_is_kept(tmp_path: Path) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with (
        serving(
            tmp_path, patience__heartbeat_ms=200, patience__silent_ms=1_000
        ) as service,
        bot_process(service.game, token) as bot,
    ):
        async with person_at(service.game) as tables:
            # The person is asked, so that the bot has no question to think about.
            seed = seed_where_first(1)
            table = await seat_bot(tables, token, house_bots=["lowest"], seed=seed)
            person = await sit_down(tables, table)
            bot.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE_S):
                told = await until_away(person)
            assert (told.seat, told.reason) == (0, "AWAY")
            # Not by the pings of the connection, which would tell later.
            _, metrics = service.http("/metrics")
            assert 'ohhell_streams_closed_total{reason="SILENT"} 1.0' in metrics
            seen = await tables.GetTable(tables_pb2.GetTableRequest(table=table))
            assert seen.table.presence[0] == tables_pb2.PRESENCE_AWAY
            # A new stream of the process has the seat, whatever became of the old.
            async with frame_client(service.game, token) as again:
                await again.hello(instance_id="anna")
                assert (await again.next("seat")).seat.table == table
                await person.act(await person.turn())
                prompt = await again.prompt()
                assert prompt.ask == match_pb2.ASK_BID
                bot.send_signal(signal.SIGCONT)
                await again.send(answer(prompt))
                await person.act(await person.turn())


async def test_a_bot_whose_network_vanished_is_away_soon_and_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(
        tmp_path, patience__heartbeat_ms=200, patience__silent_ms=1_000
    ) as service:
        async with (
            network(service.game) as cable,
            person_at(service.game) as tables,
            frame_client(cable.address, token) as lost,
        ):
            await lost.hello(instance_id="anna")
            seed = seed_where_first(1)
            table = await seat_bot(tables, token, house_bots=["lowest"], seed=seed)
            person = await sit_down(tables, table)
            cable.vanish()
            async with asyncio.timeout(PATIENCE_S):
                told = await until_away(person)
            assert (told.seat, told.reason) == (0, "AWAY")
            _, metrics = service.http("/metrics")
            assert 'ohhell_streams_closed_total{reason="SILENT"} 1.0' in metrics
            active = [
                line
                for line in metrics.splitlines()
                if line.startswith("ohhell_stream_active")
            ]
            assert [line.split()[-1] for line in active] == ["0.0"] * len(active)
            # The cable is mended elsewhere: the seat is still there.
            async with frame_client(service.game, token) as again:
                await again.hello(instance_id="anna")
                await person.act(await person.turn())
                await again.send(answer(await again.prompt()))
                await person.act(await person.turn())


@pytest.mark.slow
async def test_a_stopped_bot_that_thinks_is_missed_after_two_pings(
    tmp_path: Path,
) -> None:
    """Pings have a limit of their own: without it the end comes after a minute."""
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path) as service, bot_process(service.game, token) as bot:
        async with person_at(service.game) as tables:
            seed = seed_where_first(0)
            table = await seat_bot(tables, token, house_bots=["lowest"], seed=seed)
            bot.send_signal(signal.SIGSTOP)
            person = await sit_down(tables, table)
            async with asyncio.timeout(55):
                assert (await until_away(person)).reason == "AWAY"
