"""Methods by path that are treated otherwise than the rest, and why."""

from __future__ import annotations

from typing import Final

from grpc_health.v1 import health_pb2

from ohhell.v1 import admin_pb2, arena_pb2, info_pb2, tables_pb2
from server.rpc.validate import MAX_WAIT_MS

ARENA: Final = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
TABLES: Final = tables_pb2.DESCRIPTOR.services_by_name["TableService"].full_name
INFO: Final = info_pb2.DESCRIPTOR.services_by_name["ServerInfoService"].full_name
ADMIN: Final = admin_pb2.DESCRIPTOR.services_by_name["AdminService"].full_name
HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name

_VIEW = f"/{TABLES}/GetView"
_PROBES = frozenset(f"/{HEALTH}/{method}" for method in ("Check", "Watch"))
_MOVES = frozenset(
    f"/{TABLES}/{method}"
    for method in ("PlaceBid", "AmendBid", "PlayCard", "ChooseTrump", "LayBidCards")
)
_OPERATORS = frozenset(
    f"/{ADMIN}/{method.name}"
    for method in admin_pb2.DESCRIPTOR.services_by_name["AdminService"].methods
)

WAITS_S: Final = {_VIEW: MAX_WAIT_MS / 1000}
"""What they may wait for when they are asked to."""
QUIET: Final = _MOVES | _PROBES | {_VIEW}
"""Called all the time: the log would be theirs."""
ALWAYS: Final = _MOVES | _PROBES | _OPERATORS
"""Served however much else is being served: a refused move would cost its seat time,
a refused probe the whole service, and somebody has to look after it.
"""
