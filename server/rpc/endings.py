"""How streams end that the service closes: with which status, and in which words."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from server.limits import Quota
from server.notice import DRAINING
from server.rpc.conduct import MAX_VIOLATIONS
from server.rpc.status import Problem, come_back_ms

_ENDS: Final = {
    "SUPERSEDED": (
        StatusCode.ABORTED,
        "SESSION_SUPERSEDED",
        "a newer stream took over",
    ),
    "HANG": (StatusCode.ABORTED, "HANG", "a question stayed without any answer"),
    "SILENT": (StatusCode.UNAVAILABLE, "SILENT", "no sign of life came"),
    "PROTOCOL": (
        StatusCode.INVALID_ARGUMENT,
        "PROTOCOL",
        f"{MAX_VIOLATIONS} frames were no good",
    ),
    "FLOOD": (
        StatusCode.RESOURCE_EXHAUSTED,
        "FLOOD",
        "too many frames that answer nothing",
    ),
    "SLOW_CONSUMER": (
        StatusCode.RESOURCE_EXHAUSTED,
        "SLOW_CONSUMER",
        "what was sent was not read; seats are kept for the next stream",
    ),
    DRAINING: (StatusCode.UNAVAILABLE, DRAINING, "the service is going down"),
    "REVOKED": (StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", "the token was revoked"),
    "STORE": (
        StatusCode.UNAVAILABLE,
        "STORE_UNAVAILABLE",
        "nothing could be stored",
    ),
    "DISABLED": (
        StatusCode.PERMISSION_DENIED,
        "BOT_DISABLED",
        "an operator keeps the bot out",
    ),
    "FAILED": (StatusCode.UNAVAILABLE, "STREAM_FAILED", "a mistake of the server"),
    "KICKED": (StatusCode.UNAVAILABLE, "KICKED", "an operator ended the stream"),
}
"""By what the service says to itself."""
HELD: Final = frozenset({"PROTOCOL", "FLOOD"})
"""Ends that the client has brought about, and could do so again at once."""
_COME_BACK: Final = frozenset({StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED})
"""Statuses after which a client may try again."""


def problem_of_end(end: str) -> Problem | None:
    """None where it was the client who ended the stream."""
    if end not in _ENDS:
        return None
    status, reason, message = _ENDS[end]
    retry_ms = None
    if status in _COME_BACK:
        retry_ms = come_back_ms()
    quota = Quota("stream", "idle_frames_in_2_s") if end == "FLOOD" else None
    return Problem(status, reason, message, retry_ms=retry_ms, quota=quota)
