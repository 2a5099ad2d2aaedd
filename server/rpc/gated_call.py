"""One call behind the gate, from its beginning to its one end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import grpc
from google.protobuf.message import DecodeError
from grpc import StatusCode

from server.clock import monotonic
from server.rpc.messages import Messages, known
from server.rpc.status import Malformed, Problem, problem_of, problem_of_reason
from server.rpc.untyped import Untyped
from server.rpc_counts import RpcCounts

if TYPE_CHECKING:
    from server.rpc.gate import Gate

GONE_S: Final = 0.02
"""Where a caller hangs up, gRPC tells first that nothing more will come, and up to this
much later that the call is over, which ends its handler. What would be answered between
the two stays in gRPC's memory for good.
"""


class _Context(Protocol):
    """What is used of grpc.aio.ServicerContext."""

    def peer(self) -> str: ...
    def time_remaining(self) -> float | None: ...
    async def read(self) -> Untyped: ...

    async def abort(
        self, code: StatusCode, details: str, trailing_metadata: Untyped
    ) -> None: ...


class Method:
    """What is the same for all calls of a method."""

    __slots__ = ("counts", "decode", "is_bounded", "path", "tells_success", "waits_s")

    def __init__(
        self,
        path: str,
        counts: RpcCounts,
        decode: Callable[[bytes], Untyped],
        *,
        waits_s: float,
        is_bounded: bool,
        tells_success: bool,
    ) -> None:
        self.path = path
        self.counts = counts
        self.decode = decode
        self.waits_s = waits_s
        self.is_bounded = is_bounded
        self.tells_success = tells_success


class _Call:
    """One call from its beginning to its one end."""

    __slots__ = ("_about", "_context", "_gate", "_request", "peer", "started")

    def __init__(self, gate: Gate, about: Method, context: _Context) -> None:
        self._gate = gate
        self._about = about
        self._context = context
        self._request: Untyped = None
        self.peer = context.peer()
        """The other end of its connection. Neither metrics, which are read in another
        thread, nor the end of a call may ask the context: once a call is over, or its
        generator was left behind, that crashes the process.
        """
        self.started = monotonic()
        about.counts.started += 1
        about.counts.active += 1

    def _caller(self) -> str:
        """Who calls."""
        # The call is being handled as long as this is asked for.
        return self._gate.name_of(self._context)

    def decoded(self, raw: Untyped) -> Untyped:
        """The request, or those of a stream."""
        about = self._about
        if not isinstance(raw, bytes):
            return Messages(
                # gRPC's own iterator costs two generators more.
                self._context.read,
                about.decode,
                about.counts,
                # Whoever has only ended its own side is still there afterwards.
                lingers_s=GONE_S,
            )
        about.counts.received += 1
        try:
            request = self._request = known(raw, about.decode, about.counts)
        except (DecodeError, UnicodeDecodeError):
            raise Malformed from None
        return request

    def ended(self, code: str, reason: str = "") -> None:
        about, counts = self._about, self._about.counts
        seconds = monotonic() - self.started
        counts.active -= 1
        counts.codes[code] += 1
        if counts.kind == "unary":
            counts.seconds.observe(seconds)
        if about.tells_success or code != "OK":
            self._gate.log.ended(
                about.path,
                code,
                peer=self.peer,
                request=self._request,
                seconds=seconds,
                caller=self._caller,
                reason=reason,
            )

    async def failed(self, error: BaseException) -> None:
        """Aborts the call; returns only where gRPC ends it by itself."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self.ended("CANCELLED")
            return
        if isinstance(error, grpc.aio.AbortError) or not isinstance(error, Exception):
            self.ended("UNKNOWN")
            return
        counts = self._about.counts
        problem = problem_of(error)
        if isinstance(problem, Malformed):
            # Handlers ask who calls before they look at a request. There is none.
            try:
                problem = await self._gate.answer_to_garbage(
                    problem, counts.service, self._context
                )
            except asyncio.CancelledError:
                self.ended("CANCELLED")
                raise
        if problem is None:
            error_id = self._gate.log.unexpected(error, counts.method)
            problem = Problem(
                StatusCode.INTERNAL,
                "INTERNAL_ERROR",
                f"a mistake of the server, error id {error_id}",
                metadata={"error_id": error_id},
            )
        pace = self._gate.pace
        problem, wait_s = pace.judged(problem, self.peer)
        self._gate.count_refusal(problem)
        self.ended(problem.status.name, problem.reason)
        _forget_frames(error)
        if wait_s:
            await pace.hold(wait_s)
        try:
            await self._context.abort(
                problem.status,
                problem.message,
                (("grpc-status-details-bin", problem.details()),),
            )
        except grpc.aio.AbortError as aborted:
            # Once it has come through all of them.
            asyncio.get_running_loop().call_soon(_forget_frames, aborted)
            raise


class StreamedCall(_Call):
    """One with a stream of answers: at its end nobody may know its token any more."""

    __slots__ = ("_called",)

    def __init__(self, gate: Gate, about: Method, context: _Context) -> None:
        super().__init__(gate, about, context)
        self._called = gate.name_of(context)
        gate.calls.streams[self] = None

    def _caller(self) -> str:
        return self._called

    def ended(self, code: str, reason: str = "") -> None:
        del self._gate.calls.streams[self]
        super().ended(code, reason)

    async def failed(self, error: BaseException) -> None:
        if isinstance(error, grpc.aio.InternalError):
            # Where a caller hangs up, what is being written to it may fail before gRPC
            # says that the call is over.
            error = asyncio.CancelledError()
            await super().failed(error)
            raise error from None
        await super().failed(error)


class SingleCall(_Call):
    """One with one answer, which its caller does not wait for for ever."""

    __slots__ = ("_is_late", "_task")

    def __init__(self, gate: Gate, about: Method, context: _Context) -> None:
        super().__init__(gate, about, context)
        self._task = asyncio.current_task()
        self._is_late = False
        gate.calls.begin(self)

    def end_late(self, now: float) -> None:
        if self._task is None or self._is_late:
            return
        took_s = now - self.started
        may_take_s = self._gate.calls.longest_s + self._about.waits_s
        # Its own deadline gRPC sees to.
        if took_s >= may_take_s and self._context.time_remaining() is None:
            self._is_late = True
            self._task.cancel()

    def ended(self, code: str, reason: str = "") -> None:
        self._gate.calls.end(self)
        super().ended(code, reason)

    async def failed(self, error: BaseException) -> None:
        if self._is_late and isinstance(error, asyncio.CancelledError):
            if self._task is not None:
                self._task.uncancel()
            error = problem_of_reason(
                "TOOK_TOO_LONG",
                "it took too long: what it was to do may have been done, or not",
            ).with_traceback(error.__traceback__)
        await super().failed(error)


def _forget_frames(error: BaseException) -> None:
    """What gRPC aborts with is kept by its call, and what we refuse for hangs on it.
    Their frames know the call: they would be a cycle, and with it a whole table would
    stay in memory until the collector comes by. In a storm of refusals that would come
    again and again, for 20 ms at a time.
    """
    at: BaseException | None = error
    while at is not None:
        at.__traceback__ = None
        at = at.__context__
