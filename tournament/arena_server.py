"""The server inside a run: loopback only, tokens required, no admin listener."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from server import logs
from server.health import HealthListener
from server.host import Host
from server.metrics import Metrics
from server.players.local import BotFactory
from server.rpc.serving import GameListener

LOOPBACK = "127.0.0.1"
METRICS_PORT = 9464
STOP_GRACE = 0.2
"""Seconds that calls get to end by themselves."""


class MetricsPortTaken(Exception):
    """The port that was asked for is not free."""


@dataclass(frozen=True)
class ArenaServer:
    """What is there while the server runs; `metrics_port` is None if none was free."""

    host: Host
    metrics: Metrics
    address: str
    metrics_port: int | None


@asynccontextmanager
async def arena_server(
    *,
    house_bots: Mapping[str, BotFactory],
    metrics_port: int | None,
    log: Path,
) -> AsyncIterator[ArenaServer]:
    """Serve bots on a free port; raises `MetricsPortTaken`.

    Without a `metrics_port` the usual one is taken if it is free.
    """
    metrics = Metrics()
    log.parent.mkdir(parents=True, exist_ok=True)
    with logs.opened(log) as file:
        logs.configure("info", file)
        host = Host(house_bots=house_bots, observers=(metrics, logs.FactLog()))
        metrics.watch(host)
        health = _health(host, metrics, metrics_port)
        try:
            host.start()
            listener = GameListener(host, metrics, address=LOOPBACK, port=0)
            await listener.start()
            try:
                yield ArenaServer(
                    host,
                    metrics,
                    f"{LOOPBACK}:{listener.port}",
                    health.port if health else None,
                )
            finally:
                host.drain()
                await listener.stop(STOP_GRACE)
        finally:
            host.close()
            if health is not None:
                health.close()


def _health(host: Host, metrics: Metrics, port: int | None) -> HealthListener | None:
    try:
        return HealthListener(
            LOOPBACK,
            METRICS_PORT if port is None else port,
            metrics=metrics.text,
            is_ready=lambda: not host.draining,
        )
    except OSError as error:
        if port is None:
            return None
        msg = f"port {port} of {LOOPBACK} cannot serve metrics: {error.strerror}"
        raise MetricsPortTaken(msg) from error
