"""Tokens that are missing, wrong, too weak, revoked or for something else."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from ohhell.v1 import (
    admin_pb2,
    admin_pb2_grpc,
    arena_pb2_grpc,
    frames_pb2,
    match_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from tests.doubles.frames import FrameClient, frame_client
from tests.doubles.operators import WRITER, Operator, opened, operator_of
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Metadata,
    Serving,
    bearer,
    person_at,
    refused,
    serving,
)

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
DENIED = grpc.StatusCode.PERMISSION_DENIED
NEVER: Final[dict[str, Any]] = {
    "limits__refusals_per_s": 0,
    "patience__refused_ms": 3_600_000,
}
"""The turn of a refusal that has to wait does not come in any test's time."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Serving]:
    # Most of what is called here is refused.
    many: dict[str, Any] = {"limits__refusals_burst": 10_000}
    with serving(folder, "--auth", "on", "--log-level", "debug", **many) as running:
        yield running


@pytest.fixture
async def operator(service: Serving, folder: Path) -> AsyncIterator[Operator]:
    async with operator_of(service, folder) as found:
        yield found


@pytest.fixture
async def tables(
    service: Serving,
) -> AsyncIterator[tables_pb2_grpc.TableServiceAsyncStub]:
    async with person_at(service.game) as stub:
        yield stub


def port(service: Serving) -> int:
    return int(service.game.rpartition(":")[2])


async def test_whoever_shows_nothing_or_nonsense_is_told_so_by_every_method(
    tables: tables_pb2_grpc.TableServiceAsyncStub, operator: Operator
) -> None:
    token = await operator.register("Nonsense")
    wrong: list[tuple[Metadata, str]] = [
        ((), "TOKEN_MISSING"),
        (bearer(token + "x"), "TOKEN_INVALID"),
        (bearer("ohb_" + "A" * 43), "TOKEN_INVALID"),
        (bearer("ohs_" + "A" * 43), "TOKEN_INVALID"),
        (bearer("x" * 4_000), "TOKEN_INVALID"),
        (bearer(""), "TOKEN_INVALID"),
        (bearer(token) * 2, "TOKEN_INVALID"),
        ((("authorization", f"Basic {token}"),), "TOKEN_INVALID"),
        ((("authorization", token),), "TOKEN_INVALID"),
    ]
    # Nothing else about these requests is right either: who asks comes first.
    calls = [
        (tables.CreateTable, tables_pb2.CreateTableRequest(display_name="\u202e")),
        (tables.GetTable, tables_pb2.GetTableRequest(table="../x")),
        (tables.ListTables, tables_pb2.ListTablesRequest(page_size=-1)),
        (tables.CancelTable, tables_pb2.CancelTableRequest(table="?")),
        (tables.JoinTable, tables_pb2.JoinTableRequest(table="?")),
        (tables.LeaveTable, tables_pb2.LeaveTableRequest(table="?")),
        (tables.PlaceBid, tables_pb2.PlaceBidRequest(table="?")),
        (tables.AmendBid, tables_pb2.AmendBidRequest(table="?")),
        (tables.PlayCard, tables_pb2.PlayCardRequest(table="?")),
        (tables.ChooseTrump, tables_pb2.ChooseTrumpRequest(table="?")),
        (tables.LayBidCards, tables_pb2.LayBidCardsRequest(table="?")),
        (tables.GetView, tables_pb2.GetViewRequest(table="?", seat=0)),
        (tables.GetRecord, tables_pb2.GetRecordRequest(table="?")),
    ]
    for metadata, reason in wrong:
        for method, request in calls:
            refusal = await refused(method(request, metadata=metadata))  # type: ignore[operator]  # each with its own request
            assert (refusal.code, refusal.reason) == (UNAUTHENTICATED, reason), request


async def test_a_stream_and_a_watch_ask_as_well(
    service: Serving, tables: tables_pb2_grpc.TableServiceAsyncStub
) -> None:
    watch = tables.WatchTable(tables_pb2.WatchTableRequest(table="t-1"))
    assert await watch.code() is UNAUTHENTICATED
    async with grpc.aio.insecure_channel(service.game) as channel:
        stream = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
        assert await stream.code() is UNAUTHENTICATED


async def test_a_token_allows_what_its_scopes_say_and_no_more(
    service: Serving,
    tables: tables_pb2_grpc.TableServiceAsyncStub,
    operator: Operator,
) -> None:
    player = bearer(await operator.register("Scopes", "bot.play"))
    reader = await operator.register("Reader", "tables.read")
    for call, scope in [
        (opened(tables, player), "tables.write"),
        (
            tables.ListTables(tables_pb2.ListTablesRequest(), metadata=player),
            "tables.read",
        ),
        (
            tables.JoinTable(
                tables_pb2.JoinTableRequest(table="t-1"), metadata=bearer(reader)
            ),
            "bot.play",
        ),
        (
            operator.admin.ListBots(admin_pb2.ListBotsRequest(), metadata=player),
            "admin",
        ),
    ]:
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (DENIED, "SCOPE_MISSING")
        assert refusal.metadata == {"scope": scope}
    async with frame_client(port(service), reader) as client:
        assert (await client.status())[0] is DENIED


async def test_a_token_of_a_lane_opens_no_other(
    service: Serving, operator: Operator
) -> None:
    await operator.register("Lanes")
    issued = await operator.admin.IssueToken(
        admin_pb2.IssueTokenRequest(bot="Lanes", lane=2), metadata=operator.key
    )
    async with frame_client(port(service), issued.token) as client:
        assert (await client.hello(lane=2)).bot == "Lanes"
    async with frame_client(port(service), issued.token) as client:
        hello = frames_pb2.Hello(revision=1, lane=1)
        await client.send(frames_pb2.ClientFrame(hello=hello))
        assert (await client.status())[0] is DENIED


async def connected(client: FrameClient) -> None:
    assert (await client.hello()).session_id


@pytest.mark.parametrize("how", ["revoked", "expired", "disabled", "replaced"])
async def test_a_stream_ends_with_its_token_and_no_new_one_begins(
    service: Serving, operator: Operator, how: str
) -> None:
    bot = f"Ends-{how}"
    token = await operator.register(bot)
    spared = await operator.register(f"Spared-{how}")
    if how == "expired":
        issued = await operator.admin.IssueToken(
            admin_pb2.IssueTokenRequest(bot=bot, valid_for_s=2), metadata=operator.key
        )
        token = issued.token
    async with (
        frame_client(port(service), token) as client,
        frame_client(port(service), spared) as other,
    ):
        await connected(client)
        await connected(other)
        match how:
            case "revoked":
                await operator.revoke(bot, token)
            case "disabled":
                await operator.enable(bot, enabled=False)
            case "replaced":
                request = admin_pb2.IssueTokenRequest(bot=bot, replace=True)
                await operator.admin.IssueToken(request, metadata=operator.key)
            case _:
                """It expires by itself."""
        expected = DENIED if how == "disabled" else UNAUTHENTICATED
        assert (await client.status())[0] is expected
        async with frame_client(port(service), token) as again:
            assert (await again.status())[0] is expected
        await other.send(frames_pb2.ClientFrame(goodbye=frames_pb2.Goodbye()))
        assert (await other.status())[0] is grpc.StatusCode.OK


async def test_a_watch_ends_with_its_token(
    tables: tables_pb2_grpc.TableServiceAsyncStub, operator: Operator
) -> None:
    owner = bearer(await operator.register("Owner", *WRITER))
    created = await opened(tables, owner, house_bots=["greedy", "lowest"])
    (free,) = filter(None, created.tickets)
    join = tables_pb2.JoinTableRequest(table=created.table.table, ticket=free)
    await tables.JoinTable(join)
    token = await operator.register("Watcher")
    request = tables_pb2.WatchTableRequest(table=created.table.table)
    watch = tables.WatchTable(request, metadata=bearer(token))
    async with asyncio.timeout(PATIENCE_S):
        first = await watch.read()
        assert isinstance(first, tables_pb2.WatchTableResponse)
        assert first.HasField("snapshot")
        await operator.revoke("Watcher", token)
        with contextlib.suppress(grpc.aio.AioRpcError):
            while await watch.read() is not grpc.aio.EOF:
                """What had been sent before."""
        assert await watch.code() is UNAUTHENTICATED


async def test_a_ticket_is_good_for_one_seat_once(
    tables: tables_pb2_grpc.TableServiceAsyncStub, operator: Operator
) -> None:
    owner = bearer(await operator.register("Tickets", *WRITER))
    created = await opened(tables, owner)
    table = created.table.table
    first, second, _ = created.tickets

    def join(**fields: object) -> object:
        request = tables_pb2.JoinTableRequest(table=table, **fields)  # type: ignore[arg-type]  # fields as given
        return tables.JoinTable(request)

    joined = await join(ticket=first, display_name="Ada")  # type: ignore[misc]  # a call
    assert (joined.seat.seat, joined.seat_token[:4]) == (0, "ohs_")
    for call in (join(ticket=first), join(ticket=second, seat=0), join(ticket="oht_x")):
        assert (await refused(call)).code is DENIED
    assert (await refused(join(seat=1))).code is UNAUTHENTICATED


async def test_a_seat_is_only_ever_its_own_tokens(
    tables: tables_pb2_grpc.TableServiceAsyncStub, operator: Operator
) -> None:
    token = bearer(await operator.register("Seats", *WRITER))
    created = await opened(tables, token)
    table = created.table.table
    seats = []
    for ticket in created.tickets:
        request = tables_pb2.JoinTableRequest(table=table, ticket=ticket)
        seats.append(bearer((await tables.JoinTable(request)).seat_token))
    look = tables_pb2.GetViewRequest(table=table, seat=1)
    assert len((await tables.GetView(look, metadata=seats[1])).view.hand) > 0
    for other in (seats[0], seats[2]):
        refusal = await refused(tables.GetView(look, metadata=other))
        assert (refusal.code, refusal.reason) == (DENIED, "NOT_YOUR_SEAT")
    # Whoever opened the table sees it as everybody does, and no hand.
    refusal = await refused(tables.GetView(look, metadata=token))
    assert refusal.code is UNAUTHENTICATED
    seen = await tables.GetView(tables_pb2.GetViewRequest(table=table), metadata=token)
    assert len(seen.view.hand) == 0
    assert seen.view.phase == match_pb2.PHASE_BIDDING


async def test_the_admin_listener_asks_on_this_machine_too(
    service: Serving, operator: Operator
) -> None:
    ordinary = await operator.register("Ordinary")
    calls = [
        (operator.admin.ListBots, admin_pb2.ListBotsRequest()),
        (operator.admin.RegisterBot, admin_pb2.RegisterBotRequest(bot="Mallory")),
        (operator.admin.SetBotEnabled, admin_pb2.SetBotEnabledRequest(bot="Ordinary")),
        (operator.admin.IssueToken, admin_pb2.IssueTokenRequest(bot="Ordinary")),
        (operator.admin.RevokeToken, admin_pb2.RevokeTokenRequest(bot="Ordinary")),
        (operator.admin.KickBot, admin_pb2.KickBotRequest(bot="Ordinary")),
        (operator.admin.EndTable, admin_pb2.EndTableRequest(table="t-1")),
        (operator.admin.Drain, admin_pb2.DrainRequest()),
        (operator.admin.SetLimits, admin_pb2.SetLimitsRequest()),
    ]
    named = {
        method.name
        for method in admin_pb2.DESCRIPTOR.services_by_name["AdminService"].methods
    }
    assert len(calls) == len(named)
    for method, request in calls:
        for metadata, code in [
            ((), UNAUTHENTICATED),
            (bearer("oha_" + "A" * 43), UNAUTHENTICATED),
            (bearer(ordinary), DENIED),
        ]:
            refusal = await refused(method(request, metadata=metadata))  # type: ignore[operator]  # each with its own request
            assert refusal.code is code


async def test_the_game_listener_serves_no_administration(
    service: Serving, operator: Operator
) -> None:
    async with grpc.aio.insecure_channel(service.game) as channel:
        call = admin_pb2_grpc.AdminServiceStub(channel).ListBots(
            admin_pb2.ListBotsRequest(), metadata=operator.key
        )
        assert await call.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_no_token_ever_stood_in_the_log(
    service: Serving, operator: Operator
) -> None:
    token = await operator.register("Logged", *WRITER)
    async with person_at(service.game) as tables:
        created = await opened(tables, bearer(token))
    log = service.log.read_text()
    assert "CreateTable" in log
    for secret in (token, operator.key[0][1], *created.tickets):
        assert secret[12:] not in log
    for beginning in ("ohb_", "oha_", "ohs_", "oht_"):
        assert beginning not in log


LOGS_TOO_MUCH = """
import structlog
import server.rpc.identity as identity
token_of = identity.token_of
def logged(context):
    token = token_of(context)
    structlog.get_logger("mistake").error("said", who=token, all=[{"t": token}])
    return token
identity.token_of = logged
"""


async def test_a_token_that_is_logged_by_mistake_is_blanked(tmp_path: Path) -> None:
    with serving(tmp_path, "--auth", "on", prelude=LOGS_TOO_MUCH) as service:
        async with operator_of(service, tmp_path) as operator:
            token = await operator.register("Logged", *WRITER)
            async with person_at(service.game) as tables:
                await opened(tables, bearer(token))
        log = service.log.read_text()
    assert "[redacted]" in log
    assert token[4:] not in log


async def test_wrong_tokens_make_their_own_connection_wait_and_nothing_else(
    tmp_path: Path,
) -> None:
    settings = {**NEVER, "limits__refusals_burst": 3}
    with serving(tmp_path, "--auth", "on", **settings) as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
            person_at(service.game) as others,
        ):
            right = bearer(await operator.register("Neighbour"))
            wrong = bearer("ohb_" + "A" * 43)
            look = tables_pb2.ListTablesRequest()

            async def told() -> tuple[grpc.StatusCode, str]:
                refusal = await refused(tables.ListTables(look, metadata=wrong))
                return refusal.code, refusal.reason

            for _ in range(3):
                assert await told() == (UNAUTHENTICATED, "TOKEN_INVALID")
            waiting = asyncio.ensure_future(told())
            # Whatever is right is answered, and a mistake of somebody else is told.
            for _ in range(20):
                await tables.ListTables(look, metadata=right)
            async with asyncio.timeout(PATIENCE_S):
                refusal = await refused(others.ListTables(look, metadata=wrong))
            assert refusal.reason == "TOKEN_INVALID"
            assert not waiting.done()
            # Nobody waits longer than the service is there, nor it for them.
            assert await asyncio.to_thread(service.end) == 0
            assert await waiting == (UNAUTHENTICATED, "TOKEN_INVALID")


async def test_so_many_refusals_wait_and_those_beyond_are_turned_away(
    tmp_path: Path,
) -> None:
    settings = {**NEVER, "limits__refusals_burst": 1, "limits__held_refusals": 5}
    with serving(tmp_path, "--auth", "on", **settings) as service:
        async with person_at(service.game) as tables:
            look = tables_pb2.ListTablesRequest()
            calls = [refused(tables.ListTables(look)) for _ in range(20)]
            first_told = asyncio.as_completed(calls, timeout=PATIENCE_S)
            told = [await next(first_told) for _ in range(20 - 5)]
            assert Counter(refusal.reason for refusal in told) == {
                "TOKEN_MISSING": 1,
                "RATE_LIMITED": 14,
            }
            for refusal in told:
                if refusal.reason == "RATE_LIMITED":
                    assert refusal.metadata == {"limit": "refusals_per_s"}
                    assert refusal.retry_ms
            assert await asyncio.to_thread(service.end) == 0
            assert {(await call).reason for call in first_told} == {"TOKEN_MISSING"}
