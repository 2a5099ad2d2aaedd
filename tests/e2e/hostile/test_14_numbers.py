"""Numbers at and beyond every edge: refused by name, or taken as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import frames_pb2, match_pb2, rules_pb2, tables_pb2
from tests.doubles.frames import frame_client
from tests.doubles.serving import (
    Serving,
    new_table,
    person_at,
    refused,
    registered,
    serving,
    someone,
)

MOST = 2**32 - 1
INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


def rules(**overrides: str) -> rules_pb2.RulesSpec:
    """With parameters as JSON text."""
    return rules_pb2.RulesSpec(preset="pagat_standard", overrides=overrides)


@pytest.mark.parametrize("players", [0, 1, 11, 255, 256, MOST])
async def test_a_number_of_players_that_cannot_be_is_refused(
    service: Serving, players: int
) -> None:
    async with person_at(service.game) as tables:
        refusal = await refused(new_table(tables, players=players, house_bots=[]))
        assert refusal.code is INVALID
        assert refusal.reason in ("BAD_PLAYER_COUNT", "FIELD_INVALID")


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "Infinity",
        "-1",
        "0.5",
        "1e300",
        "9" * 5_000,
        "[" * 9_000,
        "{",
        "",
        "\x00",
    ],
    ids=range(10),
)
async def test_a_parameter_that_is_no_whole_number_in_range_is_refused(
    service: Serving, value: str
) -> None:
    async with person_at(service.game) as tables:
        for name in ("deal_count", "deal_high", "max_deals"):
            refusal = await refused(new_table(tables, rules=rules(**{name: value})))
            assert refusal.code is INVALID, name
            assert refusal.reason in ("BAD_CONFIG", "MALFORMED_MESSAGE"), name


async def test_a_list_of_deals_beyond_all_measure_is_refused(service: Serving) -> None:
    sizes = ",".join(["1"] * 20_000)
    async with person_at(service.game) as tables:
        spec = rules(deal_kind='"list"', deal_list=f"[{sizes}]")
        refusal = await refused(new_table(tables, rules=spec))
        assert refusal.code is INVALID


@pytest.mark.parametrize(
    "clock",
    [
        {"per_decision_ms": 86_400_001},
        {"bank_ms": MOST},
        {"increment_ms": MOST},
        {"grace_ms": 501},
    ],
    ids=str,
)
async def test_a_time_beyond_a_day_is_refused(
    service: Serving, clock: dict[str, int]
) -> None:
    async with person_at(service.game) as tables:
        wanted = frames_pb2.TimeControl(**clock)
        refusal = await refused(new_table(tables, clock=wanted))
        assert (refusal.code, refusal.reason) == (INVALID, "FIELD_INVALID")


@pytest.mark.parametrize("size", [-1, -(2**31)])
async def test_a_page_of_less_than_nothing_is_refused(
    service: Serving, size: int
) -> None:
    async with person_at(service.game) as tables:
        request = tables_pb2.ListTablesRequest(page_size=size)
        assert (await refused(tables.ListTables(request))).code is INVALID


@pytest.mark.parametrize("size", [0, 1, 2**31 - 1])
async def test_a_page_is_as_large_as_it_may_be(service: Serving, size: int) -> None:
    async with person_at(service.game) as tables:
        await new_table(tables)
        request = tables_pb2.ListTablesRequest(page_size=size)
        assert 1 <= len((await tables.ListTables(request)).tables) <= 1_000


async def test_a_bid_is_missing_or_zero_or_too_high_and_never_mistaken(
    service: Serving,
) -> None:
    async with person_at(service.game) as tables:
        anna = await someone(tables)
        view = await anna.turn()
        decision = match_pb2.Decision(seq=view.seq, seat=anna.seat)

        def bid(**fields: int) -> object:
            request = tables_pb2.PlaceBidRequest(
                table=anna.table,
                decision=decision,
                **fields,
            )
            return tables.PlaceBid(request, metadata=anna.token)

        assert (await refused(bid())).reason == "BID_NOT_INTEGER"
        for amount in (view.size + 1, 2**31, MOST):
            refusal = await refused(bid(bid=amount))
            assert refusal.reason == "BID_OUT_OF_RANGE"
            assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
        assert (await anna.view()).seq == view.seq
        if 0 in view.legal_bids:
            assert (await bid(bid=0)).entry == view.seq + 1  # type: ignore[misc]  # a call


@pytest.mark.parametrize("card", [0, 76, 255, 256, 2**31 - 1])
async def test_a_card_that_is_none_is_refused(service: Serving, card: int) -> None:
    async with person_at(service.game) as tables:
        anna = await someone(tables)
        view = await anna.turn()
        request = tables_pb2.PlayCardRequest(
            table=anna.table,
            decision=match_pb2.Decision(seq=view.seq, seat=anna.seat),
            card=card,  # type: ignore[arg-type]  # a number of no card
        )
        refusal = await refused(tables.PlayCard(request, metadata=anna.token))
        assert refusal.code in (INVALID, grpc.StatusCode.FAILED_PRECONDITION)
        assert (await anna.view()).seq == view.seq


@pytest.mark.parametrize("seat", [3, 255, MOST])
async def test_a_seat_that_is_not_there_is_refused(service: Serving, seat: int) -> None:
    async with person_at(service.game) as tables:
        table = (await new_table(tables, house_bots=[])).table.table
        join = tables_pb2.JoinTableRequest(table=table, seat=seat)
        refusal = await refused(tables.JoinTable(join))
        assert (refusal.code, refusal.reason) == (INVALID, "BAD_SEAT")


async def test_every_violation_is_told_not_only_the_first(service: Serving) -> None:
    async with person_at(service.game) as tables:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await new_table(
                tables,
                display_name="x" * 33,
                clock=frames_pb2.TimeControl(grace_ms=MOST, bank_ms=MOST),
                request_id="\u00e9",
            )
        raw = dict(caught.value.trailing_metadata() or ())["grpc-status-details-bin"]
        assert isinstance(raw, bytes)
        for name in ("display_name", "clock.grace_ms", "clock.bank_ms", "request_id"):
            assert name.encode() in raw


async def test_a_pong_that_answers_no_heartbeat_measures_nothing(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, patience__heartbeat_ms=100) as quick:
        async with frame_client(quick.game, token) as anna:
            await anna.hello()
            for nonce in (0, 1, 7, MOST):
                pong = frames_pb2.Pong(nonce=nonce)
                await anna.send(frames_pb2.ClientFrame(pong=pong))
            beats = [(await anna.next("heartbeat")).heartbeat for _ in range(3)]
    assert [beat.nonce for beat in beats] == [1, 2, 3]
    assert all(beat.round_trip_us < 60_000_000 for beat in beats)
