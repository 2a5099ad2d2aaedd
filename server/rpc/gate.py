"""The gate around every method.

It decodes requests, so that garbage is the caller's fault and is called that, unless
the caller may not call at all; turns every refusal into a status; lets no text of an
unexpected exception out, because it may name cards; ends what takes too long; counts
every call and logs one line for it.
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc import StatusCode

from server.calls import Calls
from server.clock import monotonic
from server.logs import place
from server.metrics import Metrics, RpcCounts
from server.rpc.status import Malformed, Problem, problem_of, problem_of_reason
from server.rpc.untyped import Untyped

GONE_S: Final = 0.02
"""Where a caller hangs up, gRPC tells first that nothing more will come, and up to this
much later that the call is over, which ends its handler. What would be answered between
the two stays in gRPC's memory for good.
"""
# Refusals that are about who calls, and not about what is asked.
_WHO = (StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED)
# By whether requests, and responses, are streamed.
_KINDS = {
    (False, False): "unary",
    (True, False): "client_stream",
    (False, True): "server_stream",
    (True, True): "bidi_stream",
}


class _Context(Protocol):
    """What is used of grpc.aio.ServicerContext."""

    def time_remaining(self) -> float | None: ...

    async def abort(
        self, code: StatusCode, details: str, trailing_metadata: Untyped
    ) -> None: ...


class Requests:
    """Decoded messages of a stream; goes on after `Malformed`.

    They are read from the context: gRPC's own iterator costs two generators more.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Untyped]],
        decode: Callable[[bytes], Untyped],
        counts: RpcCounts,
    ) -> None:
        self._read = read
        self._decode = decode
        self._counts = counts

    def __aiter__(self) -> Requests:
        return self

    async def __anext__(self) -> Untyped:
        data = await self._read()
        if data is grpc.aio.EOF:
            # Whoever has only ended its own side is still there afterwards.
            await asyncio.sleep(GONE_S)
            raise StopAsyncIteration
        self._counts.received += 1
        try:
            return self._decode(data)
        except (DecodeError, UnicodeDecodeError):
            raise Malformed from None


class Gate(grpc.GenericRpcHandler):
    """Finds a call's method among those that were added, with itself around it.

    An interceptor would do the same, for two coroutines more in every call.
    """

    def __init__(
        self,
        metrics: Metrics,
        knows: Mapping[str, Callable[[Untyped], Awaitable[None]]],
        calls: Calls,
        waits: Mapping[str, float],
    ) -> None:
        """`knows` raises the Problem of a caller that a service does not let in.

        `waits` are seconds by path, for methods that wait for something when asked to.
        """
        self.calls = calls
        self._metrics = metrics
        self._knows = knows
        self._waits = waits
        self._added: list[grpc.GenericRpcHandler] = []
        self._handlers: dict[str, grpc.RpcMethodHandler[Untyped, Untyped]] = {}
        # Bound at once: an unbound one would be bound anew in every call.
        self._log = structlog.get_logger("rpc").bind()

    def add(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """More methods."""
        self._added.extend(handlers)

    def service(self, handler_call_details: Untyped) -> Untyped:
        name = handler_call_details.method
        known = self._handlers.get(name)
        if known is not None:
            return known
        for handlers in self._added:
            handler = handlers.service(handler_call_details)
            if handler is not None:
                wrapped = self._handlers[name] = self._wrap(name, handler)
                return wrapped
        counts = self._metrics.rpc("unknown", "unknown", "unknown")
        counts.started += 1
        counts.codes["UNIMPLEMENTED"] += 1
        return None

    def _wrap(self, name: str, handler: Untyped) -> Untyped:
        service, _, method = name.strip("/").rpartition("/")
        kind = _KINDS[bool(handler.request_streaming), bool(handler.response_streaming)]
        counts = self._metrics.rpc(kind, service, method)
        decode = handler.request_deserializer or bytes
        if not handler.response_streaming:
            inner = (
                handler.stream_unary
                if handler.request_streaming
                else handler.unary_unary
            )
            make = (
                grpc.stream_unary_rpc_method_handler
                if handler.request_streaming
                else grpc.unary_unary_rpc_method_handler
            )
            waits_s = self._waits.get(name, 0.0)
            return make(
                self._unary(inner, decode, counts, waits_s),
                response_serializer=_encoder(counts),
            )
        inner = (
            handler.stream_stream if handler.request_streaming else handler.unary_stream
        )
        make_stream = (
            grpc.stream_stream_rpc_method_handler
            if handler.request_streaming
            else grpc.unary_stream_rpc_method_handler
        )
        serve = self._generator if inspect.isasyncgenfunction(inner) else self._writer
        return make_stream(
            serve(inner, decode, counts),
            response_serializer=_encoder(counts),
        )

    def _unary(
        self, inner: Untyped, decode: Untyped, counts: RpcCounts, waits_s: float
    ) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> Untyped:
            with_counts = _SingleCall(self, counts, context, waits_s)
            try:
                request = _decoded(raw, context, decode=decode, counts=counts)
                response = await inner(request, context)
            except BaseException as error:
                await with_counts.failed(error)
                raise
            with_counts.ended("OK")
            return response

        return call

    def _generator(self, inner: Untyped, decode: Untyped, counts: RpcCounts) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> AsyncIterator[Untyped]:
            with_counts = _Call(self, counts, context)
            try:
                request = _decoded(raw, context, decode=decode, counts=counts)
                async for response in inner(request, context):
                    yield response
            except BaseException as error:
                await with_counts.failed(error)
                raise
            with_counts.ended("OK")

        return call

    def _writer(self, inner: Untyped, decode: Untyped, counts: RpcCounts) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> None:
            with_counts = _Call(self, counts, context)
            try:
                request = _decoded(raw, context, decode=decode, counts=counts)
                await inner(request, context)
            except BaseException as error:
                await with_counts.failed(error)
                raise
            with_counts.ended("OK")

        return call

    async def answer_to_garbage(
        self, garbage: Malformed, service: str, context: Untyped
    ) -> Problem | None:
        """What its sender is told first; None after a mistake of ours."""
        knows = self._knows.get(service)
        if knows is not None:
            try:
                await knows(context)
            except Exception as error:  # noqa: BLE001 - of which no text goes out
                return problem_of(error)
        return garbage

    def log_unexpected(self, error: BaseException, method: str) -> str:
        """Logs where our mistake happened; returns the id that the caller is told."""
        error_id = secrets.token_hex(6)
        self._log.error("unexpected", error_id=error_id, method=method, **place(error))
        return error_id

    def count_refusal(self, problem: Problem) -> None:
        self._metrics.rejected(problem.reason)
        if problem.status in _WHO:
            self._metrics.auth_failed(problem.reason)

    def log_end(self, counts: RpcCounts, code: str, seconds: float) -> None:
        self._log.debug(
            "rpc",
            service=counts.service,
            method=counts.method,
            code=code,
            ms=round(seconds * 1000, 3),
        )


class _Call:
    """One call from its beginning to its one end."""

    __slots__ = ("_context", "_counts", "_gate", "started")

    def __init__(self, gate: Gate, counts: RpcCounts, context: _Context) -> None:
        self._gate = gate
        self._counts = counts
        self._context = context
        self.started = monotonic()
        counts.started += 1
        counts.active += 1

    def ended(self, code: str) -> None:
        counts = self._counts
        seconds = monotonic() - self.started
        counts.active -= 1
        counts.codes[code] += 1
        if counts.kind == "unary":
            counts.seconds.observe(seconds)
        self._gate.log_end(counts, code, seconds)

    async def failed(self, error: BaseException) -> None:
        """Aborts the call; returns only where gRPC ends it by itself."""
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self.ended("CANCELLED")
            return
        if isinstance(error, grpc.aio.AbortError) or not isinstance(error, Exception):
            self.ended("UNKNOWN")
            return
        problem = problem_of(error)
        if isinstance(problem, Malformed):
            # Handlers ask who calls before they look at a request. There is none.
            problem = await self._gate.answer_to_garbage(
                problem, self._counts.service, self._context
            )
        if problem is None:
            error_id = self._gate.log_unexpected(error, self._counts.method)
            problem = Problem(
                StatusCode.INTERNAL,
                "INTERNAL_ERROR",
                f"a mistake of the server, error id {error_id}",
                metadata={"error_id": error_id},
            )
        self._gate.count_refusal(problem)
        self.ended(problem.status.name)
        _forget_frames(error)
        await self._context.abort(
            problem.status,
            problem.message,
            (("grpc-status-details-bin", problem.details()),),
        )


class _SingleCall(_Call):
    """One with one answer, which its caller does not wait for for ever."""

    __slots__ = ("_is_late", "_task", "_waits_s")

    def __init__(
        self, gate: Gate, counts: RpcCounts, context: _Context, waits_s: float
    ) -> None:
        super().__init__(gate, counts, context)
        self._task = asyncio.current_task()
        self._waits_s = waits_s
        self._is_late = False
        gate.calls.begin(self)

    def end_late(self, now: float) -> None:
        if self._task is None or self._is_late:
            return
        took_s = now - self.started
        may_take_s = self._gate.calls.longest_s + self._waits_s
        # Its own deadline gRPC sees to.
        if took_s >= may_take_s and self._context.time_remaining() is None:
            self._is_late = True
            self._task.cancel()

    def ended(self, code: str) -> None:
        self._gate.calls.end(self)
        super().ended(code)

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
    """What gRPC aborts with is part of a cycle of its own, and this hangs on it: with
    its frames a whole table would stay in memory until the collector comes by.
    """
    at: BaseException | None = error
    while at is not None:
        at.__traceback__ = None
        at = at.__context__


def _encoder(counts: RpcCounts) -> Callable[[Untyped], bytes]:
    """Every message passes it once, however its method sends it."""

    def encoded(message: Untyped) -> bytes:
        counts.sent += 1
        # Hot messages come as bytes already.
        return message if type(message) is bytes else bytes(message.SerializeToString())

    return encoded


def _decoded(
    raw: Untyped,
    context: Untyped,
    *,
    decode: Callable[[bytes], Untyped],
    counts: RpcCounts,
) -> Untyped:
    if not isinstance(raw, bytes):
        return Requests(context.read, decode, counts)
    counts.received += 1
    try:
        return decode(raw)
    except (DecodeError, UnicodeDecodeError):
        raise Malformed from None
