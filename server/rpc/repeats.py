"""Calls that may be repeated: the same request id gets the first answer again.

This process remembers whole answers. From an earlier one there are receipts in the
store, with which the method makes the answer once more.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from google.protobuf.message import Message
from grpc import StatusCode

from server.clock import wall
from server.host import Host
from server.receipt import KEPT_FOR_S, Receipt, minting
from server.rpc.status import Problem
from server.tokens import Mint, new_secret

MOST_KEPT = 10_000
"""Answers of one method in memory; what the store has is kept for its time."""


class Request(Protocol):
    """A message with an id of its sender's choosing."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool) -> bytes: ...


R = TypeVar("R", bound=Message)


class _Kept(NamedTuple, Generic[R]):
    at: float
    request: bytes
    answer: R


class Call(Generic[R]):
    """One call, while no other with its id is at work."""

    def __init__(self, *, mint: Mint = new_secret) -> None:
        self.answer: R | None = None
        """What it was answered; None: that is still to be said."""
        self.before: Receipt | None = None
        """Of the same call to an earlier process, which had its effect then."""
        self.receipt: Receipt | None = None
        """To be stored with the effect, where there is an id."""
        self.mint = mint
        """Makes the secrets of the answer, in the same order every time."""


class Repeats(Generic[R]):
    """The calls of one method, by caller and request id."""

    def __init__(self, method: str, host: Host) -> None:
        self._method = method
        self._host = host
        self._clock = host.alarms.clock
        self._kept: OrderedDict[bytes, _Kept[R]] = OrderedDict()
        self._turns: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, caller: str, request: Request) -> AsyncIterator[Call[R]]:
        """One call with this id after the other; its answer, once given, is kept.

        INVALID_ARGUMENT where the id stood for another request, StoreError.
        """
        if not request.request_id:
            yield Call()
            return
        named = f"{self._method}\0{caller}\0{request.request_id}"
        key = hashlib.sha256(named.encode()).digest()
        # Whoever waits holds the lock, so that it stays as long as it is needed.
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:
            call = await self._found(key, request)
            is_new = call.answer is None
            try:
                yield call
            finally:
                # Also where nobody waits for it any more.
                if is_new and call.answer is not None:
                    self._keep(key, request, call.answer)

    async def _found(self, key: bytes, request: Request) -> Call[R]:
        digest = _digest(request)
        kept = self._kept.get(key)
        if kept is not None and kept.at >= self._clock() - KEPT_FOR_S:
            _refuse_another(kept.request, digest)
            call: Call[R] = Call()
            call.answer = kept.answer
            return call
        receipt = await self._host.keeper.receipt(key, now=int(wall()))
        if receipt is not None:
            _refuse_another(receipt.request, digest)
            call = Call(mint=minting(receipt.salt, request.request_id))
            call.before = receipt
            return call
        salt = secrets.token_bytes(32)
        call = Call(mint=minting(salt, request.request_id))
        call.receipt = Receipt(key, digest, salt)
        return call

    def _keep(self, key: bytes, request: Request, answer: R) -> None:
        self._kept[key] = _Kept(self._clock(), _digest(request), answer)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def _refuse_another(before: bytes, now: bytes) -> None:
    if before != now:
        raise Problem(
            StatusCode.INVALID_ARGUMENT,
            "REQUEST_ID_REUSED",
            "the request id stood for another request before",
        )


def _digest(request: Request) -> bytes:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
