"""What a service says of itself to somebody who calls it, and to whom it listens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from ohhell.v1 import info_pb2, info_pb2_grpc, tables_pb2, tables_pb2_grpc
from server.address import Address, Identity, Trust
from server.rpc.credentials import credentials_of
from server.rpc.refusals import refusal_in
from server.rpc.untyped import Untyped

PATIENCE_S = 5.0
OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.service_config_disable_resolution", 1),
)

R = TypeVar("R")


class NotAnswered(Exception):
    """A call that was refused: its status in capitals, our code if it has one."""

    def __init__(self, status: str, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True)
class About:
    """What it is; `revisions` of the protocol are spoken, oldest and newest."""

    software: str
    revisions: tuple[int, int]
    presets: int
    house_bots: tuple[str, ...]
    draining: bool
    auth_required: bool


class Inquiry:
    """Calls that change nothing; NotAnswered."""

    def __init__(self, channel: grpc.Channel, token: str) -> None:
        self._info = info_pb2_grpc.ServerInfoServiceStub(channel)
        self._health: Untyped = health_pb2_grpc.HealthStub(channel)
        self._tables = tables_pb2_grpc.TableServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def about(self) -> About:
        told: Untyped = self._call(
            self._info.GetServerInfo, info_pb2.GetServerInfoRequest()
        )
        return About(
            told.software,
            (told.min_revision, told.revision),
            len(told.presets),
            tuple(told.house_bots),
            told.draining,
            told.auth == "on",
        )

    def health(self) -> str:
        """SERVING or NOT_SERVING, or as the health protocol names it."""
        told: Untyped = self._call(
            self._health.Check, health_pb2.HealthCheckRequest(service="")
        )
        return health_pb2.HealthCheckResponse.ServingStatus.Name(told.status)

    def look_at_tables(self) -> None:
        """The least that any token allows."""
        self._call(self._tables.ListTables, tables_pb2.ListTablesRequest(page_size=1))

    def _call(self, method: Callable[..., R], request: Untyped) -> R:
        try:
            return method(request, timeout=PATIENCE_S, metadata=self._metadata)
        except grpc.RpcError as error:
            refusal = refusal_in(error)
            raise NotAnswered(
                refusal.code.name, refusal.reason, refusal.message
            ) from None


@contextlib.contextmanager
def inquiring(
    address: Address, trust: Trust | None, *, identity: Identity | None, token: str
) -> Iterator[Inquiry]:
    """A connection of its own; nothing is shown without encryption."""
    if trust is None:
        channel = grpc.insecure_channel(str(address), OPTIONS)
    else:
        credentials = credentials_of(trust, identity)
        channel = grpc.secure_channel(str(address), credentials, OPTIONS)
    with channel:
        yield Inquiry(channel, token)
