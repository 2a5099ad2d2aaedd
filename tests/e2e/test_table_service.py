"""TableService over real gRPC: what a person with a generic client can do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from engine.record import match_of, parse_record
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2
from server.config import Auth
from server.registry import Scope
from server.store import Store
from tests.doubles.served import Metadata, Served, bearer, play_out, refusal, serving


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path) as running:
        yield running


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Served]:
    """As `served`, with tokens asked for."""
    async with serving(tmp_path, Auth.ON) as running:
        yield running


async def test_a_match_is_played_by_unary_calls_and_its_record_proves_it(
    served: Served,
) -> None:
    table = (await served.create()).table.table
    seat, token = await served.join(table, display_name="Ada")
    view = await play_out(served, table, seat, token)
    answer = await served.tables.GetRecord(tables_pb2.GetRecordRequest(table=table))
    record = parse_record(answer.text)
    assert record.is_complete
    assert match_of(record).scores == tuple(view.scores)
    assert list(answer.record.players) == ["Ada", "greedy", "lowest"]
    assert len(answer.record.entries) == len(record.entries)


async def test_what_was_acknowledged_is_in_the_store(served: Served) -> None:
    created = await served.create()
    seat, token = await served.join(created.table.table)
    view = await play_out(served, created.table.table, seat, token)
    await served.service.close()
    with Store(served.store) as store:
        kept = store.tables.by_name(created.table.table)
        assert kept is not None
        assert kept.state == "finished"
        assert json.loads(kept.result or "")["scores"] == list(view.scores)
        assert len(store.log.payloads(kept.id)) == view.seq


async def test_a_watch_has_every_entry_and_every_question_in_order(
    served: Served,
) -> None:
    table = (await served.create()).table.table
    seat, token = await served.join(table)
    watch = served.tables.WatchTable(
        tables_pb2.WatchTableRequest(table=table, seat=seat), metadata=token
    )
    playing = asyncio.create_task(play_out(served, table, seat, token))
    bodies = []
    last = 0
    async for message in watch:
        body = message.WhichOneof("body")
        bodies.append(body)
        if body == "entry":
            assert message.entry.seq == last + 1
            last = message.entry.seq
        elif body == "prompt":
            assert message.prompt.seq <= last
        elif body == "notice":
            raise AssertionError(message)
    view = await playing
    assert (bodies[0], bodies[-1]) == ("snapshot", "ended")
    assert last == view.seq


async def test_a_watch_goes_on_after_an_entry(served: Served) -> None:
    table = (await served.create(house_bots=["greedy"] * 3)).table.table
    watch = served.tables.WatchTable(
        tables_pb2.WatchTableRequest(table=table, after_seq=3)
    )
    entries = [m.entry.seq async for m in watch if m.HasField("entry")]
    assert entries == list(range(4, entries[-1] + 1))


async def test_a_spectator_sees_no_hand(served: Served) -> None:
    table = (await served.create()).table.table
    await served.join(table)
    seen = await served.tables.GetView(tables_pb2.GetViewRequest(table=table))
    assert not seen.view.HasField("seat")
    assert len(seen.view.hand) == 0
    assert sum(seen.view.shown_counts) == 0


async def test_a_repeated_move_returns_the_first_result(served: Served) -> None:
    table = (await served.create()).table.table
    seat, token = await served.join(table)
    view = (
        await served.tables.GetView(
            tables_pb2.GetViewRequest(table=table, seat=seat, wait_ms=10_000),
            metadata=token,
        )
    ).view
    bid = tables_pb2.PlaceBidRequest(
        table=table,
        decision=match_pb2.Decision(seq=view.seq),
        bid=view.legal_bids[0],
    )
    first = await served.tables.PlaceBid(bid, metadata=token)
    again = await served.tables.PlaceBid(bid, metadata=token)
    assert (first.entry, first.duplicate) == (view.seq + 1, False)
    assert (again.entry, again.duplicate) == (view.seq + 1, True)
    bid.bid = view.legal_bids[1]
    assert await refusal(served.tables.PlaceBid(bid, metadata=token)) == (
        grpc.StatusCode.ALREADY_EXISTS,
        "DECISION_ALREADY_ANSWERED",
    )


async def test_a_request_id_makes_one_table_of_two_calls(served: Served) -> None:
    request_id = "0198c7b4-3f5e-4e0a-9d3b-5a2f6c1e7d88"
    first = await served.create(request_id=request_id)
    again = await served.create(request_id=request_id)
    assert first == again
    assert await refusal(served.create(request_id=request_id, players=4)) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rules": rules_pb2.RulesSpec(preset="pagat_standart")}, "BAD_CONFIG"),
        (
            {
                "rules": rules_pb2.RulesSpec(
                    preset="pagat_standard", overrides={"hook": "maybe"}
                )
            },
            "BAD_CONFIG",
        ),
        ({"players": 0}, "BAD_PLAYER_COUNT"),
        ({"players": 11, "house_bots": []}, "BAD_PLAYER_COUNT"),
        ({"house_bots": ["hal"]}, "UNKNOWN_HOUSE_BOT"),
        ({"house_bots": ["greedy"] * 4}, "TOO_MANY_HOUSE_BOTS"),
        ({"display_name": "x" * 33}, "FIELD_INVALID"),
        ({"display_name": "a\u202eb"}, "FIELD_INVALID"),
        ({"spectators": 99}, "FIELD_INVALID"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(
    served: Served, fields: dict[str, object], reason: str
) -> None:
    assert await refusal(served.create(**fields)) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        reason,
    )


async def test_moves_that_are_not_allowed_change_nothing(served: Served) -> None:
    tables = served.tables
    table = (await served.create(house_bots=[])).table.table
    first, first_token = await served.join(table)
    place = tables_pb2.PlaceBidRequest
    assert await refusal(
        tables.PlaceBid(place(table=table, bid=1), metadata=first_token)
    ) == (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_NOT_RUNNING")
    tokens = {first: first_token}
    for _ in range(2):
        seat, token = await served.join(table)
        tokens[seat] = token
    ask = tables_pb2.GetViewRequest(table=table)
    before = await tables.GetView(ask)
    (turn,) = before.view.to_act
    on_turn, other = tokens[turn], tokens[(turn + 1) % 3]
    for call, expected in [
        (tables.PlaceBid(place(table=table, bid=1), metadata=other), "NOT_YOUR_TURN"),
        (tables.PlaceBid(place(table=table), metadata=on_turn), "BID_NOT_INTEGER"),
        (
            tables.PlaceBid(place(table=table, bid=99), metadata=on_turn),
            "BID_OUT_OF_RANGE",
        ),
        (
            tables.PlayCard(
                tables_pb2.PlayCardRequest(table=table, card=match_pb2.View().upcard),
                metadata=on_turn,
            ),
            "WRONG_PHASE",
        ),
        (
            tables.PlaceBid(
                place(table=table, bid=1, decision=match_pb2.Decision(seq=99)),
                metadata=on_turn,
            ),
            "UNKNOWN_DECISION",
        ),
        (
            tables.PlaceBid(
                place(table=table, bid=1, seat=(turn + 1) % 3), metadata=on_turn
            ),
            "NOT_YOUR_SEAT",
        ),
        (tables.PlaceBid(place(table=table, bid=1)), "TOKEN_MISSING"),
        (
            tables.PlaceBid(place(table=table, bid=1), metadata=bearer("ohs_x")),
            "TOKEN_INVALID",
        ),
        (tables.GetView(tables_pb2.GetViewRequest(table="none")), "TABLE_NOT_FOUND"),
        (tables.GetView(tables_pb2.GetViewRequest(table="No!")), "TABLE_NOT_FOUND"),
        (tables.JoinTable(tables_pb2.JoinTableRequest(table=table)), "TABLE_FULL"),
        (
            tables.GetRecord(tables_pb2.GetRecordRequest(table=table)),
            "TABLE_NOT_FINISHED",
        ),
    ]:
        assert (await refusal(call))[1] in (expected, "FIELD_INVALID")
    assert await tables.GetView(ask) == before


async def test_with_tokens_on_strangers_learn_nothing(guarded: Served) -> None:
    tables = guarded.tables
    assert (await refusal(guarded.create()))[0] is grpc.StatusCode.UNAUTHENTICATED
    token = bearer(guarded.service.host.bots.register("owner", scopes=set(Scope)))
    created = await tables.CreateTable(
        tables_pb2.CreateTableRequest(
            rules=rules_pb2.RulesSpec(preset="pagat_standard"), players=3
        ),
        metadata=token,
    )
    for name in (created.table.table, "t-000000000000"):
        request = tables_pb2.GetViewRequest(table=name)
        if name == created.table.table:
            continue
        assert await refusal(tables.GetView(request, metadata=token)) == (
            grpc.StatusCode.PERMISSION_DENIED,
            "RESOURCE_NOT_VISIBLE",
        )
    listed = await tables.ListTables(tables_pb2.ListTablesRequest(), metadata=token)
    assert len(listed.tables) == 0
    assert all(created.tickets)


async def test_lists_go_on_where_the_last_page_ended(served: Served) -> None:
    names = [(await served.create()).table.table for _ in range(5)]
    found: list[str] = []
    token = ""
    while True:
        page = await served.tables.ListTables(
            tables_pb2.ListTablesRequest(page_size=2, page_token=token)
        )
        found += [table.table for table in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert found == names[::-1]
    assert await refusal(
        served.tables.ListTables(tables_pb2.ListTablesRequest(page_token="?"))  # noqa: S106 - of a page
    ) == (grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID")


async def test_only_who_opened_a_table_may_cancel_it(served: Served) -> None:
    table = (await served.create()).table.table
    seat, _ = await served.join(table)
    cancelled = await served.tables.CancelTable(
        tables_pb2.CancelTableRequest(table=table)
    )
    assert seat == 0
    assert cancelled.table.seq > 0
    owner = bearer(served.service.host.bots.register("somebody", scopes=set(Scope)))
    assert await refusal(
        served.tables.CancelTable(
            tables_pb2.CancelTableRequest(table=table), metadata=owner
        )
    ) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_TABLE")


async def test_who_leaves_is_replaced_and_the_match_goes_on(served: Served) -> None:
    table = (await served.create()).table.table
    seat, token = await served.join(table)
    await served.tables.LeaveTable(
        tables_pb2.LeaveTableRequest(table=table), metadata=token
    )
    view = await play_out(served, table, seat, token)
    assert view.phase == match_pb2.PHASE_OVER


def _as_it_is(data: bytes) -> bytes:
    return data


async def test_bytes_that_are_no_message_are_the_caller_s_fault(served: Served) -> None:
    call = served.channel.unary_unary(
        "/ohhell.v1.TableService/GetTable",
        request_serializer=_as_it_is,
        response_deserializer=_as_it_is,
    )
    assert await refusal(call(b"\x0a\x05abc")) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED_MESSAGE",
    )


async def test_our_own_mistake_tells_nothing_but_an_id(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(table_id: str) -> None:
        raise RuntimeError("the hand was AS KD 7C")

    monkeypatch.setattr(served.service.lobby, "find", broken)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.tables.GetTable(tables_pb2.GetTableRequest(table="t"))
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    told = f"{caught.value.details()}{caught.value.trailing_metadata()}"
    assert "KD" not in told
    assert "RuntimeError" not in told


async def test_a_generic_client_plays_with_what_reflection_tells_it(
    served: Served,
) -> None:
    generic = await Reflected.of(served.channel, "ohhell.v1.TableService")
    created = await generic.call(
        "CreateTable",
        rules={"preset": "simple_standard"},
        players=3,
        house_bots=["random", "greedy"],
    )
    table = created.table.table  # type: ignore[attr-defined]  # known by reflection only
    joined = await generic.call("JoinTable", table=table)
    generic.metadata = bearer(joined.seat_token)  # type: ignore[attr-defined]  # as above
    asked = set()
    while True:
        got = await generic.call("GetView", table=table, seat=0, wait_ms=10_000)
        view = got.view  # type: ignore[attr-defined]  # as above
        if view.legal_bids:
            await generic.call("PlaceBid", table=table, bid=view.legal_bids[0])
        elif view.legal_cards:
            await generic.call("PlayCard", table=table, card=view.legal_cards[0])
        else:
            break
        asked.add(view.ask)
    assert asked == {match_pb2.ASK_BID, match_pb2.ASK_PLAY}
    assert view.phase == match_pb2.PHASE_OVER


class Reflected:
    """A client that knows a service only from what the server says about itself."""

    def __init__(
        self, channel: grpc.aio.Channel, pool: descriptor_pool.DescriptorPool, name: str
    ) -> None:
        self._channel = channel
        self._service = pool.FindServiceByName(name)
        self.metadata: Metadata = ()

    @classmethod
    async def of(cls, channel: grpc.aio.Channel, name: str) -> Reflected:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[no-untyped-call, arg-type, unused-ignore]  # stubs know the blocking channel only
        request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=name)
        pool = descriptor_pool.DescriptorPool()
        ask = stub.ServerReflectionInfo
        async for answer in ask(iter([request])):  # type: ignore[operator]  # as above
            files = answer.file_descriptor_response.file_descriptor_proto
            known = {}
            for data in files:
                file = descriptor_pb2.FileDescriptorProto.FromString(data)
                known[file.name] = file
            while known:
                for file in list(known.values()):
                    if not any(needed in known for needed in file.dependency):
                        pool.Add(known.pop(file.name))
        return cls(channel, pool, name)

    async def call(self, method: str, **fields: object) -> Message:
        described = self._service.methods_by_name[method]
        request = message_factory.GetMessageClass(described.input_type)
        response = message_factory.GetMessageClass(described.output_type)
        invoke = self._channel.unary_unary(
            f"/{self._service.full_name}/{method}",
            request_serializer=request.SerializeToString,
            response_deserializer=response.FromString,
        )
        answer = await invoke(request(**fields), metadata=self.metadata)
        assert isinstance(answer, Message)
        return answer
