"""Seats of a served table: who sits where, who may come back, and what they are shown.

These are faults that services of this kind have had; `tests/cases.toml` lists them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from engine.record import parse_record
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2
from tests.doubles.served import Metadata, Served, play_out, refusal, serving

RACES = 1000
OTHERS = 20


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path) as running:
        yield running


async def view(
    served: Served, table: str, seat: int, token: Metadata
) -> match_pb2.View:
    ask = tables_pb2.GetViewRequest(table=table, seat=seat)
    return (await served.tables.GetView(ask, metadata=token)).view


async def bid(served: Served, table: str, seat: int, token: Metadata) -> None:
    """The seat, which is on turn, bids the first amount open to it."""
    seen = await view(served, table, seat, token)
    place = tables_pb2.PlaceBidRequest(
        table=table,
        decision=match_pb2.Decision(seq=seen.seq, seat=seat),
        bid=seen.legal_bids[0],
    )
    await served.tables.PlaceBid(place, metadata=token)


async def test_seats_are_those_of_joining_for_everybody_and_act_in_their_order(
    served: Served,
) -> None:
    names = ["A", "B", "C", "D"]
    created = await served.create(players=4, house_bots=[])
    table = created.table.table
    seats = [await served.join(table, display_name=name) for name in names]
    assert [seat for seat, _ in seats] == [0, 1, 2, 3]
    for seat, token in seats:
        told = await served.tables.GetTable(
            tables_pb2.GetTableRequest(table=table), metadata=token
        )
        assert [*told.table.players] == names
        assert (await view(served, table, seat, token)).seat == seat
    opener = ((await view(served, table, *seats[0])).dealer + 1) % 4
    for place in range(4):
        seat = (opener + place) % 4
        for other, token in seats:
            assert [*(await view(served, table, other, token)).to_act] == [seat]
        await bid(served, table, seat, seats[seat][1])


async def test_totals_after_a_missed_entry_are_those_of_the_service(
    served: Served,
) -> None:
    rules = rules_pb2.RulesSpec(
        preset="no_hook",
        overrides={"deal_shape": '"list"', "deal_list": "[1, 1, 1]"},
    )
    table = (await served.create(rules=rules)).table.table
    seat, token = await served.join(table)
    watch = tables_pb2.WatchTableRequest(table=table, seat=seat)
    final = await play_out(served, table, seat, token)
    call = served.tables.WatchTable(watch, metadata=token)
    messages = [message async for message in call]
    (snapshot,) = [m.snapshot for m in messages if m.HasField("snapshot")]
    deals = [m.entry.scored for m in messages if m.entry.HasField("scored")]
    assert len(deals) == 3
    assert any(deals[1].points), "a deal that changes nothing cannot be missed"
    # Whoever missed the entry of the second deal takes the totals of the next.
    earned = [sum(points) for points in zip(*(d.points for d in deals), strict=True)]
    assert [*deals[2].scores] == [*snapshot.scores] == [*final.scores] == earned


async def test_players_and_watchers_that_come_and_go_end_no_match(
    served: Served,
) -> None:
    """A thousand times somebody comes back or goes while entries are sent."""
    busy = (await served.create(seed=OTHERS)).table.table
    seat, token = await served.join(busy)
    # Of other deals: nobody looks on where the same are played elsewhere.
    others = [await served.create(seed=seed) for seed in range(OTHERS)]
    names = [created.table.table for created in others]
    seats = [(busy, seat, token)]
    for name in names:
        seats.append((name, *await served.join(name)))  # noqa: PERF401 - one by one
    playing = [asyncio.create_task(play_out(served, *place)) for place in seats]

    async def come_and_go(number: int) -> None:
        """In turn the player and somebody who looks on; in turn they read 0, 1, 2."""
        is_player = number % 2 == 1
        request = tables_pb2.WatchTableRequest(
            table=busy, seat=seat if is_player else None
        )
        call = served.tables.WatchTable(request, metadata=token if is_player else ())
        for _ in range(number % 3):
            assert isinstance(await call.read(), tables_pb2.WatchTableResponse)
        call.cancel()

    for begun in range(0, RACES, 20):
        await asyncio.gather(*map(come_and_go, range(begun, begun + 20)))
    views = await asyncio.gather(*playing)
    assert all(seen.phase == match_pb2.PHASE_OVER for seen in views)
    for name in (busy, *names):
        record = await served.tables.GetRecord(tables_pb2.GetRecordRequest(table=name))
        assert parse_record(record.text).is_complete


async def test_a_seat_of_a_full_table_is_kept_for_its_player_and_no_stranger_gets_one(
    served: Served,
) -> None:
    table = (await served.create(players=7, house_bots=[])).table.table
    seats = [await served.join(table) for _ in range(7)]
    seat, token = seats[3]
    watch = tables_pb2.WatchTableRequest(table=table, seat=seat)

    async def come() -> match_pb2.View:
        call = served.tables.WatchTable(watch, metadata=token)
        message = await call.read()
        call.cancel()
        assert isinstance(message, tables_pb2.WatchTableResponse)
        return message.snapshot

    before = await come()
    for wanted in (None, seat):
        request = tables_pb2.JoinTableRequest(table=table, seat=wanted)
        assert await refusal(served.tables.JoinTable(request)) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "TABLE_FULL",
        )
    after = await come()
    assert (after.seat, [*after.hand]) == (seat, [*before.hand])
    assert after.hand
