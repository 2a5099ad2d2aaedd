"""A refusal as its caller sees it: status, code and words."""

from __future__ import annotations

from typing import NamedTuple

from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from server.rpc.untyped import Untyped


class Refusal(NamedTuple):
    """`reason` is empty where the refusal is not one of ours."""

    code: StatusCode
    reason: str
    message: str


def refusal_in(error: Untyped) -> Refusal:
    """What an error of a call says."""
    status = status_pb2.Status()
    info = error_details_pb2.ErrorInfo()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status.ParseFromString(value)
    for detail in status.details:
        detail.Unpack(info)
    return Refusal(error.code(), info.reason, error.details() or "")
