"""Many want the same few seats at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import grpc

from ohhell.v1 import tables_pb2
from tests.doubles.frames import frame_client
from tests.doubles.operators import WRITER, opened, operator_of
from tests.doubles.serving import (
    bearer,
    new_table,
    person_at,
    refusal_of,
    refused,
    serving,
)


async def test_fifty_race_for_four_seats_and_four_get_one_each(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with AsyncExitStack() as stack:
            people = [
                await stack.enter_async_context(person_at(service.game))
                for _ in range(10)
            ]
            created = await new_table(people[0], players=4, house_bots=[])
            join = tables_pb2.JoinTableRequest(table=created.table.table)
            results = await asyncio.gather(
                *(people[number % 10].JoinTable(join) for number in range(50)),
                return_exceptions=True,
            )
    joined = [r for r in results if isinstance(r, tables_pb2.JoinTableResponse)]
    late = [
        refusal_of(r).reason for r in results if isinstance(r, grpc.aio.AioRpcError)
    ]
    assert sorted(response.seat.seat for response in joined) == [0, 1, 2, 3]
    assert len({response.seat_token for response in joined}) == 4
    assert Counter(late) == {"TABLE_FULL": 46}


async def test_a_seat_that_many_name_goes_to_one(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            created = await new_table(tables, players=4, house_bots=[])
            join = tables_pb2.JoinTableRequest(table=created.table.table, seat=2)
            results = await asyncio.gather(
                *(tables.JoinTable(join) for _ in range(20)), return_exceptions=True
            )
    errors = [refusal_of(r) for r in results if isinstance(r, grpc.aio.AioRpcError)]
    assert {(e.code, e.reason) for e in errors} == {
        (grpc.StatusCode.ALREADY_EXISTS, "SEAT_TAKEN")
    }
    assert len(errors) == 19


async def test_a_bot_that_joins_twice_has_the_seat_that_it_has(tmp_path: Path) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        port = int(service.game.rpartition(":")[2])
        async with operator_of(service, tmp_path) as operator:
            token = await operator.register("ada", *WRITER)
            async with (
                person_at(service.game) as tables,
                person_at(service.game) as elsewhere,
                frame_client(port, token) as client,
            ):
                await client.hello()
                created = await opened(tables, bearer(token))
                table = created.table.table

                async def join(stub: object, **fields: object) -> int:
                    request = tables_pb2.JoinTableRequest(table=table, **fields)  # type: ignore[arg-type]  # fields as given
                    joined = await stub.JoinTable(request, metadata=bearer(token))  # type: ignore[attr-defined]  # a stub
                    assert joined.seat_token == ""
                    return int(joined.seat.seat)

                assert await join(tables, ticket=created.tickets[1]) == 1
                again = [
                    join(elsewhere, ticket=created.tickets[1]),
                    join(elsewhere, ticket=created.tickets[2]),
                    join(tables, ticket=created.tickets[0], seat=0),
                    join(tables),
                ]
                assert await asyncio.gather(*again) == [1, 1, 1, 1]
                seen = await tables.GetTable(
                    tables_pb2.GetTableRequest(table=table), metadata=bearer(token)
                )
                assert list(seen.table.players) == ["", "ada", ""]


async def test_nobody_joins_a_match_that_is_played(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            created = await new_table(tables)
            join = tables_pb2.JoinTableRequest(table=created.table.table)
            await tables.JoinTable(join)
            for request in (
                join,
                tables_pb2.JoinTableRequest(
                    table=created.table.table, ticket=created.tickets[0]
                ),
            ):
                refusal = await refused(tables.JoinTable(request))
                assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
                assert refusal.reason == "TABLE_FULL"
