"""The gRPC listener: its options, its services, its graceful end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    info_pb2,
    tables_pb2,
)
from server.host import Host
from server.metrics import Metrics
from server.rpc.arena import ArenaService
from server.rpc.status import Gate

OPTIONS: Final[Sequence[tuple[str, int]]] = (
    # Without it a second server on the same port starts, and gets half the calls.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 65_536),
    ("grpc.max_send_message_length", 1_048_576),
    ("grpc.max_concurrent_streams", 1_000),
    # A client that is gone without a word is noticed by pings alone; it is the ping
    # timeout that counts, not the keepalive timeout.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 9_000),
    ("grpc.http2.max_ping_strikes", 3),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.server_handshake_timeout_ms", 5_000),
)


class PortTaken(Exception):
    """The address cannot be listened on."""


class GameListener:
    """Serves bots and people; `port` is the one that was bound."""

    def __init__(
        self, host: Host, metrics: Metrics, *, address: str, port: int
    ) -> None:
        self._host = host
        self._server = grpc.aio.server(interceptors=[Gate(metrics)], options=OPTIONS)
        self._health = health_aio.HealthServicer()
        services = (
            arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name,
            tables_pb2.DESCRIPTOR.services_by_name["TableService"].full_name,
            info_pb2.DESCRIPTOR.services_by_name["ServerInfoService"].full_name,
        )
        self._services = services
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(
            ArenaService(host), self._server
        )
        reflection.enable_server_reflection(
            (
                *services,
                health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
                reflection.SERVICE_NAME,
            ),
            self._server,
        )
        try:
            self.port = self._server.add_insecure_port(f"{address}:{port}")
        except RuntimeError:
            raise PortTaken(
                f"{address}:{port} cannot be listened on: is another server there?"
            ) from None

    async def start(self) -> None:
        await self._server.start()

    async def stop(self, grace: float) -> None:
        """Ends in good order; calls that outlast `grace` seconds are cut off."""
        await self._server.stop(grace)
