"""Calls with a request id have their effect once, whatever happens in between."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import admin_pb2, match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.operator import Access
from server.registry import BotRegistry, Scope
from server.store import Store
from tests.doubles.operators import Operator, operator_at
from tests.doubles.restarting import Server
from tests.doubles.serving import Person, bearer, person_at, refused

DIES_UNHEARD = """
import os, signal
from pathlib import Path
from server.keeper import Keeper
first, committed = Path({flag!r}), Keeper.committed
async def dies(keeper):
    has_something_to_keep = keeper._log.written != keeper._log.last_chunk
    await committed(keeper)
    if has_something_to_keep and not first.exists():
        first.touch()
        os.kill(os.getpid(), signal.SIGKILL)
Keeper.committed = dies
"""
"""The first process to store something ends before it can say so."""


@pytest.fixture
def server(where: str, tmp_path: Path) -> Iterator[Server]:
    running = Server(where, tmp_path)
    running.start()
    yield running
    running.close()


def restart(server: Server) -> None:
    server.end()
    server.start()


def new_id() -> str:
    return str(uuid.uuid4())


def opening(**fields: object) -> tables_pb2.CreateTableRequest:
    wanted: dict[str, object] = {
        "rules": rules_pb2.RulesSpec(preset="simple_down_up"),
        "players": 3,
        "house_bots": ["lowest"],
        "request_id": new_id(),
    }
    return tables_pb2.CreateTableRequest(**(wanted | fields))  # type: ignore[arg-type]  # fields as given


async def listed(tables: tables_pb2_grpc.TableServiceAsyncStub) -> list[str]:
    response = await tables.ListTables(tables_pb2.ListTablesRequest())
    return [table.table for table in response.tables]


async def cut_short(call: Awaitable[object]) -> None:
    """The service ends before it has answered."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_table_and_its_seats_are_the_same_after_each_kill(
    server: Server,
) -> None:
    request = opening()
    async with person_at(server.address) as tables:
        created = await tables.CreateTable(request)
    table = created.table.table
    restart(server)
    joins = [
        tables_pb2.JoinTableRequest(table=table, ticket=ticket, request_id=new_id())
        for ticket in created.tickets
        if ticket
    ]
    async with person_at(server.address) as tables:
        again = await tables.CreateTable(request)
        assert (again.table.table, again.tickets) == (table, created.tickets)
        assert await listed(tables) == [table]
        first = await tables.JoinTable(joins[0])
    restart(server)
    async with person_at(server.address) as tables:
        # Its ticket is spent; the same call is no second joining.
        seated = await tables.JoinTable(joins[0])
        assert seated.seat == first.seat
        assert seated.seat_token == first.seat_token
        # It says how the table stands now, and the tickets that it had.
        again = await tables.CreateTable(request)
        assert again.table.players[first.seat.seat] == "player 0"
        assert again.tickets == created.tickets
        second = await tables.JoinTable(joins[1])
        assert second.seat.seat != first.seat.seat
    restart(server)
    async with person_at(server.address) as tables:
        for request_id, answer in zip(joins, (first, second), strict=True):
            seated = await tables.JoinTable(request_id)
            assert seated.seat_token == answer.seat_token
            token = bearer(seated.seat_token)
            person = Person(tables, table, answer.seat.seat, token)
            assert (await person.view()).seat == answer.seat.seat
        assert await listed(tables) == [table]


async def test_an_id_stands_for_one_request_after_a_kill_as_well(
    server: Server,
) -> None:
    request = opening()
    async with person_at(server.address) as tables:
        created = await tables.CreateTable(request)
        join = tables_pb2.JoinTableRequest(
            table=created.table.table, request_id=new_id()
        )
        await tables.JoinTable(join)
    restart(server)
    request.players = 4
    join.display_name = "Ann"
    async with person_at(server.address) as tables:
        for call in (tables.CreateTable(request), tables.JoinTable(join)):
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (
                grpc.StatusCode.INVALID_ARGUMENT,
                "REQUEST_ID_REUSED",
            )
            assert request.request_id not in refusal.message
        # The same id for another method is another call.
        request.request_id = join.request_id
        other = await tables.CreateTable(request)
        assert sorted(await listed(tables)) == sorted(
            [created.table.table, other.table.table]
        )


async def test_whoever_never_got_an_answer_gets_it_from_the_next_process(
    where: str, tmp_path: Path
) -> None:
    flag = tmp_path / "has died"
    server = Server(where, tmp_path, before=DIES_UNHEARD.format(flag=str(flag)))
    request = opening()
    try:
        server.start()
        async with person_at(server.address) as tables:
            await cut_short(tables.CreateTable(request))
        assert flag.exists()
        restart(server)
        async with person_at(server.address) as tables:
            (table,) = await listed(tables)
            created = await tables.CreateTable(request)
            assert created.table.table == table
        restart(server)
        # Nobody has been told of a seat that only the dead process knew; the tickets
        # are good, and each is for one seat.
        flag.unlink()
        async with person_at(server.address) as tables:
            join = tables_pb2.JoinTableRequest(
                table=table, ticket=created.tickets[0], request_id=new_id()
            )
            await cut_short(tables.JoinTable(join))
        restart(server)
        async with person_at(server.address) as tables:
            seated = await tables.JoinTable(join)
            assert seated.seat.seat == 0
            told = await tables.GetTable(
                tables_pb2.GetTableRequest(table=table),
                metadata=bearer(seated.seat_token),
            )
            assert [*told.table.players] == ["player 0", "", "lowest"]
    finally:
        server.close()


async def test_calls_with_one_id_that_come_at_once_are_one_call(
    server: Server,
) -> None:
    request = opening()
    async with person_at(server.address) as tables:
        created = await asyncio.gather(
            *(tables.CreateTable(request) for _ in range(20))
        )
        assert len({answer.SerializeToString() for answer in created}) == 1
        (table,) = await listed(tables)
        join = tables_pb2.JoinTableRequest(table=table, request_id=new_id())
        joined = await asyncio.gather(*(tables.JoinTable(join) for _ in range(20)))
        assert len({answer.SerializeToString() for answer in joined}) == 1
        told = await tables.GetTable(tables_pb2.GetTableRequest(table=table))
        assert [*told.table.players] == ["player 0", "", "lowest"]


async def test_an_id_that_can_be_guessed_is_refused_whoever_calls(
    where: str, tmp_path: Path
) -> None:
    with Store(where) as store:
        token = BotRegistry(store.bots).register("ada", scopes=tuple(Scope))
    server = Server(where, tmp_path)
    try:
        server.start()
        async with person_at(server.address) as tables:
            # The second is made of a clock and an address; the third is a name's hash.
            guessable = [
                "1",
                str(uuid.uuid1()),
                str(uuid.uuid3(uuid.NAMESPACE_DNS, "a")),
            ]
            for request_id in guessable:
                for metadata in ((), bearer(token)):
                    call = tables.CreateTable(
                        opening(request_id=request_id), metadata=metadata
                    )
                    refusal = await refused(call)
                    assert (refusal.code, refusal.reason) == (
                        grpc.StatusCode.INVALID_ARGUMENT,
                        "FIELD_INVALID",
                    )
            assert await listed(tables) == []
    finally:
        server.close()


async def test_ids_of_bots_of_guests_and_of_tickets_are_never_one_anothers(
    where: str, tmp_path: Path
) -> None:
    with Store(where) as store:
        registry = BotRegistry(store.bots)
        tokens = {
            name: registry.register(name, scopes=tuple(Scope)) for name in ("ada", "bo")
        }
    server = Server(where, tmp_path)
    request = opening(spectators=tables_pb2.SPECTATOR_POLICY_OPEN)
    callers = [(), bearer(tokens["ada"]), bearer(tokens["bo"])]
    try:
        server.start()
        async with person_at(server.address) as tables:
            created = [await tables.CreateTable(request, metadata=c) for c in callers]
            names = [answer.table.table for answer in created]
            assert len(set(names)) == 3
            secrets = [ticket for answer in created for ticket in answer.tickets]
            assert len(set(filter(None, secrets))) == 6
            one = new_id()
            joins = [
                tables_pb2.JoinTableRequest(table=names[0], ticket=t, request_id=one)
                for t in created[0].tickets[:2]
            ]
            seats = [(await tables.JoinTable(join)).seat.seat for join in joins]
            assert seats == [0, 1]
        restart(server)
        async with person_at(server.address) as tables:
            again = [await tables.CreateTable(request, metadata=c) for c in callers]
            assert [answer.table.table for answer in again] == names
            assert [answer.tickets for answer in again] == [
                answer.tickets for answer in created
            ]
            seats = [(await tables.JoinTable(join)).seat.seat for join in joins]
            assert seats == [0, 1]
    finally:
        server.close()


async def test_a_seat_that_was_given_up_is_not_taken_back_by_its_old_call(
    server: Server,
) -> None:
    async with person_at(server.address) as tables:
        table = (await tables.CreateTable(opening())).table.table
        join = tables_pb2.JoinTableRequest(table=table, seat=0, request_id=new_id())
        first = await tables.JoinTable(join)
        leave = tables_pb2.LeaveTableRequest(table=table, seat=0)
        await tables.LeaveTable(leave, metadata=bearer(first.seat_token))
        other = tables_pb2.JoinTableRequest(table=table, seat=0, display_name="Other")
        held = await tables.JoinTable(other)
    restart(server)
    async with person_at(server.address) as tables:
        again = await tables.JoinTable(join)
        assert again.seat_token == first.seat_token
        ask = tables_pb2.GetTableRequest(table=table)
        refusal = await refused(tables.GetTable(ask, metadata=bearer(again.seat_token)))
        assert refusal.reason == "TOKEN_INVALID"
        told = await tables.GetTable(ask, metadata=bearer(held.seat_token))
        assert told.table.players[0] == "Other"


@asynccontextmanager
async def operator_of(server: Server, store: str) -> AsyncIterator[Operator]:
    """With the key that this process of the server has made."""
    async with operator_at(Access.read(Path(store + ".admin"))) as operator:
        yield operator


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
async def test_a_bot_is_registered_once_and_gets_one_token_more_for_one_call(
    where: str, server: Server
) -> None:
    register = admin_pb2.RegisterBotRequest(bot="ada", request_id=new_id())
    issue = admin_pb2.IssueTokenRequest(bot="ada", request_id=new_id())
    async with operator_of(server, where) as operator:
        first = await operator.admin.RegisterBot(register, metadata=operator.key)
        second = await operator.admin.IssueToken(issue, metadata=operator.key)
    restart(server)
    async with operator_of(server, where) as operator:
        again = await operator.admin.RegisterBot(register, metadata=operator.key)
        assert again.token == first.token
        assert {token.prefix for token in again.bot.tokens} == {
            first.token[:12],
            second.token[:12],
        }
        await operator.revoke("ada", second.token)
    restart(server)
    async with operator_of(server, where) as operator:
        answer = await operator.admin.IssueToken(issue, metadata=operator.key)
        assert answer.token == second.token
        issue.valid_for_s = 60
        refusal = await refused(operator.admin.IssueToken(issue, metadata=operator.key))
        assert refusal.reason == "REQUEST_ID_REUSED"
        request = admin_pb2.ListBotsRequest()
        (bot,) = (await operator.admin.ListBots(request, metadata=operator.key)).bots
        # What was revoked stays so.
        assert [token.prefix for token in bot.tokens] == [first.token[:12]]
    async with person_at(server.address) as tables:
        ask = tables_pb2.ListTablesRequest()
        await tables.ListTables(ask, metadata=bearer(first.token))
        refusal = await refused(tables.ListTables(ask, metadata=bearer(second.token)))
        assert refusal.reason == "TOKEN_INVALID"


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
async def test_no_secret_and_no_request_id_is_in_the_store(
    where: str, server: Server
) -> None:
    request = opening()
    async with person_at(server.address) as tables:
        created = await tables.CreateTable(request)
        join = tables_pb2.JoinTableRequest(
            table=created.table.table, ticket=created.tickets[0], request_id=new_id()
        )
        joined = await tables.JoinTable(join)
    register = admin_pb2.RegisterBotRequest(bot="ada", request_id=new_id())
    async with operator_of(server, where) as operator:
        ada = await operator.admin.RegisterBot(register, metadata=operator.key)
    server.end()
    kept = b"".join(path.read_bytes() for path in (Path(where), Path(where + "-wal")))
    assert created.table.table.encode() in kept
    assert ada.token[:12].encode() in kept
    secrets = [
        *(ticket for ticket in created.tickets if ticket),
        *(joined.seat_token, ada.token),
        *(request.request_id, join.request_id, register.request_id),
    ]
    for secret in secrets:
        # Of a token its beginning is shown, and kept.
        assert secret[12:].encode() not in kept
    server.start()


async def test_a_match_that_one_call_began_is_played_once(server: Server) -> None:
    request = opening(house_bots=["lowest", "lowest"])
    async with person_at(server.address) as tables:
        created = await tables.CreateTable(request)
        join = tables_pb2.JoinTableRequest(
            table=created.table.table, request_id=new_id()
        )
        joined = await tables.JoinTable(join)
    restart(server)
    async with person_at(server.address) as tables:
        again = await tables.JoinTable(join)
        table, seat = again.seat.table, again.seat.seat
        assert (table, seat) == (created.table.table, joined.seat.seat)
        person = Person(tables, table, seat, bearer(again.seat_token))
        assert (await person.play_on()).phase == match_pb2.PHASE_OVER
    restart(server)
    async with person_at(server.address) as tables:
        # The table has ended, and is still the one of the call.
        again = await tables.JoinTable(join)
        assert (again.seat.table, again.seat_token) == (table, joined.seat_token)
        finished = (await tables.CreateTable(request)).table
        assert finished.state == tables_pb2.TABLE_STATE_FINISHED
