"""What is there and hidden, and what is not there, are one answer to a stranger."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest

from ohhell.v1 import tables_pb2, tables_pb2_grpc
from tests.doubles.operators import WRITER, opened, operator_of
from tests.doubles.serving import Metadata, bearer, person_at, serving

HIDDEN = tables_pb2.SPECTATOR_POLICY_OFF
NOWHERE = "t-000000000000"


def attempts(
    tables: tables_pb2_grpc.TableServiceAsyncStub, table: str, metadata: Metadata
) -> dict[str, object]:
    """Everything that names a table."""
    return {
        "get": tables.GetTable(
            tables_pb2.GetTableRequest(table=table), metadata=metadata
        ),
        "view": tables.GetView(
            tables_pb2.GetViewRequest(table=table), metadata=metadata
        ),
        "record": tables.GetRecord(
            tables_pb2.GetRecordRequest(table=table), metadata=metadata
        ),
        "cancel": tables.CancelTable(
            tables_pb2.CancelTableRequest(table=table), metadata=metadata
        ),
        "join": tables.JoinTable(
            tables_pb2.JoinTableRequest(table=table), metadata=metadata
        ),
        "join there": tables.JoinTable(
            tables_pb2.JoinTableRequest(table=table, seat=1), metadata=metadata
        ),
        "join by guess": tables.JoinTable(
            tables_pb2.JoinTableRequest(table=table, ticket="oht_guess"),
            metadata=metadata,
        ),
        "guess": tables.JoinTable(
            tables_pb2.JoinTableRequest(table=table, ticket="oht_guess")
        ),
    }


async def answers(calls: dict[str, object]) -> dict[str, tuple[object, ...]]:
    """Everything that a caller gets to see."""
    told: dict[str, tuple[object, ...]] = {}
    for name, call in calls.items():
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call  # type: ignore[misc]  # a call of a stub
        error = caught.value
        trailing = sorted((error.trailing_metadata() or ()), key=str)
        told[name] = (error.code(), error.details(), trailing)
    return told


@pytest.mark.parametrize("stage", ["open", "running", "cancelled"])
async def test_a_stranger_cannot_tell_a_hidden_table_from_none(
    tmp_path: Path, stage: str
) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            owner = bearer(await operator.register("owner", *WRITER))
            stranger = bearer(await operator.register("stranger", *WRITER))
            created = await opened(
                tables, owner, HIDDEN, house_bots=["greedy", "lowest"]
            )
            table = created.table.table
            if stage != "open":
                joined = tables_pb2.JoinTableRequest(
                    table=table, ticket=created.tickets[0]
                )
                await tables.JoinTable(joined)
            if stage == "cancelled":
                ask = tables_pb2.CancelTableRequest(table=table)
                await tables.CancelTable(ask, metadata=owner)
            there = await answers(attempts(tables, table, stranger))
            nowhere = await answers(attempts(tables, NOWHERE, stranger))
            assert there == nowhere
            assert {code for code, *_ in there.values()} == {
                grpc.StatusCode.PERMISSION_DENIED
            }
            listed = await tables.ListTables(
                tables_pb2.ListTablesRequest(), metadata=stranger
            )
            assert len(listed.tables) == 0
            # It is there, for whom it is for.
            own = tables_pb2.GetTableRequest(table=table)
            assert (await tables.GetTable(own, metadata=owner)).table.table == table


async def test_the_same_holds_without_tokens_for_a_table_of_somebody(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            owner = bearer(await operator.register("owner", *WRITER))
            table = (await opened(tables, owner, HIDDEN)).table.table
            there = await answers(attempts(tables, table, ()))
            nowhere = await answers(attempts(tables, NOWHERE, ()))
            assert there == nowhere
            assert {code for code, *_ in there.values()} == {grpc.StatusCode.NOT_FOUND}


async def test_one_token_says_as_little_about_a_wrong_seat_as_about_none(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            owner = await opened(tables, ())
            joined = await tables.JoinTable(
                tables_pb2.JoinTableRequest(table=owner.table.table)
            )
            other = (await opened(tables, (), HIDDEN)).table.table
            token = bearer(joined.seat_token)

            def look(table: str) -> dict[str, object]:
                request = tables_pb2.GetViewRequest(table=table, seat=0)
                return {"view": tables.GetView(request, metadata=token)}

            assert await answers(look(other)) == await answers(look(NOWHERE))
