"""Operators of a service in a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from ohhell.v1 import (
    admin_pb2,
    admin_pb2_grpc,
    rules_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from server.operator import Access
from tests.doubles.serving import Metadata, Serving, bearer

WRITER = ("bot.play", "tables.read", "tables.write")
"""Scopes of an organiser."""


@dataclass
class Operator:
    """With the token that the service left beside its store."""

    admin: admin_pb2_grpc.AdminServiceAsyncStub
    key: Metadata

    async def register(self, bot: str, *scopes: str) -> str:
        """The token of a new bot."""
        request = admin_pb2.RegisterBotRequest(bot=bot, scopes=scopes)
        return (await self.admin.RegisterBot(request, metadata=self.key)).token

    async def revoke(self, bot: str, token: str) -> None:
        request = admin_pb2.RevokeTokenRequest(bot=bot, prefix=token[:12])
        await self.admin.RevokeToken(request, metadata=self.key)

    async def enable(self, bot: str, *, enabled: bool) -> None:
        request = admin_pb2.SetBotEnabledRequest(bot=bot, enabled=enabled)
        await self.admin.SetBotEnabled(request, metadata=self.key)


async def opened(
    tables: tables_pb2_grpc.TableServiceAsyncStub,
    owner: Metadata,
    spectators: int = tables_pb2.SPECTATOR_POLICY_OPEN,
    **fields: object,
) -> tables_pb2.CreateTableResponse:
    """A table of three that a bot with a token has opened."""
    wanted: dict[str, object] = {
        "rules": rules_pb2.RulesSpec(preset="pagat_standard"),
        "players": 3,
        "spectators": spectators,
    }
    request = tables_pb2.CreateTableRequest(**(wanted | fields))  # type: ignore[arg-type]  # fields as given
    return await tables.CreateTable(request, metadata=owner)


def raw_method(
    channel: grpc.aio.Channel, method: str
) -> grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]:
    """A unary method that is sent bytes as they are."""
    return channel.unary_unary(method)


def access_file(folder: Path) -> Path:
    return folder / "ohhell.db.admin"


@asynccontextmanager
async def operator_of(service: Serving, folder: Path) -> AsyncIterator[Operator]:
    access = Access.read(access_file(folder))
    assert access.address == service.listens["admin"]
    async with operator_at(access) as operator:
        yield operator


@asynccontextmanager
async def operator_at(access: Access) -> AsyncIterator[Operator]:
    """A connection of its own."""
    async with grpc.aio.insecure_channel(access.address) as channel:
        yield Operator(admin_pb2_grpc.AdminServiceStub(channel), bearer(access.token))
