"""A connection that is cut after one more byte each time, until the match is over."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.frames import answer, frame_client
from tests.doubles.network import network
from tests.doubles.serving import (
    Person,
    person_at,
    registered,
    seat_bot,
    serving,
    someone,
)

SHORT = {"deal_shape": '"list"', "deal_list": "[2, 1]"}
SHORTEST = {"deal_shape": '"list"', "deal_list": "[1]"}
PATIENCE_S = 5.0


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


async def test_a_match_that_is_cut_again_and_again_is_the_match_uncut(
    tmp_path: Path,
) -> None:
    step = 97
    rules = rules_pb2.RulesSpec(preset="pagat_standard", overrides=SHORT)
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            uncut = Resuming(await someone(tables, rules=rules, seed=4))
            await uncut.go_on(service.game)
            assert uncut.over
            cut = Resuming(await someone(tables, rules=rules, seed=4))
            after = 1
            while not cut.over:
                async with network(service.game, cut_after=after) as cutting:
                    await cut.go_on(cutting.address)
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


async def played(
    tables: tables_pb2_grpc.TableServiceAsyncStub, address: str, cut_after: int | None
) -> tuple[dict[int, bytes], int]:
    """The entries of a match that is cut once, and the bytes up to there."""
    rules = rules_pb2.RulesSpec(preset="pagat_standard", overrides=SHORTEST)
    resuming = Resuming(await someone(tables, rules=rules))
    async with network(address, cut_after=cut_after) as cutting:
        await resuming.go_on(cutting.address)
    if not resuming.over:
        await resuming.go_on(address)
    assert resuming.over
    return resuming.entries, cutting.carried


@pytest.mark.slow
async def test_a_conversation_that_is_cut_at_any_byte_of_it_goes_on(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            whole, length = await played(tables, service.game, None)
            assert length > len(b"".join(whole.values()))
            cut_after, carried = 0, 0
            # Until there was nothing left to be cut.
            while carried == cut_after:
                cut_after += 1
                entries, carried = await played(tables, service.game, cut_after)
                assert list(entries) == list(range(1, len(whole) + 1))
            assert cut_after > length / 2


class Dialling:
    """A bot whose stream ends at any byte, as often as that may be."""

    def __init__(self, token: str) -> None:
        self._token = token
        self.entries: dict[int, bytes] = {}

    async def go_on(self, address: str) -> None:
        """As far as this connection lets it, or to the end."""
        with contextlib.suppress(grpc.aio.AioRpcError, EOFError, TimeoutError):
            async with (
                frame_client(address, self._token) as client,
                asyncio.timeout(PATIENCE_S),
            ):
                await client.hello(instance_id="anna", entries=True)
                kinds = ("prompt", "entries", "ended")
                while not (frame := await client.next(*kinds)).HasField("ended"):
                    for entry in frame.entries.entries:
                        content = entry.SerializeToString()
                        assert self.entries.setdefault(entry.seq, content) == content
                        assert entry.seq <= 1 + len(self.entries)
                    if frame.HasField("prompt"):
                        await client.send(answer(frame.prompt))


async def test_a_stream_that_is_cut_again_and_again_loses_no_seat_and_no_entry(
    tmp_path: Path,
) -> None:
    step = 131
    rules = rules_pb2.RulesSpec(preset="pagat_standard", overrides=SHORT)
    tokens = registered(tmp_path, "anna", "ben")
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:

            async def seated(name: str) -> tuple[Dialling, str]:
                """On a stream that ends as soon as the seat is taken."""
                bot = Dialling(tokens[name])
                async with frame_client(service.game, tokens[name]) as client:
                    await client.hello(instance_id="anna")
                    table = await seat_bot(tables, tokens[name], rules=rules, seed=4)
                    return bot, table

            async def look(table: str) -> tables_pb2.Table:
                request = tables_pb2.GetTableRequest(table=table)
                return (await tables.GetTable(request)).table

            uncut, whole = await seated("anna")
            await uncut.go_on(service.game)
            cut, table = await seated("ben")
            after = 1
            while (await look(table)).state == tables_pb2.TABLE_STATE_RUNNING:
                async with network(service.game, cut_after=after) as cutting:
                    await cut.go_on(cutting.address)
                after += step
            assert after > step
            # Nothing is missing up to where the last cut was.
            assert list(cut.entries) == list(range(1, len(cut.entries) + 1))
            assert cut.entries.items() <= uncut.entries.items()
            assert tables_pb2.PRESENCE_LEFT not in (await look(table)).presence
            texts = [
                (await tables.GetRecord(tables_pb2.GetRecordRequest(table=name))).text
                for name in (whole, table)
            ]
            assert texts[0].replace("anna", "ben") == texts[1]
