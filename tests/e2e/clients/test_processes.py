"""What whoever starts a bot sees of it, in every language alike."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import grpc
import pytest
import trustme

import engine
from cli.certificates import authority_pem, new_authority, write_pair
from server.address import Address, Trust
from server.outcome import End
from server.rpc.dial import CannotDial, Dialler
from tests.doubles.arena import scripted_arena
from tests.doubles.patience import PATIENCE_S
from tests.e2e.bots.conftest import BotProcess, Service
from tests.e2e.clients.programs import LOWEST, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.clients]

SHORT = engine.Rules.of("blackout", {"deal_high": 3})
SEATS = ["mine", "house:lowest", "house:greedy"]

every_language = pytest.mark.parametrize("language", LOWEST)


async def start(
    service: Service, language: str, bot: str = "mine", **environment: str
) -> BotProcess:
    program, *arguments = LOWEST[language]
    return await service.start(
        *arguments, program=program, bot=bot, environment=environment
    )


def ended(language: str, *flags: str, **environment: str) -> tuple[int, str]:
    """Status and last words of a bot that ends by itself."""
    done = subprocess.run(
        [*LOWEST[language], *flags],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stderr


@contextmanager
def nobody() -> Iterator[str]:
    """An address where nobody listens, and nobody else comes to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@every_language
@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)]
)
async def test_a_bot_that_is_told_to_stop_says_goodbye_and_ends(
    service: Service, language: str, sent: signal.Signals, status: int
) -> None:
    bot = await start(service, language)
    await service.ready("mine")
    bot.process.send_signal(sent)
    assert await bot.status() == status


@every_language
async def test_a_bot_without_a_valid_token_says_so_in_one_line_and_ends(
    service: Service, language: str
) -> None:
    bot = await start(service, language, OHHELL_BOT_TOKEN="wrong")  # noqa: S106  # it is
    assert await bot.status() == 2
    said = (await bot.stderr()).strip().splitlines()
    assert said[-1].startswith("ohhell_bot: ")
    assert "UNAUTHENTICATED" in said[-1].upper()


@every_language
async def test_a_bot_takes_its_token_from_a_pipe(
    service: Service, language: str
) -> None:
    reading, writing = os.pipe()
    os.write(writing, service.host.bots.register("piped").encode())
    os.close(writing)
    program, *arguments = LOWEST[language]
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "OHHELL_BOT_ADDRESS": service.address,
            "OHHELL_BOT_TOKEN_FD": str(reading),
        },
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        pass_fds=[reading],
    )
    os.close(reading)
    try:
        await service.ready("piped")
    finally:
        process.kill()
        await process.wait()


@every_language
async def test_a_process_that_takes_over_ends_the_one_before_and_plays_on(
    service: Service, language: str
) -> None:
    first = await start(service, language, OHHELL_BOT_INSTANCE="one")
    await service.ready("mine")
    token = service.host.bots.issue("mine")
    second = await start(
        service,
        language,
        bot="unused",
        OHHELL_BOT_INSTANCE="one",
        OHHELL_BOT_TOKEN=token,
    )
    assert await first.status() == 2
    assert "took over" in await first.stderr()
    ((_, outcome),) = await service.play(SHORT, SEATS)
    assert outcome.why is End.PLAYED
    assert not any(outcome.faults)
    assert second.process.returncode is None


@every_language
async def test_a_bot_trusts_the_certificates_that_it_is_given_and_no_others(
    language: str, tmp_path: Path
) -> None:
    authority, stranger = trustme.CA(), trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    chain = b"".join(pem.bytes() for pem in certificate.cert_chain_pems)
    credentials = grpc.ssl_server_credentials(
        [(certificate.private_key_pem.bytes(), chain)]
    )
    known, unknown = tmp_path / "known.pem", tmp_path / "unknown.pem"
    authority.cert_pem.write_to_path(known)
    stranger.cert_pem.write_to_path(unknown)
    async with scripted_arena(credentials) as arena:
        status, said = await asyncio.to_thread(
            ended,
            language,
            *("--address", arena.address, "--ca-file", str(unknown)),
            OHHELL_BOT_PATIENCE_S="1",
        )
        assert status == 3, said
        assert "give --certificate" not in said
        bot = await asyncio.create_subprocess_exec(
            *LOWEST[language],
            *("--address", arena.address, "--ca-file", str(known)),
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "OHHELL_BOT_TOKEN": "a-token"},
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            stream = await arena.stream()
            assert stream.token == "Bearer a-token"  # noqa: S105  # made up
            await stream.welcome()
        finally:
            bot.kill()
            await bot.wait()


@asynccontextmanager
async def served(language: str, *flags: str) -> AsyncIterator[Address]:
    """Where a bot waits to be called."""
    bot = await asyncio.create_subprocess_exec(
        *LOWEST[language],
        *("--serve", "127.0.0.1:0", *flags),
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert bot.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            said = (await bot.stdout.readline()).decode()
        yield Address.of(said.removeprefix("serving on ").strip())
    finally:
        bot.kill()
        await bot.wait()


@every_language
async def test_a_bot_with_a_certificate_plays_for_who_trusts_it_and_no_others(
    service: Service, language: str, tmp_path: Path
) -> None:
    authority = new_authority()
    own = authority.server(["127.0.0.1"], days=1)
    chain, key = write_pair(tmp_path, "bot", *own)
    dialler = Dialler(service.host, lambda _: None)
    pair = ("--certificate", str(chain), "--key", str(key))
    async with served(language, *pair) as address:
        refused = await asyncio.gather(
            dialler.call("unencrypted", 0, address),
            dialler.call("doubting", 0, address, Trust()),
            return_exceptions=True,
        )
        assert all(isinstance(error, CannotDial) for error in refused)
        assert "does not speak gRPC" in str(refused[0])
        assert "is not to be trusted" in str(refused[1])
        trust = Trust(authority_pem(authority)[0])
        await dialler.call("mine", 0, address, trust)
        ((_, outcome),) = await service.play(SHORT, SEATS)
        await dialler.close()
    assert outcome.why is End.PLAYED
    assert not any(outcome.faults)


@every_language
def test_what_is_wrong_with_a_certificate_is_told_in_a_line(
    language: str, tmp_path: Path
) -> None:
    authority = new_authority()
    one, key = write_pair(tmp_path, "one", *authority.server(["127.0.0.1"], days=1))
    _, other = write_pair(tmp_path, "other", *authority.server(["127.0.0.1"], days=1))
    serve = ("--serve", "127.0.0.1:0")
    missing, nothing = str(tmp_path / "missing.pem"), tmp_path / "nothing.pem"
    nothing.write_text("nothing")
    for flags, wrong in [
        (
            (*serve, "--certificate", str(one)),
            "--certificate and --key: give both, or neither",
        ),
        (
            ("--key", str(key)),
            "--certificate and --key: give both, or neither",
        ),
        (
            ("--certificate", str(one), "--key", str(other)),
            f"{one} and {other} are no certificate with its key",
        ),
        (
            ("--certificate", str(nothing), "--key", str(key)),
            f"{nothing} and {key} are no certificate with its key",
        ),
        (
            ("--ca-file", str(nothing)),
            f"{nothing} holds no certificate",
        ),
        (
            (*serve, "--certificate", missing, "--key", str(key)),
            f"--certificate: there is no file {missing}",
        ),
        (
            (*serve, "--certificate", str(one), "--key", str(other)),
            f"{one} and {other} are no certificate with its key",
        ),
    ]:
        status, said = ended(language, *flags)
        assert status == 2, said
        assert said.splitlines()[-1].startswith(f"ohhell_bot: {wrong}")


@every_language
@pytest.mark.parametrize("tls", ["off", "on"])
def test_a_bot_gives_up_when_nobody_is_there(language: str, tls: str) -> None:
    with nobody() as address:
        status, said = ended(
            language, *("--address", address, "--tls", tls), OHHELL_BOT_PATIENCE_S="1"
        )
    assert status == 3
    assert "out of reach for 1" in said.splitlines()[-1]
    assert "give --certificate" not in said


@every_language
def test_a_variable_that_is_no_setting_is_refused(language: str) -> None:
    status, said = ended(language, OHHELL_BOT_LANES="1")
    assert status == 2
    assert "did you mean OHHELL_BOT_LANE?" in said


@every_language
def test_a_bot_that_waits_to_be_called_is_not_reached_from_elsewhere_unasked(
    language: str,
) -> None:
    status, said = ended(language, "--serve", "0.0.0.0:0")
    assert status == 2
    assert "give --certificate and --key, or add --expose on" in said
