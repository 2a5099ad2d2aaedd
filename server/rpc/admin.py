"""AdminService: for operators, on a listener of its own, always with a token."""

from __future__ import annotations

from ohhell.v1 import admin_pb2_grpc
from server.rpc.status import unimplemented
from server.rpc.untyped import Untyped


def _not_built(name: str) -> Untyped:
    async def refuse(_self: object, _request: Untyped, _context: Untyped) -> Untyped:
        raise unimplemented(f"AdminService.{name}")

    return refuse


class AdminService(admin_pb2_grpc.AdminServiceServicer):
    """Every method answers that it is not built, in a form that a client can read."""

    RegisterBot = _not_built("RegisterBot")
    ListBots = _not_built("ListBots")
    SetBotEnabled = _not_built("SetBotEnabled")
    IssueToken = _not_built("IssueToken")
    RevokeToken = _not_built("RevokeToken")
    KickBot = _not_built("KickBot")
    Drain = _not_built("Drain")
    SetLimits = _not_built("SetLimits")
