"""What callers are told when they are refused: whom it is about, and never too much."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest

from ohhell.v1 import frames_pb2, rules_pb2, tables_pb2
from tests.doubles.frames import frame_client
from tests.doubles.operators import WRITER, opened, operator_of, raw_method
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Refusal,
    bearer,
    new_table,
    person_at,
    refusal_of,
    refused,
    registered,
    serving,
    someone,
)

GARBAGE = b"\x0f"
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
INVALID = grpc.StatusCode.INVALID_ARGUMENT


async def garbage(
    channel: grpc.aio.Channel, method: str, token: str = ""
) -> tuple[grpc.StatusCode, str]:
    """What bytes that are no message are answered with."""
    call = raw_method(channel, f"/ohhell.v1.{method}")(
        GARBAGE, metadata=bearer(token) if token else (), timeout=PATIENCE_S
    )
    refusal = await refused(call)
    return refusal.code, refusal.reason


async def test_who_may_not_call_is_told_that_before_anything_else(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game) as channel,
            grpc.aio.insecure_channel(service.listens["admin"]) as admin,
        ):
            token = await operator.register("ada", *WRITER)
            created = await opened(tables, bearer(token))
            joined = await tables.JoinTable(
                tables_pb2.JoinTableRequest(
                    table=created.table.table, ticket=created.tickets[0]
                )
            )
            missing = (UNAUTHENTICATED, "TOKEN_MISSING")
            invalid = (UNAUTHENTICATED, "TOKEN_INVALID")
            malformed = (INVALID, "MALFORMED_MESSAGE")
            for method in (
                "TableService/CreateTable",
                "TableService/PlayCard",
                "TableService/GetView",
                "TournamentService/ListTournaments",
            ):
                assert await garbage(channel, method) == missing, method
                assert await garbage(channel, method, "ohb_x") == invalid, method
                assert await garbage(channel, method, token) == malformed, method
            play, seat = "TableService/PlayCard", joined.seat_token
            assert await garbage(channel, play, "ohs_x") == invalid
            assert await garbage(channel, play, seat) == malformed
            drain, key = "AdminService/Drain", operator.key[0][1]
            assert await garbage(admin, drain) == missing
            assert (await garbage(admin, drain, token))[1] == "SCOPE_MISSING"
            assert await garbage(admin, drain, key.split()[1]) == malformed
            # This one is open to everybody.
            assert await garbage(channel, "ServerInfoService/GetServerInfo") == (
                malformed
            )


@pytest.mark.parametrize(
    "overrides",
    [
        {"x" * 40_000: "1"},
        {f"{number}{'x' * 700}": "1" for number in range(60)},
        {"deal_high": "\U0001f600" * 5_000},
        {"deal_high": f'"{"é" * 20_000}"'},
    ],
    ids=["one-name", "names", "text", "value"],
)
async def test_a_refusal_is_small_enough_to_come_through(
    tmp_path: Path, overrides: dict[str, str]
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            rules = rules_pb2.RulesSpec(preset="pagat_standard", overrides=overrides)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await new_table(tables, rules=rules)
    assert refusal_of(caught.value).reason == "BAD_CONFIG"
    raw = dict(caught.value.trailing_metadata() or ())["grpc-status-details-bin"]
    assert len(raw) <= 4_096
    assert len((caught.value.details() or "").encode()) <= 512


async def test_a_page_ends_before_it_is_larger_than_a_message(tmp_path: Path) -> None:
    with serving(tmp_path, limits__response_bytes=16_000) as service:
        async with person_at(service.game) as tables:
            made = [(await new_table(tables)).table.table for _ in range(30)]
            found: list[str] = []
            token, pages = "", 0
            while token or not pages:
                page = await tables.ListTables(
                    tables_pb2.ListTablesRequest(page_size=1_000, page_token=token)
                )
                found += [table.table for table in page.tables]
                token, pages = page.next_page_token, pages + 1
    assert found == made[::-1]
    assert 1 < pages < len(made)


async def test_a_request_id_is_of_whoever_has_the_ticket(tmp_path: Path) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            owner = bearer(await operator.register("ada", *WRITER))
            created = await opened(tables, owner)

            async def join(
                ticket: str, display_name: str = ""
            ) -> tables_pb2.JoinTableResponse:
                request = tables_pb2.JoinTableRequest(
                    table=created.table.table,
                    ticket=ticket,
                    display_name=display_name,
                    request_id="5be0f4a6-6f0e-4a4e-8f2b-0d3c9a7e1b52",
                )
                return await tables.JoinTable(request)

            joined = [await join(ticket) for ticket in created.tickets]
            assert [response.seat.seat for response in joined] == [0, 1, 2]
            # The same call again is the same seat; another one is a mistake.
            again = await join(created.tickets[0])
            assert again.seat_token == joined[0].seat_token
            refusal = await refused(join(created.tickets[0], display_name="Ada"))
            assert refusal.reason == "REQUEST_ID_REUSED"


def named(refusal: Refusal) -> tuple[str, str]:
    """The limit that a refusal tells, with how long to wait, and whose it is."""
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.retry_ms is not None
    return refusal.metadata["limit"], refusal.quota


async def test_what_is_too_much_names_the_limit(tmp_path: Path) -> None:
    token = registered(tmp_path, "ada")["ada"]
    here = "address:this machine"
    with serving(
        tmp_path,
        limits__exempt_loopback="false",
        limits__guest_calls_per_minute=3,
        limits__wrong_tokens_per_minute=1,
        limits__calls_burst=3,
        limits__calls_per_s=1,
        limits__open_tables_per_bot=1,
        limits__open_tables_of_guests=1,
        limits__watches_per_caller=1,
        limits__instances_per_bot=1,
    ) as service:
        async with person_at(service.game) as tables:
            ada = bearer(token)
            anna = await someone(tables)
            assert named(await refused(new_table(tables))) == (
                "open_tables_of_guests",
                "guests",
            )
            assert named(await refused(new_table(tables))) == (
                "guest_calls_per_minute",
                here,
            )
            await opened(tables, ada)
            assert named(await refused(opened(tables, ada))) == (
                "open_tables_per_bot",
                "bot:ada",
            )
            look = tables_pb2.ListTablesRequest()
            await tables.ListTables(look, metadata=ada)
            listing = tables.ListTables(look, metadata=ada)
            assert named(await refused(listing)) == ("calls_per_s", "bot:ada")
            ask = tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat)
            first = tables.WatchTable(ask, metadata=anna.token)
            await first.read()
            second = tables.WatchTable(ask, metadata=anna.token)
            assert named(await refused(second.read())) == (
                "watches_per_caller",
                f"seat:{anna.table}/{anna.seat}",
            )
            wrong = bearer("ohb_" + "A" * 43)
            await refused(tables.ListTables(look, metadata=wrong))
            guess = tables.ListTables(look, metadata=wrong)
            assert named(await refused(guess)) == ("wrong_tokens_per_minute", here)


async def test_a_bot_with_too_many_processes_is_told_which_limit_that_is(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "ada")["ada"]
    with serving(tmp_path, limits__instances_per_bot=1) as service:
        async with (
            frame_client(service.game, token) as one,
            frame_client(service.game, token) as other,
        ):
            await one.hello(instance_id="one")
            hello = frames_pb2.Hello(revision=1, instance_id="other")
            await other.send(frames_pb2.ClientFrame(hello=hello))
            assert named(await refused(other.call.read())) == (
                "instances_per_bot",
                "bot:ada",
            )


@pytest.mark.parametrize("revisions", [(2, 2), (9, 5)])
async def test_a_bot_of_another_revision_is_told_which_are_spoken(
    tmp_path: Path, revisions: tuple[int, int]
) -> None:
    token = registered(tmp_path, "ada")["ada"]
    with serving(tmp_path) as service:
        async with frame_client(service.game, token) as bot:
            newest, oldest = revisions
            hello = frames_pb2.Hello(revision=newest, min_revision=oldest)
            await bot.send(frames_pb2.ClientFrame(hello=hello))
            refusal = await refused(bot.call.read())
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.reason == "UNSUPPORTED_REVISION"
    assert refusal.metadata == {"min_revision": "1", "revision": "1"}


IDLE_SOON = """
import server.rpc.options as options
known = dict(options.LISTENING)
known["grpc.max_connection_idle_ms"] //= 2_000
options.LISTENING = tuple(known.items())
"""


async def test_a_connection_on_which_nobody_calls_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path, prelude=IDLE_SOON) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            ready = grpc.ChannelConnectivity.READY
            await channel.channel_ready()
            assert channel.get_state() is ready
            # Its end is all that the client will hear.
            await channel.wait_for_state_change(ready)
