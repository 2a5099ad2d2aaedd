"""Connections that are ended for their age cost no bot anything, in any language."""

from __future__ import annotations

import asyncio
import functools
import itertools
import os
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import grpc

from ohhell.v1 import frames_pb2, match_pb2, tables_pb2, tables_pb2_grpc
from tests.doubles.serving import (
    Serving,
    bearer,
    new_table,
    person_at,
    registered,
    serving,
    sit_down,
)
from tests.e2e.clients.languages import every_language
from tests.e2e.clients.programs import LOWEST, ROOT

R = TypeVar("R")

TIMES = 4
"""That the bot's connection ends during the match, at least."""
PATIENCE_S = 60.0


async def until_there(call: Callable[[], Awaitable[R]]) -> R:
    """Made again where the connection, or a bot's, was on its way out."""
    passing = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.FAILED_PRECONDITION)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if error.code() not in passing:
                    raise
                await asyncio.sleep(0.05)


async def figures(service: Serving) -> dict[str, float]:
    _, text = await asyncio.to_thread(service.http, "/metrics")
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
    return {name: float(value) for name, value in pairs}


async def returned(service: Serving, times: int) -> None:
    """Waits until the bot has come back so often."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in itertools.count():
            if (await figures(service))["ohhell_stream_resumes_total"] >= times:
                return


@contextmanager
def playing(language: str, address: str, token: str) -> Iterator[None]:
    """A process of the bot."""
    bot = subprocess.Popen(
        LOWEST[language],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "OHHELL_BOT_ADDRESS": address,
            "OHHELL_BOT_TOKEN": token,
        },
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        bot.kill()
        bot.wait()


async def open_table(
    tables: tables_pb2_grpc.TableServiceAsyncStub, token: str
) -> tables_pb2.CreateTableResponse:
    """With the bot on its first free seat."""
    created = await new_table(
        tables,
        house_bots=["lowest"],
        clock=frames_pb2.TimeControl(per_decision_ms=10_000, bank_ms=10_000),
    )
    ask = tables_pb2.JoinTableRequest(
        table=created.table.table, ticket=created.tickets[0]
    )
    await until_there(lambda: tables.JoinTable(ask, metadata=bearer(token)))
    return created


@every_language
async def test_a_bot_plays_a_match_over_connections_that_are_ended_for_their_age(
    tmp_path: Path, language: str
) -> None:
    token = registered(tmp_path, "mine")["mine"]
    with (
        serving(
            tmp_path, limits__connection_age_ms=300, limits__connection_grace_ms=100
        ) as service,
        playing(language, service.game, token),
    ):
        async with person_at(service.game) as tables:
            table = (await open_table(tables, token)).table.table
            anna = await until_there(lambda: sit_down(tables, table))
            acted = 0
            while True:
                view = await until_there(lambda: anna.view(50))
                if view.phase == match_pb2.PHASE_OVER:
                    break
                if view.ask:
                    if acted < TIMES:
                        await returned(service, acted + 1)
                    await until_there(functools.partial(anna.act, view))
                    acted += 1
            ask = tables_pb2.GetRecordRequest(table=table)
            record = await until_there(
                lambda: tables.GetRecord(ask, metadata=anna.token)
            )
        told = await figures(service)
    assert '"cause":"FALLBACK"' not in record.text
    assert told["ohhell_stream_resumes_total"] >= TIMES
    assert not [name for name in told if name.startswith("ohhell_faults_total{")]
