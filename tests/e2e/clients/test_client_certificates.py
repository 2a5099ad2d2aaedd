"""A service that wants a certificate of its callers, and bots in every language."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from cli.certificates import authority_pem, new_authority, write_pair
from ohhell.v1 import match_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    bearer,
    new_table,
    registered,
    serving,
    sit_down,
)
from tests.e2e.clients.languages import every_language
from tests.e2e.clients.programs import LOWEST, ROOT


@dataclass(frozen=True)
class Asking:
    """A running service that asks its callers for certificates."""

    service: Serving
    token: str
    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """How a bot finds it and trusts it."""
        return {
            "PATH": os.environ["PATH"],
            "OHHELL_BOT_ADDRESS": self.service.game,
            "OHHELL_BOT_TOKEN": self.token,
            "OHHELL_BOT_CA_FILE": str(self.folder / "ca.pem"),
        }

    def pair(self, name: str) -> tuple[str, ...]:
        """Flags of a certificate: that of `bot`, or of a `stranger`."""
        files = [str(self.folder / f"{name}{end}.pem") for end in ("", "-key")]
        return ("--certificate", files[0], "--key", files[1])


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    authority, bots, others = new_authority(), new_authority(), new_authority()
    write_pair(tmp_path, "ca", *authority_pem(authority))
    write_pair(tmp_path, "bots-ca", *authority_pem(bots))
    write_pair(tmp_path, "server", *authority.server(["127.0.0.1"], days=1))
    write_pair(tmp_path, "bot", *bots.client("bot", days=1))
    write_pair(tmp_path, "stranger", *others.client("bot", days=1))
    token = registered(tmp_path, "mine")["mine"]
    with serving(
        tmp_path,
        tls__certificate="server.pem",
        tls__key="server-key.pem",
        game__client_ca="bots-ca.pem",
    ) as service:
        yield Asking(service, token, tmp_path)


@contextmanager
def playing(language: str, asking: Asking, *flags: str) -> Iterator[None]:
    """A process of the bot."""
    bot = subprocess.Popen(
        [*LOWEST[language], *flags],
        cwd=ROOT,
        env=asking.variables,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        bot.kill()
        bot.wait()


@asynccontextmanager
async def person_at(
    asking: Asking,
) -> AsyncIterator[tables_pb2_grpc.TableServiceAsyncStub]:
    """A connection of its own, with a certificate."""
    ca, key, chain = (
        (asking.folder / f"{name}.pem").read_bytes()
        for name in ("ca", "bot-key", "bot")
    )
    credentials = grpc.ssl_channel_credentials(ca, key, chain)
    async with grpc.aio.secure_channel(asking.service.game, credentials) as channel:
        yield tables_pb2_grpc.TableServiceStub(channel)


async def joined(tables: tables_pb2_grpc.TableServiceAsyncStub, token: str) -> str:
    """A table with the bot at it, as soon as the bot is there."""
    created = await new_table(tables, house_bots=["lowest"])
    table = created.table.table
    ask = tables_pb2.JoinTableRequest(table=table, ticket=created.tickets[0])
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await tables.JoinTable(ask, metadata=bearer(token))
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                    raise
                await asyncio.sleep(0.05)
            else:
                return table


@every_language
async def test_a_bot_plays_a_match_where_it_has_to_show_a_certificate(
    asking: Asking, language: str
) -> None:
    with playing(language, asking, *asking.pair("bot")):
        async with person_at(asking) as tables:
            table = await joined(tables, asking.token)
            anna = await sit_down(tables, table)
            assert (await anna.play_on()).phase == match_pb2.PHASE_OVER
            record = await tables.GetRecord(
                tables_pb2.GetRecordRequest(table=table), metadata=anna.token
            )
        _, figures = await asyncio.to_thread(asking.service.http, "/metrics")
    assert '"cause":"FALLBACK"' not in record.text
    assert "\nohhell_faults_total{" not in figures


@every_language
@pytest.mark.parametrize(
    ("shown", "advice"),
    [
        ("", "give --certificate and --key"),
        ("stranger", "it does not accept"),
    ],
)
def test_a_bot_without_the_right_certificate_says_what_may_be_missing(
    asking: Asking, language: str, shown: str, advice: str
) -> None:
    done = subprocess.run(
        [*LOWEST[language], *(asking.pair(shown) if shown else ())],
        cwd=ROOT,
        env=asking.variables | {"OHHELL_BOT_PATIENCE_S": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"ohhell_bot: {asking.service.game} was out of reach for 1")
    assert advice in said
    assert "Traceback" not in done.stderr
