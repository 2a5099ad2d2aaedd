"""What a caller is told when something is refused: one status, with one ErrorInfo."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache

from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from engine.errors import IllegalRules, Refusal
from server.arena import BotDeclines, BotNotReady
from server.limits import Quota
from server.lobby import LobbyRefused
from server.rpc.reasons import REASONS
from server.rpc.untyped import Untyped
from server.store import StoreError

DOMAIN = "ohhell"
MAX_MESSAGE = 512
"""Bytes of a status message. Much more of anything that is told in trailers, 4 KiB in
all, would replace the status by another.
"""
MAX_METADATA = 1_024
MAX_FIELDS = 1_792
"""Bytes of names and values together."""
LONGEST_NAME = 128
_PAIR = 8
"""Bytes that a pair takes beside its texts."""
COME_BACK_WITHIN_MS = 5_000


class Problem(Exception):
    """A refusal on its way to the caller."""

    def __init__(
        self,
        status: StatusCode,
        reason: str,
        message: str,
        *,
        metadata: Mapping[str, object] | None = None,
        fields: Mapping[str, str] | None = None,
        retry_ms: int | None = None,
        quota: Quota | None = None,
    ) -> None:
        """What is refused for a limit names it as GetServerInfo does."""
        super().__init__(reason, message)
        self.status = status
        self.reason = reason
        self.message = _cut(message, MAX_MESSAGE)
        named = {"limit": quota.limit} if quota is not None else {}
        self.metadata = _within(MAX_METADATA, {**named, **(metadata or {})}, each=512)
        self.fields = _within(MAX_FIELDS, fields or {}, each=160)
        self.retry_ms = retry_ms
        self.quota = quota

    def details(self) -> bytes:
        """The packed google.rpc.Status."""
        code = self.status.value[0]
        if not self.metadata and not self.fields and self.retry_ms is None:
            return _plain(code, self.reason, self.message)
        status = _status(code, self.reason, self.message, self.metadata)
        if self.fields:
            bad = error_details_pb2.BadRequest()
            for field, description in self.fields.items():
                bad.field_violations.add(field=field, description=description)
            _pack(status.details, bad)
        if self.quota is not None:
            used_up = error_details_pb2.QuotaFailure()
            used_up.violations.add(
                subject=_cut(self.quota.subject, LONGEST_NAME),
                description=self.message,
            )
            _pack(status.details, used_up)
        if self.retry_ms is not None:
            delay = duration_pb2.Duration()
            delay.FromMilliseconds(self.retry_ms)
            _pack(status.details, error_details_pb2.RetryInfo(retry_delay=delay))
        return status.SerializeToString()


class Malformed(Problem):
    """Bytes that are no message; a stream goes on after them."""

    def __init__(self) -> None:
        super().__init__(
            StatusCode.INVALID_ARGUMENT,
            "MALFORMED_MESSAGE",
            "the message cannot be decoded",
        )


def problem_of_reason(
    reason: str, message: str, metadata: Mapping[str, object] | None = None
) -> Problem:
    """A refusal with a reason that calls may end for."""
    status = REASONS[reason].status
    if status is None:
        raise ValueError(f"{reason} is only told in frames")
    return Problem(status, reason, message, metadata=metadata)


def too_many(
    message: str, reason: str, quota: Quota, *, wait_s: float = 1.0
) -> Problem:
    """A refusal for a limit."""
    return Problem(
        StatusCode.RESOURCE_EXHAUSTED,
        reason,
        message,
        retry_ms=max(1, int(wait_s * 1000)),
        quota=quota,
    )


def come_back_ms() -> int:
    """When to try again; callers that are sent away together come back one by one."""
    # Not a secret and not part of any game.
    return random.randrange(COME_BACK_WITHIN_MS)  # noqa: S311


def going_down() -> Problem:
    """The service takes nothing new."""
    return Problem(
        StatusCode.UNAVAILABLE,
        "DRAINING",
        "the service is going down",
        retry_ms=come_back_ms(),
    )


def unimplemented(what: str) -> Problem:
    return Problem(
        StatusCode.UNIMPLEMENTED, "NOT_BUILT", f"{what} is not built in this version"
    )


def not_built(what: str) -> Untyped:
    """A method that only refuses, for a servicer's class body."""

    async def refuse(_self: object, _request: Untyped, _context: Untyped) -> Untyped:
        raise unimplemented(what)

    return refuse


def problem_of(error: Exception) -> Problem | None:
    """The refusal that an exception stands for; None for a mistake of ours."""
    match error:
        case Problem():
            return error
        case Refusal():
            return problem_of_reason(str(error.code), error.message, error.details)
        case IllegalRules():
            return Problem(
                StatusCode.INVALID_ARGUMENT,
                str(error.code),
                str(error),
                fields={
                    f"rules.{violation.parameter}": violation.message
                    for violation in error.violations
                },
            )
        case LobbyRefused(quota=Quota() as quota):
            return too_many(error.message, error.reason, quota, wait_s=10.0)
        case LobbyRefused():
            return problem_of_reason(error.reason, error.message)
        case BotNotReady():
            return problem_of_reason("BOT_NOT_CONNECTED", str(error))
        case BotDeclines():
            return problem_of_reason("RULES_DECLINED", str(error))
        case StoreError():
            return Problem(
                StatusCode.UNAVAILABLE,
                "STORE_UNAVAILABLE",
                f"nothing is accepted, because {error.public}",
                retry_ms=1000,
            )
        case _:
            return None


def _status(
    code: int, reason: str, message: str, metadata: Mapping[str, str]
) -> status_pb2.Status:
    status = status_pb2.Status(code=code, message=message)
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    _pack(status.details, info)
    return status


@lru_cache(maxsize=256)
def _plain(code: int, reason: str, message: str) -> bytes:
    """Most refusals say nothing else, and so the same again and again."""
    return _status(code, reason, message, {}).SerializeToString()


def _within(most: int, pairs: Mapping[str, object], *, each: int) -> dict[str, str]:
    """The first pairs, of `each` bytes at most, that have so many together."""
    kept: dict[str, str] = {}
    for name, value in pairs.items():
        short, text = _cut(name, LONGEST_NAME), _cut(_text(value), each)
        most -= len(short.encode()) + len(text.encode()) + _PAIR
        if most < 0:
            break
        kept[short] = text
    return kept


def _cut(text: str, most: int) -> str:
    """The beginning of a text, so many bytes of it."""
    return text.encode(errors="replace")[:most].decode(errors="ignore")


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return str(value)


def _pack(details: Untyped, message: Untyped) -> None:
    packed = any_pb2.Any()
    packed.Pack(message)
    details.append(packed)
