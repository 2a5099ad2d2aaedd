"""How often may be called: who is counted, and what never is."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import pytest

from ohhell.v1 import admin_pb2, match_pb2, tables_pb2
from tests.doubles.frames import frame_client
from tests.doubles.operators import WRITER, opened, operator_of
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    bearer,
    person_at,
    refusal_of,
    refused,
    serving,
    sit_down,
    someone,
)

Watching: TypeAlias = grpc.aio.UnaryStreamCall[
    tables_pb2.WatchTableRequest, tables_pb2.WatchTableResponse
]
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
COUNTED: dict[str, Any] = {"limits__exempt_loopback": "false"}
HANGS = """
import asyncio
from server.lobby import Lobby
find = Lobby.find
async def find_or_hang(lobby, table):
    if table == "t-hangs":
        await asyncio.Event().wait()
    return await find(lobby, table)
Lobby.find = find_or_hang
"""
"""One table is looked for in vain, for as long as anybody waits for it."""
NEVER_AGAIN: dict[str, Any] = {**COUNTED, "limits__calls_per_s": 0}
"""Once the burst is used up it stays so, which no clock in a test has to wait for."""


async def test_a_bot_that_calls_too_often_is_told_when_to_come_back(
    tmp_path: Path,
) -> None:
    settings = {**NEVER_AGAIN, "limits__calls_burst": 20}
    with serving(tmp_path, "--auth", "on", **settings) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            tokens = [bearer(await operator.register(bot)) for bot in ("ada", "bob")]

            def ask(number: int) -> Awaitable[tables_pb2.ListTablesResponse]:
                request = tables_pb2.ListTablesRequest()
                return tables.ListTables(request, metadata=tokens[number])

            answers = await asyncio.gather(
                *(ask(0) for _ in range(50)), return_exceptions=True
            )
            refusals = [
                refusal_of(error)
                for error in answers
                if isinstance(error, grpc.aio.AioRpcError)
            ]
            assert Counter((r.code, r.reason) for r in refusals) == {
                (EXHAUSTED, "RATE_LIMITED"): 30
            }
            assert all(refusal.retry_ms for refusal in refusals)
            assert {refusal.quota for refusal in refusals} == {"bot:ada"}
            # Nobody can use up what is another's.
            await ask(1)


async def test_answers_to_open_decisions_are_never_counted(tmp_path: Path) -> None:
    settings = {**NEVER_AGAIN, "limits__calls_burst": 60}
    with serving(tmp_path, **settings) as service:
        async with (
            person_at(service.game) as tables,
            person_at(service.game) as watching,
        ):
            anna = await someone(tables)
            watch = watching.WatchTable(
                tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat),
                metadata=anna.token,
            )
            answered = 0
            async for response in watch:
                kind = response.WhichOneof("body")
                view = response.snapshot if kind == "snapshot" else response.prompt
                if kind not in ("snapshot", "prompt") or not view.ask:
                    continue
                if answered == 5:
                    # Whatever else is asked for uses all of it up.
                    looks = [anna.view() for _ in range(70)]
                    await asyncio.gather(*looks, return_exceptions=True)
                await anna.act(view)
                answered += 1
                if answered == 80:
                    break
            watch.cancel()
            refusal = await refused(anna.view())
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "RATE_LIMITED")
            stale = tables_pb2.PlaceBidRequest(
                table=anna.table, bid=1, decision=match_pb2.Decision(seq=1)
            )
            refusal = await refused(tables.PlaceBid(stale, metadata=anna.token))
            assert refusal.reason == "RATE_LIMITED"


async def test_who_guesses_tokens_is_told_to_wait_and_no_neighbour_is_kept_out(
    tmp_path: Path,
) -> None:
    settings = {**COUNTED, "limits__wrong_tokens_per_minute": 5}
    with serving(tmp_path, "--auth", "on", **settings) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            right = bearer(await operator.register("ada"))
            request = tables_pb2.ListTablesRequest()
            reasons = [
                (
                    await refused(
                        tables.ListTables(request, metadata=bearer(f"ohb_{guess}"))
                    )
                ).reason
                for guess in range(7)
            ]
            assert reasons == ["TOKEN_INVALID"] * 5 + ["RATE_LIMITED"] * 2
            guess = tables.ListTables(request, metadata=bearer("ohs_guess"))
            refusal = await refused(guess)
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "RATE_LIMITED")
            assert refusal.retry_ms
            async with person_at(service.game) as neighbour:
                await neighbour.ListTables(request, metadata=right)


async def test_callers_without_a_token_are_counted_together_by_address(
    tmp_path: Path,
) -> None:
    settings = {**COUNTED, "limits__guest_calls_per_minute": 8}
    with serving(tmp_path, **settings) as service:
        async with person_at(service.game) as one, person_at(service.game) as other:
            calls = [
                tables.ListTables(tables_pb2.ListTablesRequest())
                for tables in (one, other)
                for _ in range(10)
            ]
            answers = await asyncio.gather(*calls, return_exceptions=True)
    late = [refusal_of(e) for e in answers if isinstance(e, grpc.aio.AioRpcError)]
    assert len(late) == 12
    assert {(r.code, r.reason) for r in late} == {(EXHAUSTED, "RATE_LIMITED")}


async def test_this_machine_is_not_counted_unless_it_is_asked_for(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, limits__guest_calls_per_minute=1) as service:
        async with person_at(service.game) as tables:
            for _ in range(20):
                await tables.ListTables(tables_pb2.ListTablesRequest())


async def seen(watch: Watching) -> bool:
    first = await watch.read()
    return isinstance(first, tables_pb2.WatchTableResponse) and first.HasField(
        "snapshot"
    )


async def test_a_caller_has_so_many_watches_and_gets_one_back_by_ending_one(
    tmp_path: Path,
) -> None:
    settings = {**COUNTED, "limits__watches_per_caller": 2}
    with serving(tmp_path, **settings) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)

            def watch() -> Watching:
                return tables.WatchTable(tables_pb2.WatchTableRequest(table=anna.table))

            open_ones = [watch(), watch()]
            for call in open_ones:
                assert await seen(call)
            third = watch()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await third.read()
            refusal = refusal_of(caught.value)
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "TOO_MANY_WATCHES")
            assert refusal.quota == "address:this machine"
            open_ones[0].cancel()
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    again = watch()
                    try:
                        assert await seen(again)
                    except grpc.aio.AioRpcError:
                        continue
                    break


async def test_open_tables_are_limited_by_caller(tmp_path: Path) -> None:
    with serving(tmp_path, "--auth", "on", limits__open_tables_per_bot=2) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            ada = bearer(await operator.register("ada", *WRITER))
            bob = bearer(await operator.register("bob", *WRITER))
            first = (await opened(tables, ada)).table.table
            await opened(tables, ada)
            refusal = await refused(opened(tables, ada))
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "TOO_MANY_TABLES")
            assert refusal.retry_ms
            await opened(tables, bob)
            cancel = tables_pb2.CancelTableRequest(table=first)
            await tables.CancelTable(cancel, metadata=ada)
            await opened(tables, ada)


async def test_a_bot_has_so_many_processes_and_one_that_ended_makes_room(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, limits__instances_per_bot=1) as service:
        async with operator_of(service, tmp_path) as operator:
            token = await operator.register("ada")
            port = int(service.game.rpartition(":")[2])
            async with frame_client(port, token) as first:
                await first.hello(instance_id="one")
                async with frame_client(port, token) as second:
                    with pytest.raises((EOFError, grpc.aio.AioRpcError)):
                        await second.hello(instance_id="two")
                    assert (await second.call.code()) is EXHAUSTED
                # The same process again takes over, at once.
                async with frame_client(port, token) as again:
                    assert (await again.hello(instance_id="one")).resumed
                assert (await first.status())[0] is grpc.StatusCode.ABORTED


async def in_flight(service: Serving, calls: int) -> dict[str, float]:
    """What is counted, once so many single calls are being served."""
    async with asyncio.timeout(20):
        while True:
            _, text = await asyncio.to_thread(service.http, "/metrics")
            pairs = (line.rsplit(" ", 1) for line in text.splitlines())
            told = {name: float(value) for name, value in pairs if name[0] != "#"}
            if told["ohhell_calls_in_flight"] == calls:
                return told


async def test_more_calls_than_may_be_in_flight_are_refused_and_moves_are_not(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, prelude=HANGS, limits__calls_in_flight=2) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
            person_at(service.game) as others,
        ):
            anna = await someone(tables, house_bots=["lowest"])
            ben = await sit_down(tables, anna.table)
            view = await anna.view()
            first, second = (anna, ben) if view.ask else (ben, anna)
            assert (await first.view()).ask
            look = tables_pb2.GetViewRequest(
                table=second.table, seat=second.seat, wait_ms=60_000
            )
            waiting = [
                asyncio.ensure_future(stub.GetView(look, metadata=second.token))
                for stub in (tables, others)
            ]
            told = await in_flight(service, 2)
            assert told["ohhell_connections_active"] == 2
            # Who waits for a turn keeps nobody out.
            hanging = [
                asyncio.ensure_future(
                    stub.GetTable(
                        tables_pb2.GetTableRequest(table="t-hangs"), timeout=PATIENCE_S
                    )
                )
                for stub in (tables, others)
            ]
            await in_flight(service, 4)
            for refusal in (
                await refused(second.view()),
                await refused(tables.ListTables(tables_pb2.ListTablesRequest())),
            ):
                assert (refusal.code, refusal.reason) == (EXHAUSTED, "TOO_MANY_CALLS")
                assert refusal.quota == "service"
                assert refusal.metadata == {"limit": "calls_in_flight"}
                assert refusal.retry_ms
            # Operators come through, and may allow more.
            more = admin_pb2.SetLimitsRequest(limits={"calls_in_flight": 3})
            await operator.admin.SetLimits(more, metadata=operator.key)
            view = await first.view()
            less = admin_pb2.SetLimitsRequest(limits={"calls_in_flight": 1})
            await operator.admin.SetLimits(less, metadata=operator.key)
            await first.act(view)
            for call in waiting:
                assert (await call).view.ask
            for hangs in hanging:
                assert hangs.cancel()
            await in_flight(service, 0)


async def test_a_seat_waits_for_its_turn_as_often_at_once_as_it_may_watch(
    tmp_path: Path,
) -> None:
    settings = {**COUNTED, "limits__watches_per_caller": 2}
    with serving(tmp_path, **settings) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, house_bots=["lowest"])
            ben = await sit_down(tables, anna.table)
            view = await anna.view()
            first, second = (anna, ben) if view.ask else (ben, anna)
            waiting = [asyncio.ensure_future(second.view(60_000)) for _ in range(2)]
            await in_flight(service, 2)
            refusal = await refused(second.view(60_000))
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "TOO_MANY_WATCHES")
            assert refusal.quota == f"seat:{second.table}/{second.seat}"
            # To look without waiting is as right as ever, and so are others.
            assert not (await second.view()).ask
            assert (await first.view(60_000)).ask
            assert waiting.pop().cancel()
            await in_flight(service, 1)
            waiting.append(asyncio.ensure_future(second.view(60_000)))
            await in_flight(service, 2)
            await first.act(await first.view())
            for call in waiting:
                assert (await call).ask
