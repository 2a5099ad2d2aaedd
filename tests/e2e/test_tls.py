"""TLS: who trusts whom, certificates that are renewed, addresses that need it."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from ohhell.v1 import admin_pb2, admin_pb2_grpc, info_pb2, info_pb2_grpc
from tests.doubles.operators import operator_of
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    command,
    environment,
    refused,
    registered,
    serving,
)
from tests.project.tree import ROOT

SERVER: dict[str, Any] = {
    "tls__certificate": "server.pem",
    "tls__key": "server-key.pem",
}


def new_certificates(folder: Path, *arguments: str) -> None:
    subprocess.run(
        command("cert", "new", *arguments),
        cwd=folder,
        env=environment({}),
        check=True,
        timeout=PATIENCE_S,
        stdout=subprocess.DEVNULL,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_certificates(tmp_path)
    return tmp_path


@asynccontextmanager
async def dialled(
    address: str, folder: Path, *, client: str = ""
) -> AsyncIterator[grpc.aio.Channel]:
    """A connection of its own that trusts the folder's authority."""
    key = (folder / f"{client}-key.pem").read_bytes() if client else None
    chain = (folder / f"{client}.pem").read_bytes() if client else None
    credentials = grpc.ssl_channel_credentials(
        (folder / "ca.pem").read_bytes(), key, chain
    )
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.secure_channel(address, credentials, options) as channel:
        yield channel


async def answers(channel: grpc.aio.Channel) -> bool:
    info = info_pb2_grpc.ServerInfoServiceStub(channel)
    call = info.GetServerInfo(info_pb2.GetServerInfoRequest(), timeout=PATIENCE_S)
    code = await call.code()
    assert code in (grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE)
    return code is grpc.StatusCode.OK


def serial_of(service: Serving, folder: Path) -> str:
    """Number of the certificate that a new connection is shown."""
    host, _, port = service.game.rpartition(":")
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((host, int(port)), PATIENCE_S) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        certificate = connection.getpeercert()
    assert certificate is not None
    return str(certificate["serialNumber"])


async def test_whoever_trusts_the_authority_gets_in_and_nobody_else(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    new_certificates(other)
    with serving(folder, **SERVER) as service:
        async with dialled(service.game, folder) as channel:
            assert await answers(channel)
        async with dialled(service.game, other) as channel:
            assert not await answers(channel)
        async with grpc.aio.insecure_channel(service.game) as channel:
            assert not await answers(channel)


async def test_a_renewed_certificate_is_taken_up_and_open_connections_stay(
    folder: Path,
) -> None:
    with serving(folder, **SERVER) as service:
        async with dialled(service.game, folder) as channel:
            assert await answers(channel)
            first = serial_of(service, folder)
            new_certificates(folder)
            second = serial_of(service, folder)
            assert first != second
            assert await answers(channel)
            # Half of a pair, as it may be for a moment, changes nothing.
            (folder / "server-key.pem").write_text("nothing")
            assert serial_of(service, folder) == second
            new_certificates(folder)
            assert serial_of(service, folder) not in (first, second)
            assert await answers(channel)


async def test_callers_need_a_certificate_where_an_authority_is_named_for_them(
    folder: Path,
) -> None:
    with serving(folder, **SERVER, game__client_ca="ca.pem") as service:
        async with dialled(service.game, folder) as channel:
            assert not await answers(channel)
        async with dialled(service.game, folder, client="operator") as channel:
            assert await answers(channel)


async def test_a_certificate_makes_an_operator_who_needs_no_token(
    folder: Path,
) -> None:
    with serving(folder, **SERVER, admin__client_ca="ca.pem") as service:
        address = service.listens["admin"]
        ask = admin_pb2.ListBotsRequest()
        async with dialled(address, folder, client="operator") as channel:
            stub = admin_pb2_grpc.AdminServiceStub(channel)
            assert list((await stub.ListBots(ask)).bots) == []
        async with dialled(address, folder) as channel:
            stub = admin_pb2_grpc.AdminServiceStub(channel)
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.ListBots(ask, timeout=PATIENCE_S)
        (folder / "remote.toml").write_text(
            f'address = "{address}"\nca_file = "ca.pem"\n'
            'certificate_file = "operator.pem"\nkey_file = "operator-key.pem"\n'
        )
        for words, begins in (
            (("bot", "register", "ada"), b"ohb_"),
            (("admin", "limits", "calls_per_s=9"), b"calls_per_s  9"),
        ):
            typed = command(*words, "--access", "remote.toml")
            process = await asyncio.create_subprocess_exec(
                *typed, cwd=folder, env=environment({}), stdout=asyncio.subprocess.PIPE
            )
            async with asyncio.timeout(PATIENCE_S):
                printed, _ = await process.communicate()
            assert printed.startswith(begins)
        assert not (folder / "ohhell.db.admin").exists()


async def test_the_admin_listener_of_this_machine_still_asks_for_its_token(
    folder: Path,
) -> None:
    with serving(folder, **SERVER) as service:
        async with operator_of(service, folder) as operator:
            ask = admin_pb2.ListBotsRequest()
            await operator.admin.ListBots(ask, metadata=operator.key)
            refusal = await refused(operator.admin.ListBots(ask))
            assert refusal.reason == "TOKEN_MISSING"


async def test_a_bot_connects_with_its_settings_for_tls(folder: Path) -> None:
    token = registered(folder, "ada")["ada"]
    with serving(folder, "--auth", "on", **SERVER) as service:
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bots", "lowest"),
            env={
                **environment({}),
                "OHHELL_BOT_ADDRESS": service.game,
                "OHHELL_BOT_TOKEN": token,
                "OHHELL_BOT_TLS": "on",
                "OHHELL_BOT_CA_FILE": str(folder / "ca.pem"),
            },
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            assert bot.stderr is not None
            async with asyncio.timeout(PATIENCE_S):
                line = await bot.stderr.readline()
            assert b"connected to ohhell as ada" in line
        finally:
            bot.kill()
            await bot.communicate()


BOT = ("--", sys.executable, "-m", "bots", "lowest")
WELCOME = "connected to ohhell"


@pytest.mark.parametrize(
    ("words", "behind", "said"),
    [
        (("run",), BOT, WELCOME),
        (("run", "--trace"), BOT, "<- welcome"),
        (("bridge",), ("--", "cat"), WELCOME),
    ],
)
async def test_commands_show_a_certificate_for_the_bots_that_they_start(
    folder: Path, words: tuple[str, ...], behind: tuple[str, ...], said: str
) -> None:
    with serving(folder, **SERVER, game__client_ca="ca.pem") as service:
        way = ("--address", service.game, "--ca-file", str(folder / "ca.pem"))
        certificate = ("--certificate", str(folder / "operator.pem"))
        # Half of the pair by a flag, the other half by a variable.
        key = {"OHHELL_BOT_KEY": str(folder / "operator-key.pem")}
        bot = await asyncio.create_subprocess_exec(
            *command("bot", *words, *way, *certificate, *behind),
            env={**environment({}), **key},
            cwd=ROOT,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            assert bot.stderr is not None
            heard = ""
            async with asyncio.timeout(PATIENCE_S):
                while said not in heard:
                    line = await bot.stderr.readline()
                    assert line, heard
                    heard += line.decode()
        finally:
            if bot.returncode is None:
                bot.terminate()
            await bot.communicate()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"tls__certificate": "server.pem"}, "set both"),
        ({"game__client_ca": "ca.pem"}, "game.client_ca"),
        ({"tls__certificate": "no.pem", "tls__key": "server-key.pem"}, "no.pem"),
        (
            {"tls__certificate": "server.pem", "tls__key": "operator-key.pem"},
            "no certificate with its key",
        ),
        ({**SERVER, "game__client_ca": "ca-key.pem"}, "holds no certificate"),
        ({"admin__address": "0.0.0.0"}, "admin.client_ca"),  # noqa: S104 - it is refused
        ({"game__address": "0.0.0.0", **SERVER}, 'auth = "on"'),  # noqa: S104 - as above
        ({"game__address": "0.0.0.0", "game__auth": "on"}, "tls.certificate"),  # noqa: S104 - as above
    ],
)
def test_what_cannot_be_safe_or_work_is_refused_in_a_line(
    folder: Path, settings: dict[str, str], said: str
) -> None:
    ports = ("--game-port", "0", "--admin-port", "0", "--http-port", "0")
    done = subprocess.run(
        command("serve", *ports),
        cwd=folder,
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_certificates_that_would_be_of_no_use_are_not_made(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("not one")
    for arguments, said in [
        (["--name", "a b"], "'a b' is no host name"),
        ([], "ca.pem"),
    ]:
        done = subprocess.run(
            command("cert", "new", *arguments),
            cwd=tmp_path,
            env=environment({}),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode in (2, 5)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
