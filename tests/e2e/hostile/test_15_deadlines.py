"""Deadlines of callers: none of them leaves half an action behind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import match_pb2, tables_pb2
from tests.doubles.serving import Person, person_at, serving, someone

HOLDS_THE_STORE = """
import asyncio, pathlib
from server.keeper import Keeper
committed = Keeper.committed
async def held(self):
    while pathlib.Path("held").exists():
        await asyncio.sleep(0.01)
    await committed(self)
Keeper.committed = held
"""
"""What PostgreSQL does where a lock is held; a file would be given up at once."""


@contextmanager
def held(file: Path) -> Iterator[None]:
    file.touch()
    yield
    file.unlink()


async def bid_within(person: Person, view: match_pb2.View, seconds: float) -> str:
    """How a bid with this deadline ended."""
    bid = person.first_bid(view)
    try:
        await person.tables.PlaceBid(bid, metadata=person.token, timeout=seconds)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


async def test_a_call_that_ran_out_of_time_is_done_or_not_and_may_be_made_again(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            for seconds in (0.0, -1.0, math.nan, 0.001, 0.005, 20.0):
                anna = await someone(tables)
                view = await anna.turn()
                try:
                    ended = await bid_within(anna, view, seconds)
                except ValueError:
                    ended = "REFUSED_BY_GRPC"
                assert ended in {"OK", "DEADLINE_EXCEEDED", "REFUSED_BY_GRPC"}
                bid = anna.first_bid(view)
                answer = await tables.PlaceBid(bid, metadata=anna.token)
                assert answer.entry == view.seq + 1
                if ended == "OK":
                    assert answer.duplicate
                assert (await anna.play_on()).phase == match_pb2.PHASE_OVER


async def test_a_caller_without_a_deadline_is_not_kept_for_ever(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, house_bots=["lowest"])
            ben = await someone(tables, house_bots=["lowest", "lowest"])
            await ben.view()
            look = tables_pb2.GetViewRequest(
                table=ben.table, seat=ben.seat, wait_ms=2**32 - 1
            )
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await tables.GetView(look, metadata=ben.token, timeout=20)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert anna.table != ben.table


async def test_a_bid_that_the_store_keeps_waiting_is_told_so_and_made_once(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, prelude=HOLDS_THE_STORE, patience__call_ms=300) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            await anna.bid_through(held(tmp_path / "held"))
