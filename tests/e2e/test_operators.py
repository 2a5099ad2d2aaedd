"""What operators do: bots, limits, tables, and the end of the service."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from typer.testing import CliRunner

from cli.main import app
from ohhell.v1 import admin_pb2, info_pb2, info_pb2_grpc, tables_pb2
from server.store import Store
from tests.doubles.frames import frame_client
from tests.doubles.operators import Operator, access_file, operator_of
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    bearer,
    command,
    environment,
    person_at,
    refused,
    serving,
    someone,
)

REQUEST_ID = "7d0c3d0e-64d5-4f0b-9a57-3c1be2a4f6d1"


def typed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What somebody types in the folder of the store."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment({}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def told(folder: Path, *arguments: str) -> str:
    """What it prints, once it has done it."""
    done = typed(folder, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def refused_command(folder: Path, *arguments: str) -> str:
    """The line in which a command, run in this process, says that it was a mistake."""
    store = () if "--access" in arguments else ("--store", str(folder / "ohhell.db"))
    ended = CliRunner().invoke(app, [*arguments, *store])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert len(ended.stderr.splitlines()) == 1
    return ended.stderr


def listed(folder: Path) -> dict[str, Any]:
    found = json.loads(told(folder, "bot", "list", "--json"))
    return {bot["bot"]: bot for bot in found["bots"]}


async def enters(service: Serving, token: str) -> bool:
    async with frame_client(int(service.game.rpartition(":")[2]), token) as client:
        try:
            await client.hello()
        except (EOFError, grpc.aio.AioRpcError):
            return False
        return True


async def test_bots_are_registered_whether_the_service_runs_or_not(
    tmp_path: Path,
) -> None:
    before = told(tmp_path, "bot", "register", "ada", "--display-name", "Ada L.")
    with serving(tmp_path, "--auth", "on") as service:
        assert await enters(service, before)
        meanwhile = told(tmp_path, "bot", "register", "bob")
        assert await enters(service, meanwhile)
        told(tmp_path, "bot", "revoke", "ada", before[:12])
        assert not await enters(service, before)
        again = told(tmp_path, "bot", "token", "ada", "--lane", "1", "--days", "1")
        assert service.end() == 0
    assert not access_file(tmp_path).exists()
    found = listed(tmp_path)
    assert list(found) == ["ada", "bob"]
    assert found["ada"]["display_name"] == "Ada L."
    assert [(token["prefix"], token["lane"]) for token in found["ada"]["tokens"]] == [
        (again[:12], 1)
    ]
    told(tmp_path, "bot", "disable", "bob")
    with serving(tmp_path, "--auth", "on") as service:
        assert not await enters(service, meanwhile)
        told(tmp_path, "bot", "enable", "bob")
        assert await enters(service, meanwhile)


async def test_when_a_token_was_last_used_is_listed_and_outlives_the_service(
    tmp_path: Path,
) -> None:
    def last_use() -> dict[str, int | None]:
        return {
            name: token["last_used_at"]
            for name, bot in listed(tmp_path).items()
            for token in bot["tokens"]
        }

    token = told(tmp_path, "bot", "register", "ada")
    told(tmp_path, "bot", "register", "bob")
    assert last_use() == {"ada": None, "bob": None}
    with serving(tmp_path, "--auth", "on") as service:
        assert last_use() == {"ada": None, "bob": None}
        assert await enters(service, token)
        found = last_use()
        assert found["ada"] is not None
        assert found["bob"] is None
        lines = told(tmp_path, "bot", "list").splitlines()
        assert [line.partition("tables.read")[2][:7] for line in lines[1::2]] == [
            "  used ",
            "  never",
        ]
        async with person_at(service.game) as tables:
            await tables.ListTables(
                tables_pb2.ListTablesRequest(), metadata=bearer(token)
            )
        assert service.end() == 0
    after = last_use()
    assert after["ada"] is not None
    assert after["ada"] >= found["ada"]
    assert after["bob"] is None


def test_limits_are_shown_and_changed_by_a_command(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        before = json.loads(told(tmp_path, "admin", "limits", "--json"))["limits"]
        assert before["calls_per_s"] == 200
        changes = ("calls_per_s=0", "open_tables_of_guests=86400000")
        assert told(tmp_path, "admin", "limits", *changes).split() == [
            *("calls_per_s", "0"),
            *("open_tables_of_guests", "86400000"),
        ]
        after = json.loads(told(tmp_path, "admin", "limits", "--json"))["limits"]
        assert after == {
            **before,
            "calls_per_s": 0,
            "open_tables_of_guests": 86_400_000,
        }
        lines = told(tmp_path, "admin", "limits").splitlines()
        assert [line.split()[0] for line in lines] == sorted(before)
        assert '"event": "limits changed"' in service.log.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("calls_per_s", "'calls_per_s' is not NAME=NUMBER"),
        ("=4", "'=4' is not NAME=NUMBER"),
        ("calls_per_s=-1", "'-1' is not a whole number 0..86400000"),
        ("calls_per_s=86400001", "'86400001' is not a whole number 0..86400000"),
        (f"calls_per_s={'9' * 5_000}", "is not a whole number 0..86400000"),
        ("exempt_loopback=2", "limits.exempt_loopback: 0..1"),
        ("calls=4", "'calls' is no limit that changes while the service runs: calls_b"),
        ("request_bytes=4", "'request_bytes' is no limit that changes"),
    ],
)
def test_a_limit_that_cannot_be_set_is_told_with_what_can_be(
    folder: Path, service: Serving, change: str, said: str
) -> None:
    wanted = ("admin", "limits", "open_tables_per_bot=7", change)
    assert said in refused_command(folder, *wanted)
    store = str(folder / "ohhell.db")
    now = CliRunner().invoke(app, ["admin", "limits", "--json", "--store", store])
    assert json.loads(now.stdout)["limits"]["open_tables_per_bot"] == 1_000


async def test_a_table_is_ended_by_a_command_and_the_log_says_why(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            arguments = ("admin", "end-table", anna.table, "--reason", "stuck")
            said = await asyncio.to_thread(told, tmp_path, *arguments)
            assert said == f"{anna.table} is cancelled"
            look = tables_pb2.GetTableRequest(table=anna.table)
            table = (await tables.GetTable(look)).table
            assert table.state == tables_pb2.TABLE_STATE_CANCELLED
            line = {"operator": "operator", "table": anna.table, "reason": "stuck"}
            logged = map(json.loads, service.log.read_text().splitlines())
            assert any(line.items() <= found.items() for found in logged)
            # Once more does no harm, as with every call that was lost on its way back.
            again = await asyncio.to_thread(told, tmp_path, *arguments)
            assert again == said


async def test_a_table_that_is_over_or_nowhere_cannot_be_ended(
    folder: Path, service: Serving
) -> None:
    async with person_at(service.game) as tables:
        over = await someone(tables)
        await over.play_on()
    for table, said in (
        ("t-0", "ohhell: there is no table 't-0'\n"),
        (over.table, f"ohhell: the match at '{over.table}' has ended already\n"),
        (
            "T",
            "ohhell: table: lower-case letters, digits and inner hyphens, at most 63\n",
        ),
    ):
        line = await asyncio.to_thread(
            refused_command, folder, "admin", "end-table", table
        )
        assert line == said


def test_a_command_lets_the_service_go_down(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        said = told(tmp_path, "admin", "drain", "--within", "1", "--json")
        assert json.loads(said) == {"tables": 0}
        assert service.process.wait(PATIENCE_S) == 0
    done = typed(tmp_path, "admin", "drain")
    assert done.returncode == 2
    assert "no service that operators can reach has ohhell.db open" in done.stderr


def test_who_is_no_operator_and_what_is_no_listener_for_them_is_told(
    folder: Path, service: Serving
) -> None:
    token = told(folder, "bot", "register", "no-operator")
    file = folder / "other.toml"
    for address, shown, said in (
        (service.listens["admin"], token, "permission denied"),
        (service.listens["admin"], "oha_x", "unauthenticated"),
        (service.listens["admin"], "", "unauthenticated"),
        (service.game, "oha_x", "is not for operators"),
        ("127.0.0.1:1", "oha_x", "unavailable"),
    ):
        file.write_text(f'address = "{address}"\ntoken = "{shown}"\n')
        for arguments in (["limits"], ["end-table", "t"], ["drain"]):
            line = refused_command(folder, "admin", *arguments, "--access", str(file))
            assert said in line
            assert address in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bot", "register", "a b"], "is no name for a bot"),
        (["bot", "register", "ada", "--display-name", "x" * 33], "at most 32"),
        (["bot", "register", "ada", "--scope", "all"], "bot.play, tables.read"),
        (["bot", "token", "nobody"], "no bot named 'nobody'"),
        (["bot", "revoke", "nobody", "ohb_x"], "no bot named 'nobody'"),
        (["bot", "kick", "nobody"], "ohhell.db.admin"),
        (["bot", "list", "--access", "none.toml"], "none.toml: No such file"),
        (["bot", "list", "--store", "postgresql://x/y"], "--access"),
        (["admin", "drain", "--store", "postgresql://x/y"], "--access"),
        (["bot", "list", "--store", "none.db"], "none.db: there is no such file"),
        (["bot", "list", "--store", ""], "no store is named"),
        (["bot", "register", "ada", "--store", ""], "no store is named"),
        (["bot", "register", "ada", "--store", "/proc/none/x.db"], "/proc/none/x.db"),
    ],
)
def test_a_mistake_is_one_clear_line(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    Store(tmp_path / "ohhell.db").close()
    done = typed(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_service_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    file = tmp_path / "gone.toml"
    file.write_text('address = "127.0.0.1:1"\ntoken = "oha_x"\n')
    done = typed(tmp_path, "bot", "list", "--access", str(file))
    assert done.returncode == 2
    assert "127.0.0.1:1: unavailable" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        *("address = 1", "adress = 'x'", "[", 'address = "x"\nextra = "y"'),
        'address = "x"\nca_file = "wrong.toml"',
        'address = "x"\nca_file = "none.pem"',
        'address = "x"\ncertificate_file = "wrong.toml"',
        'address = "x"\ncertificate_file = "wrong.toml"\nkey_file = "wrong.toml"',
        'address = "x"\ncertificate_file = "wrong.toml"\nkey_file = "none.pem"',
    ],
)
def test_a_file_that_says_nothing_of_a_service_is_named(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    done = typed(tmp_path, "bot", "list", "--access", str(file))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "wrong.toml" in done.stderr or "none.pem: No such file" in done.stderr


def test_only_its_owner_reads_the_file_with_the_token(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        file = access_file(tmp_path)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        first = file.read_text()
        os.kill(service.process.pid, 9)
    # What a killed service left behind is of no use, and in nobody's way.
    assert file.read_text() == first
    told(tmp_path, "bot", "register", "ada")
    with serving(tmp_path):
        assert file.read_text() != first
        told(tmp_path, "bot", "register", "bob")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Serving]:
    with serving(folder) as running:
        yield running


@pytest.fixture
async def operator(service: Serving, folder: Path) -> AsyncIterator[Operator]:
    async with operator_of(service, folder) as found:
        yield found


async def test_the_same_request_gets_the_same_token_again(operator: Operator) -> None:
    request = admin_pb2.RegisterBotRequest(bot="once", request_id=REQUEST_ID)
    answers = [
        await operator.admin.RegisterBot(request, metadata=operator.key)
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    other = admin_pb2.RegisterBotRequest(bot="twice", request_id=REQUEST_ID)
    refusal = await refused(operator.admin.RegisterBot(other, metadata=operator.key))
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_a_bot_that_is_kicked_may_come_back(
    folder: Path, service: Serving, operator: Operator
) -> None:
    token = await operator.register("kicked")
    port = int(service.game.rpartition(":")[2])
    async with frame_client(port, token) as client:
        await client.hello()
        listed = await operator.admin.ListBots(
            admin_pb2.ListBotsRequest(page_size=1_000), metadata=operator.key
        )
        assert {bot.bot: bot.streams for bot in listed.bots}["kicked"] == 1
        kick = admin_pb2.KickBotRequest(bot="kicked")
        kicked = await operator.admin.KickBot(kick, metadata=operator.key)
        assert kicked.streams == 1
        assert (await client.status())[0] is grpc.StatusCode.UNAVAILABLE
    assert await enters(service, token)
    # Without a stream that is no mistake, but for a name that nobody has.
    await operator.register("absent")
    for name in ("absent", "guest"):
        kick = admin_pb2.KickBotRequest(bot=name)
        kicked = await operator.admin.KickBot(kick, metadata=operator.key)
        assert kicked.streams == 0
    kick = admin_pb2.KickBotRequest(bot="absnt")
    refusal = await refused(operator.admin.KickBot(kick, metadata=operator.key))
    assert refusal.reason == "BOT_UNKNOWN"
    line = await asyncio.to_thread(refused_command, folder, "bot", "kick", "absnt")
    assert line == "ohhell: no bot named 'absnt' is registered\n"


async def test_a_table_is_ended_whoever_opened_it(
    service: Serving, operator: Operator
) -> None:
    async with person_at(service.game) as tables:
        anna = await someone(tables)
        end = admin_pb2.EndTableRequest(table=anna.table)
        await operator.admin.EndTable(end, metadata=operator.key)
        table = await tables.GetTable(tables_pb2.GetTableRequest(table=anna.table))
        assert table.table.state == tables_pb2.TABLE_STATE_CANCELLED
    nowhere = admin_pb2.EndTableRequest(table="t-0")
    refusal = await refused(operator.admin.EndTable(nowhere, metadata=operator.key))
    assert refusal.reason == "TABLE_NOT_FOUND"


async def test_limits_change_while_it_runs_and_are_published(
    service: Serving, operator: Operator
) -> None:
    async with (
        grpc.aio.insecure_channel(service.game) as channel,
        person_at(service.game) as tables,
    ):
        info = info_pb2_grpc.ServerInfoServiceStub(channel)

        async def published() -> dict[str, int]:
            return dict(
                (await info.GetServerInfo(info_pb2.GetServerInfoRequest())).limits
            )

        async def change(**limits: int) -> dict[str, int]:
            request = admin_pb2.SetLimitsRequest(limits=limits)
            changed = await operator.admin.SetLimits(request, metadata=operator.key)
            return dict(changed.limits)

        before = await published()
        assert await change(open_tables_of_guests=0) == {
            **before,
            "open_tables_of_guests": 0,
        }
        assert (await published())["open_tables_of_guests"] == 0
        refusal = await refused(someone(tables))
        assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refusal.reason == "TOO_MANY_TABLES"
        assert refusal.retry_ms
        for wrong in ({"request_bytes": 1}, {"nonsense": 1}, {"open_tables": 2**40}):
            assert (await refused(change(**wrong))).code is (
                grpc.StatusCode.INVALID_ARGUMENT
            )
        assert (await published())["open_tables_of_guests"] == 0
        assert await change(open_tables_of_guests=1_000) == before
        await someone(tables)


async def test_an_operator_lets_it_go_down_like_the_signal(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with operator_of(service, tmp_path) as operator:
            request = admin_pb2.DrainRequest(deadline_ms=100)
            await operator.admin.Drain(request, metadata=operator.key)
        ended = asyncio.to_thread(service.process.wait, PATIENCE_S)
        assert await ended == 0
