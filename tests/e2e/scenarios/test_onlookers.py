"""Somebody looks on at a table whose bot does not know yet that its turn has come."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ohhell.v1 import frames_pb2, match_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.frames import FrameClient, answer, frame_client
from tests.doubles.serving import bearer, person_at, registered, seat_bot, serving

CLOCK = frames_pb2.TimeControl(per_decision_ms=60_000, bank_ms=60_000)


async def test_a_move_that_puts_a_queued_seat_on_turn_is_shown_to_nobody(
    tmp_path: Path,
) -> None:
    """A bot with one worker, busy at another table, could look on at its own."""
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(workers=1)
            await seat_bot(tables, token, clock=CLOCK)
            busy = await anna.prompt()
            table = await seat_bot(tables, token, clock=CLOCK)
            view = await looked_at(tables, table, token)
            looking = tables_pb2.WatchTableRequest(table=table, after_seq=view.seq)
            watch = tables.WatchTable(looking, metadata=bearer(token))
            first = await watch.read()
            assert isinstance(first, tables_pb2.WatchTableResponse)
            listed = await tables.GetTable(
                tables_pb2.GetTableRequest(table=table), metadata=bearer(token)
            )
            # The last move is not to be seen: that of a house bot, or dealing.
            assert first.snapshot.seq == view.seq == listed.table.seq
            told = asyncio.create_task(next_entry(watch))
            # What was asked first is answered; now the second table's turn has come.
            await anna.send(answer(busy))
            prompt = await prompt_of(anna, other_than=busy.handle)
            assert view.seq < prompt.seq
            assert (await told).seq == view.seq + 1
            assert (await looked_at(tables, table, token)).seq == prompt.seq


async def test_a_table_without_a_clock_holds_nothing_back(tmp_path: Path) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(workers=1)
            await seat_bot(tables, token)
            busy = await anna.prompt()
            table = await seat_bot(tables, token)
            seen = (await looked_at(tables, table, token)).seq
            await anna.send(answer(busy))
            assert (await prompt_of(anna, other_than=busy.handle)).seq == seen


async def looked_at(
    tables: tables_pb2_grpc.TableServiceAsyncStub, table: str, token: str
) -> match_pb2.View:
    request = tables_pb2.GetViewRequest(table=table)
    return (await tables.GetView(request, metadata=bearer(token))).view


async def next_entry(watch: object) -> match_pb2.Entry:
    while True:
        message = await watch.read()  # type: ignore[attr-defined]  # a call
        assert isinstance(message, tables_pb2.WatchTableResponse)
        if message.HasField("entry"):
            return message.entry


async def prompt_of(client: FrameClient, *, other_than: int) -> match_pb2.View:
    while (prompt := await client.prompt()).handle == other_than:
        await client.send(answer(prompt))
    return prompt
