"""`ohhell serve` as a process of its own, and people who play there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.registry import BotRegistry, Scope
from server.store import Store
from tests.doubles.patience import PATIENCE_S

Metadata = tuple[tuple[str, str], ...]

THIRD_WAITS: Final[dict[str, Any]] = {
    "limits__refusals_burst": 2,
    "limits__refusals_per_s": 0,
    "patience__refused_ms": 10,
}
"""Settings: the third refusal at the door has to wait, and is told so in a moment."""


def command(*arguments: str, prelude: str = "") -> list[str]:
    """The program; a prelude is run in its process first."""
    code = f"{prelude}\nfrom cli.main import main; main()"
    return [sys.executable, "-c", code, *arguments]


def environment(settings: Mapping[str, object]) -> dict[str, str]:
    """Ours, with settings by names like `patience__away_ms`."""
    set_here = {
        f"OHHELL_SERVER__{name.upper()}": str(value) for name, value in settings.items()
    }
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **set_here}


@dataclass
class Serving:
    """A running service."""

    process: subprocess.Popen[str]
    listens: dict[str, str]
    """Addresses by what is to be found there."""
    log: Path
    """Its standard error."""

    @property
    def game(self) -> str:
        return self.listens["game"]

    def http(self, path: str) -> tuple[int, str]:
        """Status and body of one of its pages."""
        base = self.listens["metrics"].removesuffix("/metrics")
        try:
            with urllib.request.urlopen(base + path, timeout=PATIENCE_S) as response:  # noqa: S310 - our own http address
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    port: int = 0,
    prelude: str = "",
    **settings: object,
) -> Iterator[Serving]:
    """A service with its store in the folder; settings as of `environment`."""
    log = folder / "serve.log"
    ports = ("--game-port", str(port), "--http-port", "0")
    with log.open("a") as errors:
        process = subprocess.Popen(
            command("serve", *ports, *arguments, prelude=prelude),
            cwd=folder,
            env=environment({"admin__port": 0, **settings}),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        yield Serving(process, _listens(process), log)
    finally:
        # A stopped process would not see the end of it.
        process.kill()
        process.wait(PATIENCE_S)
        if process.stdout is not None:
            process.stdout.close()


def _listens(process: subprocess.Popen[str]) -> dict[str, str]:
    """What it says of itself, up to the last line."""
    found: dict[str, str] = {}
    assert process.stdout is not None
    while "metrics" not in found:
        line = process.stdout.readline()
        if not line:
            raise AssertionError(f"it has ended: {process.wait(PATIENCE_S)}")
        name, _, where = line.partition(" ")
        found[name] = where.strip()
    return found


def registered(folder: Path, *bots: str) -> dict[str, str]:
    """Tokens by name, in the store that a service in this folder will open.

    They are good for playing, and for tables of their own.
    """
    scopes = (Scope.PLAY, Scope.READ, Scope.WRITE)
    with Store(folder / "ohhell.db") as store:
        registry = BotRegistry(store.bots)
        return {bot: registry.register(bot, scopes=scopes) for bot in bots}


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


@dataclass
class Person:
    """A seat at a table of a service, played by single calls."""

    tables: tables_pb2_grpc.TableServiceAsyncStub
    table: str
    seat: int
    token: Metadata

    async def view(self, wait_ms: int = 0) -> match_pb2.View:
        request = tables_pb2.GetViewRequest(
            table=self.table, seat=self.seat, wait_ms=wait_ms
        )
        return (await self.tables.GetView(request, metadata=self.token)).view

    async def turn(self) -> match_pb2.View:
        """The next view with a question, or that of the end."""
        # What waits for nobody for so long has come to its end, if not to a good one.
        for _ in range(100):
            view = await self.view(20_000)
            if view.ask or view.phase == match_pb2.PHASE_OVER:
                return view
        raise AssertionError("the match stands still")

    def first_bid(self, view: match_pb2.View) -> tables_pb2.PlaceBidRequest:
        """The first legal one."""
        decision = match_pb2.Decision(seq=view.seq, seat=self.seat)
        return tables_pb2.PlaceBidRequest(
            table=self.table, decision=decision, bid=view.legal_bids[0]
        )

    async def bid_through(self, held: AbstractContextManager[object]) -> None:
        """A bid that is made twice while the store is held: told that it takes too
        long, made once all the same, and played on from.
        """
        view = await self.turn()
        bid = self.first_bid(view)
        with held:
            for _ in range(2):
                async with asyncio.timeout(PATIENCE_S):
                    refusal = await refused(
                        self.tables.PlaceBid(bid, metadata=self.token)
                    )
                assert refusal.code is grpc.StatusCode.DEADLINE_EXCEEDED
                assert refusal.reason == "TOOK_TOO_LONG"
        answer = await self.tables.PlaceBid(bid, metadata=self.token)
        assert answer.duplicate
        assert answer.entry == view.seq + 1
        assert (await self.play_on()).phase == match_pb2.PHASE_OVER

    async def act(self, view: match_pb2.View) -> None:
        """The first legal action."""
        if view.ask == match_pb2.ASK_BID:
            bid = self.first_bid(view)
            await self.tables.PlaceBid(bid, metadata=self.token)
        else:
            decision = match_pb2.Decision(seq=view.seq, seat=self.seat)
            await self.tables.PlayCard(
                tables_pb2.PlayCardRequest(
                    table=self.table, decision=decision, card=view.legal_cards[0]
                ),
                metadata=self.token,
            )

    async def play_on(self) -> match_pb2.View:
        """To the end of the match."""
        while (view := await self.turn()).ask:
            await self.act(view)
        return view


@asynccontextmanager
async def person_at(
    address: str,
) -> AsyncIterator[tables_pb2_grpc.TableServiceAsyncStub]:
    """A connection of its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        yield tables_pb2_grpc.TableServiceStub(channel)


async def new_table(
    tables: tables_pb2_grpc.TableServiceAsyncStub, **fields: object
) -> tables_pb2.CreateTableResponse:
    """Three players, two of them house bots, unless said otherwise."""
    wanted: dict[str, object] = {
        "rules": rules_pb2.RulesSpec(preset="pagat_standard"),
        "players": 3,
        "house_bots": ["lowest", "lowest"],
    }
    return await tables.CreateTable(tables_pb2.CreateTableRequest(**(wanted | fields)))  # type: ignore[arg-type]  # fields as given


async def seat_bot(
    tables: tables_pb2_grpc.TableServiceAsyncStub, token: str, **fields: object
) -> str:
    """The bot's own new table, with the bot on its first free seat; the table's id."""
    wanted: dict[str, object] = {
        "rules": rules_pb2.RulesSpec(preset="pagat_standard"),
        "players": 3,
        "house_bots": ["lowest", "lowest"],
        "spectators": tables_pb2.SPECTATOR_POLICY_OPEN,
    }
    created = await tables.CreateTable(
        tables_pb2.CreateTableRequest(**(wanted | fields)),  # type: ignore[arg-type]  # fields as given
        metadata=bearer(token),
    )
    table = created.table.table
    await tables.JoinTable(
        tables_pb2.JoinTableRequest(table=table, ticket=created.tickets[0]),
        metadata=bearer(token),
    )
    return table


async def sit_down(tables: tables_pb2_grpc.TableServiceAsyncStub, table: str) -> Person:
    """The first free seat."""
    joined = await tables.JoinTable(tables_pb2.JoinTableRequest(table=table))
    return Person(tables, table, joined.seat.seat, bearer(joined.seat_token))


async def someone(
    tables: tables_pb2_grpc.TableServiceAsyncStub, **fields: object
) -> Person:
    """A person at a new table against house bots."""
    created = await new_table(tables, **fields)
    return await sit_down(tables, created.table.table)


@dataclass(frozen=True)
class Refusal:
    """How a call was refused."""

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: dict[str, str]
    retry_ms: int | None
    quota: str
    """Whose quota was used up; empty where it is not about one."""


async def refused(call: object) -> Refusal:
    """Of a call that is refused with exactly one ErrorInfo."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call  # type: ignore[misc]  # any call of a stub
    return refusal_of(caught.value)


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # has what is read
    assert status is not None, f"{error.code()} {error.details()} without details"
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    used_up = error_details_pb2.QuotaFailure()
    infos = sum(packed.Unpack(info) for packed in status.details)
    retries = sum(packed.Unpack(retry) for packed in status.details)
    quotas = sum(packed.Unpack(used_up) for packed in status.details)
    assert (infos, info.domain) == (1, "ohhell")
    # What is refused for a limit says whose it is, and when to come back.
    assert quotas == ("limit" in info.metadata)
    assert retries >= quotas
    (subject,) = [one.subject for one in used_up.violations] or [""]
    assert all(one.description for one in used_up.violations)
    return Refusal(
        error.code(),
        info.reason,
        error.details() or "",
        dict(info.metadata),
        retry.retry_delay.ToMilliseconds() if retries else None,
        subject,
    )
