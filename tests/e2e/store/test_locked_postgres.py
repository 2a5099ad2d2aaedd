"""Calls that wait for a database which somebody else has locked."""

from __future__ import annotations

from pathlib import Path

import grpc
import psycopg

from ohhell.v1 import match_pb2, tables_pb2
from tests.doubles.postgres import PostgresServer, needs_postgres
from tests.doubles.serving import person_at, refused, serving, someone

pytestmark = needs_postgres


async def test_a_bid_that_the_store_kept_waiting_is_not_made_twice(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    where = postgres.new_database()
    with serving(tmp_path, "--store", where, patience__call_ms=500) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            view = await anna.turn()
            bid = tables_pb2.PlaceBidRequest(
                table=anna.table,
                decision=match_pb2.Decision(seq=view.seq, seat=anna.seat),
                bid=view.legal_bids[0],
            )
            with psycopg.connect(where) as other:
                other.execute("LOCK TABLE log_chunks IN ACCESS EXCLUSIVE MODE")
                for _ in range(2):
                    refusal = await refused(tables.PlaceBid(bid, metadata=anna.token))
                    assert refusal.code is grpc.StatusCode.DEADLINE_EXCEEDED
                    assert refusal.reason == "TOOK_TOO_LONG"
                other.rollback()
            answer = await tables.PlaceBid(bid, metadata=anna.token)
            assert answer.duplicate
            assert answer.entry == view.seq + 1
            assert (await anna.play_on()).phase == match_pb2.PHASE_OVER
