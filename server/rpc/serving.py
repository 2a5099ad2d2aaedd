"""The gRPC listeners: their services, their health, their graceful end."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from ohhell.v1 import (
    admin_pb2_grpc,
    arena_pb2_grpc,
    info_pb2_grpc,
    tables_pb2_grpc,
)
from server.host import Host
from server.limits import Limits
from server.lobby import Lobby
from server.metrics import Metrics
from server.rpc import identity
from server.rpc.admin import AdminService
from server.rpc.admission import Admission
from server.rpc.arena import ArenaService
from server.rpc.call_log import CallLog
from server.rpc.gate import Callers, Gate
from server.rpc.info import ServerInfoService
from server.rpc.methods import (
    ADMIN,
    ALWAYS,
    ARENA,
    HEALTH,
    INFO,
    QUIET,
    TABLES,
    WAITS_S,
)
from server.rpc.options import listening
from server.rpc.pace import Pace
from server.rpc.tables import TableService
from server.rpc.tls import Certificates
from server.rpc.untyped import Untyped


class Addition(NamedTuple):
    """A service of a layer above, to be served beside the others."""

    name: str
    add: Callable[[grpc.aio.Server], None]


class PortTaken(Exception):
    """The address cannot be listened on."""


def _check_free(address: str, port: int) -> None:
    """OSError with a reason, where gRPC would write lines of its own and give none."""
    if port:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))


def _schema(services: Sequence[str]) -> DescriptorPool:
    """The files of these services, and what those need: no other may be looked up."""
    pool = DescriptorPool()
    known = descriptor_pool.Default()
    added: set[str] = set()

    def add(file: FileDescriptor) -> None:
        if file.name not in added:
            added.add(file.name)
            for needed in file.dependencies:
                add(needed)
            pool.AddSerializedFile(file.serialized_pb)

    for service in services:
        add(known.FindServiceByName(service).file)
    return pool


class _GatedServer(grpc.aio.Server):
    """A gRPC server on which every method that is added stands behind the gate."""

    def __init__(self, gate: Gate, limits: Limits) -> None:
        self._gate = gate
        self._server = grpc.aio.server(handlers=(gate,), options=listening(limits))

    def add_generic_rpc_handlers(
        self, generic_rpc_handlers: Iterable[grpc.GenericRpcHandler]
    ) -> None:
        self._gate.add(generic_rpc_handlers)

    def add_insecure_port(self, address: str) -> int:
        return self._server.add_insecure_port(address)

    def add_secure_port(
        self, address: str, server_credentials: grpc.ServerCredentials
    ) -> int:
        return self._server.add_secure_port(address, server_credentials)

    async def start(self) -> None:
        await self._server.start()

    async def stop(self, grace: float | None) -> None:
        await self._server.stop(grace)

    async def wait_for_termination(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - gRPC's signature
        return await self._server.wait_for_termination(timeout)


class _Listener:
    """A gRPC server with health and the reflection of its own services."""

    def __init__(
        self,
        metrics: Metrics,
        services: tuple[str, ...],
        host: Host,
        knows: Mapping[str, Callable[[Untyped], Awaitable[None]]],
        *,
        name_of: Callable[[Untyped], str],
    ) -> None:
        self._pace = Pace(host)
        gate = Gate(
            metrics,
            Callers(knows, name_of),
            host.calls,
            waits=WAITS_S,
            always=ALWAYS,
            log=CallLog(QUIET),
            pace=self._pace,
        )
        self.server = _GatedServer(gate, host.limits)
        self._services = services
        self._health = health_aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.server)
        shown = (*services, HEALTH, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(shown, self.server, pool=_schema(shown))
        self.port = 0

    def bind(self, address: str, port: int, certificates: Certificates | None) -> None:
        """PortTaken."""
        where = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        try:
            _check_free(address, port)
            if certificates is None:
                self.port = self.server.add_insecure_port(where)
            else:
                self.port = self.server.add_secure_port(
                    where, certificates.credentials()
                )
        except (OSError, RuntimeError) as error:
            unusable = "it is in use, or no address of this machine"
            reason = error.strerror if isinstance(error, OSError) else unusable
            raise PortTaken(f"cannot listen on {where}: {reason}") from None

    async def start(self) -> None:
        await self.server.start()
        for service in ("", *self._services):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)

    async def refuse(self) -> None:
        """Health says NOT_SERVING from now on; calls still come through."""
        self._pace.end()
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float) -> None:
        """Ends in good order; calls that outlast `grace` seconds are cut off."""
        self._pace.end()
        await self.server.stop(grace)


class GameListener(_Listener):
    """For bots and people; `port` is the one that was bound. PortTaken."""

    def __init__(
        self,
        host: Host,
        metrics: Metrics,
        *,
        address: str,
        port: int,
        lobby: Lobby | None = None,
        additions: Sequence[Addition] = (),
        certificates: Certificates | None = None,
    ) -> None:
        """Without a lobby there are only the tables that the host's owner opens."""
        services = (ARENA, INFO) if lobby is None else (ARENA, TABLES, INFO)
        added = tuple(more.name for more in additions)

        async def knows(context: Untyped) -> None:
            identity.caller_of(context, host)

        def name_of(context: Untyped) -> str:
            return identity.name_of(context, host.bots)

        known = dict.fromkeys(added, knows)
        if lobby is not None:
            admission = Admission(host, lobby)
            known[TABLES] = admission.knows
            name_of = admission.name_of
        super().__init__(metrics, (*services, *added), host, known, name_of=name_of)
        for more in additions:
            more.add(self.server)
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(
            ArenaService(host), self.server
        )
        info_pb2_grpc.add_ServerInfoServiceServicer_to_server(
            ServerInfoService(host), self.server
        )
        if lobby is not None:
            tables_pb2_grpc.add_TableServiceServicer_to_server(
                TableService(host, lobby), self.server
            )
        self.bind(address, port, certificates)


class AdminListener(_Listener):
    """For operators. PortTaken."""

    def __init__(
        self,
        service: AdminService,
        metrics: Metrics,
        *,
        address: str,
        port: int,
        host: Host,
        certificates: Certificates | None = None,
    ) -> None:
        knows = {ADMIN: service.knows}
        super().__init__(metrics, (ADMIN,), host, knows, name_of=service.name_of)
        admin_pb2_grpc.add_AdminServiceServicer_to_server(service, self.server)
        self.bind(address, port, certificates)
