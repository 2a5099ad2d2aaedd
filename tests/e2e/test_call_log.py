"""What the log of a real service tells of its calls, and what it never does."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from ohhell.v1 import match_pb2, tables_pb2
from server.rpc.call_log import MOST, SHOWN
from server.rpc.untyped import Untyped
from tests.doubles.frames import frame_client
from tests.doubles.operators import WRITER, operator_of, raw_method
from tests.doubles.serving import (
    Serving,
    bearer,
    new_table,
    person_at,
    refused,
    serving,
    someone,
)


def told(service: Serving) -> list[dict[str, str]]:
    """One for each call that has a line."""
    entries = map(json.loads, service.log.read_text().splitlines())
    return [entry for entry in entries if entry["event"] == "rpc"]


async def test_calls_are_told_with_who_made_them_and_moves_only_when_refused(
    tmp_path: Path,
) -> None:
    request_id = uuid.uuid4()
    with serving(tmp_path, "--auth", "on", shutdown__grace_s=0) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            token = await operator.register("ada", *WRITER)
            created = await tables.CreateTable(
                tables_pb2.CreateTableRequest(
                    rules={"preset": "pagat_standard"},  # type: ignore[arg-type]  # protobuf takes it
                    players=3,
                    house_bots=["lowest", "lowest"],
                    request_id=str(request_id),
                ),
                metadata=bearer(token),
            )
            table = created.table.table
            ask = tables_pb2.JoinTableRequest(table=table, ticket=created.tickets[0])
            joined = await tables.JoinTable(ask)
            seat = joined.seat.seat
            mine = bearer(joined.seat_token)
            look = tables_pb2.GetViewRequest(table=table, seat=seat, wait_ms=20_000)
            view = (await tables.GetView(look, metadata=mine)).view
            decision = match_pb2.Decision(seq=view.seq, seat=seat)
            bid = tables_pb2.PlaceBidRequest(table=table, decision=decision, bid=400)
            await refused(tables.PlaceBid(bid, metadata=mine))
            bid.bid = view.legal_bids[0]
            await tables.PlaceBid(bid, metadata=mine)
            wrong = bearer("ohb_" + "A" * 43)
            await refused(tables.PlaceBid(bid, metadata=wrong))
            channel = grpc.aio.insecure_channel(service.game)
            health: Untyped = health_pb2_grpc.HealthStub(channel)
            await health.Check(health_pb2.HealthCheckRequest())
            await raw_method(channel, "/no/such")(b"", timeout=20).code()
            await channel.close()
            async with frame_client(service.game, token) as bot:
                await bot.hello()
        service.end()
        lines = told(service)
        log = service.log.read_text()
    assert all(line["level"] == "info" for line in lines)
    assert all(line.get("address", "this machine") == "this machine" for line in lines)
    seen = [
        tuple(line.get(key, "") for key in ("method", "code", "reason", "caller"))
        for line in lines
    ]
    place = f"seat:{table}/{seat}"
    assert seen[:-1] == [
        ("RegisterBot", "OK", "", "operator"),
        ("CreateTable", "OK", "", "bot:ada"),
        ("JoinTable", "OK", "", "guest"),
        ("PlaceBid", "FAILED_PRECONDITION", "BID_OUT_OF_RANGE", place),
        ("PlaceBid", "UNAUTHENTICATED", "TOKEN_INVALID", "unknown"),
        ("unknown", "UNIMPLEMENTED", "UNKNOWN_METHOD", "guest"),
    ]
    assert (seen[-1][0], seen[-1][3]) == ("Connect", "bot:ada")
    assert [line.get("request_id") for line in lines[:3]] == [
        None,
        str(request_id)[:SHOWN],
        None,
    ]
    assert str(request_id)[SHOWN:] not in log


async def test_a_stream_that_ends_with_its_token_is_told_by_whose_it_was(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        async with operator_of(service, tmp_path) as operator:
            token = await operator.register("ada")
            async with frame_client(service.game, token) as bot:
                await bot.hello()
                await operator.revoke("ada", token)
                code, _ = await bot.status()
                assert code is grpc.StatusCode.UNAUTHENTICATED
        (line,) = [line for line in told(service) if line["method"] == "Connect"]
    assert (line["caller"], line["reason"]) == ("bot:ada", "TOKEN_INVALID")


async def test_a_flood_of_refused_moves_is_no_flood_of_lines(tmp_path: Path) -> None:
    times = 20 * MOST
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            play = tables_pb2.PlayCardRequest(table=anna.table)
            for _ in range(times):
                await refused(tables.PlayCard(play, metadata=anna.token))
        lines = [line for line in told(service) if line["method"] == "PlayCard"]
    assert MOST <= len(lines) < times / 2


async def test_a_request_id_that_is_a_secret_is_blanked(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            secret = anna.token[0][1].removeprefix("Bearer ")
            await refused(new_table(tables, request_id=secret))
        log = service.log.read_text()
    assert secret[4:] not in log
    assert '"request_id": "[redacted]"' in log
