"""A connection that is cut after one more byte each time, until the match is over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.serving import Person, person_at, serving, someone

SHORT = {"deal_shape": '"list"', "deal_list": "[2, 1]"}
PATIENCE_S = 5.0


@asynccontextmanager
async def cutting(address: str, after: int) -> AsyncIterator[str]:
    """A proxy whose connections end after so many bytes from the service."""
    host, _, port = address.rpartition(":")
    writers: list[asyncio.StreamWriter] = []

    async def pump(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int | None
    ) -> None:
        left = most
        while left != 0 and (data := await reader.read(left or 65_536)):
            writer.write(data)
            await writer.drain()
            left = None if left is None else left - len(data)
        for each in writers:
            each.transport.abort()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(host, int(port))
        writers.extend((writer, up_writer))
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(
                pump(reader, up_writer, None), pump(up_reader, writer, after)
            )

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for each in writers:
            each.transport.abort()


class Resuming:
    """Watches and plays a seat over connections that end at any byte."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.entries: dict[int, bytes] = {}
        self.over = False

    async def go_on(self, address: str) -> None:
        """As far as this connection lets it."""
        with contextlib.suppress(grpc.aio.AioRpcError, TimeoutError):
            async with person_at(address) as tables, asyncio.timeout(PATIENCE_S):
                self.person.tables = tables
                await self._watch(tables)

    async def _watch(self, tables: tables_pb2_grpc.TableServiceAsyncStub) -> None:
        person = self.person
        watch = tables.WatchTable(
            tables_pb2.WatchTableRequest(
                table=person.table,
                seat=person.seat,
                after_seq=max(self.entries, default=0),
            ),
            metadata=person.token,
        )
        async for message in watch:
            match message.WhichOneof("body"):
                case "entry":
                    self._note(message.entry)
                case "prompt":
                    await person.act(message.prompt)
                case "ended":
                    self.over = True
                case _:
                    pass

    def _note(self, entry: match_pb2.Entry) -> None:
        """Nothing is left out, and no number ever means two things."""
        content = entry.SerializeToString()
        assert self.entries.setdefault(entry.seq, content) == content
        assert entry.seq <= 1 + len(self.entries)


@pytest.mark.parametrize(
    "step", [97, pytest.param(7, marks=pytest.mark.slow)], ids=["coarse", "fine"]
)
async def test_a_match_that_is_cut_again_and_again_is_the_match_uncut(
    tmp_path: Path, step: int
) -> None:
    rules = rules_pb2.RulesSpec(preset="pagat_standard", overrides=SHORT)
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            uncut = Resuming(await someone(tables, rules=rules, seed=4))
            await uncut.go_on(service.game)
            assert uncut.over
            cut = Resuming(await someone(tables, rules=rules, seed=4))
            after = 1
            while not cut.over:
                async with cutting(service.game, after) as proxy:
                    await cut.go_on(proxy)
                after += step
            assert after > step
            assert cut.entries == uncut.entries
            presence = await tables.GetTable(
                tables_pb2.GetTableRequest(table=cut.person.table)
            )
            assert tables_pb2.PRESENCE_LEFT not in presence.table.presence
            texts = [
                (
                    await tables.GetRecord(
                        tables_pb2.GetRecordRequest(table=resuming.person.table)
                    )
                ).text
                for resuming in (uncut, cut)
            ]
            assert texts[0] == texts[1]
