"""Going down in mid-trick: by one signal, by two, and by force."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import frames_pb2, match_pb2, tables_pb2
from tests.doubles.frames import answer, frame_client
from tests.doubles.serving import (
    Person,
    new_table,
    person_at,
    refusal_of,
    refused,
    registered,
    seat_bot,
    serving,
    sit_down,
    someone,
)

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
DRAINING = frames_pb2.NOTICE_KIND_DRAINING


async def in_mid_trick(person: Person) -> match_pb2.View:
    """The person's first question with a card on the table."""
    while (view := await person.turn()).ask != match_pb2.ASK_PLAY or not view.plays:
        await person.act(view)
    return view


async def play_on_and_watch(
    person: Person,
    watch: grpc.aio.UnaryStreamCall[
        tables_pb2.WatchTableRequest, tables_pb2.WatchTableResponse
    ],
) -> tables_pb2.WatchTableResponse:
    """To the end, of which a watch hears before the service is gone; a view may not."""
    asked = await person.turn()
    await person.act(asked)
    while True:
        message = await watch.read()
        assert isinstance(message, tables_pb2.WatchTableResponse)
        if message.HasField("ended"):
            return message
        if message.HasField("prompt") and message.prompt.seq > asked.seq:
            await person.act(message.prompt)


async def test_the_first_signal_lets_matches_end_and_takes_nothing_new(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            open_table = (await new_table(tables)).table.table
            await in_mid_trick(anna)
            watch = tables.WatchTable(
                tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat),
                metadata=anna.token,
            )
            await watch.read()
            service.process.send_signal(signal.SIGTERM)
            # The notice comes when health and readiness have changed already.
            while True:
                message = await watch.read()
                assert isinstance(message, tables_pb2.WatchTableResponse)
                if message.notice.kind == DRAINING:
                    break
            assert message.notice.milliseconds == 30_000
            assert service.http("/readyz")[0] == 503
            assert service.http("/healthz")[0] == 200
            for call in (new_table(tables), sit_down(tables, open_table)):
                refusal = await refused(call)
                assert (refusal.code, refusal.reason) == (UNAVAILABLE, "DRAINING")
                assert refusal.retry_ms is not None
                assert 0 <= refusal.retry_ms < 5_000
            end = await play_on_and_watch(anna, watch)
            assert end.ended.reason == frames_pb2.END_REASON_PLAYED
        assert service.process.wait(30) == 0


async def test_what_is_not_over_in_time_goes_on_after_a_restart(tmp_path: Path) -> None:
    tokens = registered(tmp_path, "bea")
    with serving(tmp_path, shutdown__grace_s=1) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, tokens["bea"]) as bea,
        ):
            anna = await someone(tables)
            before = await in_mid_trick(anna)
            await bea.hello(instance_id="bea")
            await seat_bot(
                tables, tokens["bea"], clock=frames_pb2.TimeControl(bank_ms=60_000)
            )
            asked = await bea.prompt()
            watch = tables.WatchTable(
                tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat),
                metadata=anna.token,
            )
            service.process.send_signal(signal.SIGTERM)
            code, _ = await bea.status()
            assert code is UNAVAILABLE
            told = [f.notice.kind for f in bea.unread if f.HasField("notice")]
            assert DRAINING in told
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                _ = [message async for message in watch]
            assert refusal_of(caught.value).reason == "DRAINING"
        assert service.process.wait(30) == 0
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, tokens["bea"]) as bea,
        ):
            anna.tables = tables
            after = await anna.view()
            assert after.SerializeToString() == before.SerializeToString()
            assert (await anna.play_on()).phase == match_pb2.PHASE_OVER
            await bea.hello(instance_id="bea")
            again = await bea.prompt()
            # Nobody was charged: neither time nor a fault.
            assert (again.seq, again.bank_ms) == (asked.seq, asked.bank_ms)
            await bea.send(answer(again))
            assert (await bea.prompt()).seq > asked.seq


async def test_a_call_that_waits_for_its_turn_is_told_that_the_service_goes(
    tmp_path: Path,
) -> None:
    tokens = registered(tmp_path, "bea")
    with serving(tmp_path, shutdown__grace_s=1) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, tokens["bea"]) as bea,
        ):
            await bea.hello(instance_id="bea")
            # Two seats are free: one for a bot that never answers, one for Anna.
            table = await seat_bot(tables, tokens["bea"], house_bots=["lowest"])
            anna = await sit_down(tables, table)
            if (view := await anna.view()).ask:
                await anna.act(view)
            await bea.prompt()
            waiting = asyncio.create_task(refused(anna.turn()))
            service.process.send_signal(signal.SIGTERM)
            refusal = await waiting
            assert (refusal.code, refusal.reason) == (UNAVAILABLE, "DRAINING")
            assert refusal.retry_ms is not None
        assert service.process.wait(30) == 0


async def test_the_second_signal_ends_it_at_once_and_loses_nothing(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, shutdown__grace_s=3_600) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            before = await in_mid_trick(anna)
            service.process.send_signal(signal.SIGTERM)
            while service.http("/readyz")[0] != 503:
                await anna.view()
            service.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(service.process.wait, 30)
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna.tables = tables
            assert await anna.view() == before
            await anna.act(before)
    # Nor does one that ends without a word.
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna.tables = tables
            later = await in_mid_trick(anna)
            assert later.seq > before.seq
            service.end(signal.SIGKILL)
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna.tables = tables
            assert await anna.view() == later
