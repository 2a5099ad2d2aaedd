"""AdminService: for operators, on a listener of its own, always with a token."""

from __future__ import annotations

from ohhell.v1 import admin_pb2_grpc
from server.rpc.status import not_built


class AdminService(admin_pb2_grpc.AdminServiceServicer):
    """Every method answers that it is not built, in a form that a client can read."""

    RegisterBot = not_built("AdminService.RegisterBot")
    ListBots = not_built("AdminService.ListBots")
    SetBotEnabled = not_built("AdminService.SetBotEnabled")
    IssueToken = not_built("AdminService.IssueToken")
    RevokeToken = not_built("AdminService.RevokeToken")
    KickBot = not_built("AdminService.KickBot")
    Drain = not_built("AdminService.Drain")
    SetLimits = not_built("AdminService.SetLimits")
