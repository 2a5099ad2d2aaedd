"""Calls that may be repeated: the same request id gets the first answer again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Generic, TypeVar

from google.protobuf.message import Message
from grpc import StatusCode

from server.clock import Clock
from server.rpc.status import Problem

KEPT_FOR = 86_400.0
MOST_KEPT = 10_000

R = TypeVar("R", bound=Message)


class Repeats(Generic[R]):
    """The answers of one method, by caller and request id."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str], tuple[float, bytes, R]] = OrderedDict()

    def find(self, caller: str, request_id: str, request: Message) -> R | None:
        """The first answer; INVALID_ARGUMENT where the id stood for another request."""
        kept = self._kept.get((caller, request_id)) if request_id else None
        if kept is None or kept[0] < self._clock() - KEPT_FOR:
            return None
        if kept[1] != _digest(request):
            raise Problem(
                StatusCode.INVALID_ARGUMENT,
                "REQUEST_ID_REUSED",
                f"request id {request_id!r} stood for another request before",
            )
        return kept[2]

    def keep(self, caller: str, request_id: str, request: Message, answer: R) -> None:
        if request_id:
            self._kept[caller, request_id] = (self._clock(), _digest(request), answer)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _digest(request: Message) -> bytes:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
