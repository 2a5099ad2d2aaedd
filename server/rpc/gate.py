"""The gate around every method.

It decodes requests, so that garbage is the caller's fault and is called that, unless
the caller may not call at all; turns every refusal into a status; lets no text of an
unexpected exception out, because it may name cards; ends what takes too long; counts
every call and logs one line for it.
"""

from __future__ import annotations

import inspect
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
)
from typing import NamedTuple

import grpc
from grpc import StatusCode

from server.calls import Calls
from server.limits import Quota
from server.metrics import Metrics
from server.rpc.call_log import CallLog
from server.rpc.gated_call import Method, SingleCall, StreamedCall
from server.rpc.messages import encoder
from server.rpc.pace import Pace
from server.rpc.status import (
    Malformed,
    Problem,
    problem_of,
    problem_of_reason,
    too_many,
)
from server.rpc.untyped import Untyped

# Refusals that are about who calls, and not about what is asked.
_WHO = (StatusCode.UNAUTHENTICATED, StatusCode.PERMISSION_DENIED)
# By whether requests, and responses, are streamed.
_KINDS = {
    (False, False): "unary",
    (True, False): "client_stream",
    (False, True): "server_stream",
    (True, True): "bidi_stream",
}


class Callers(NamedTuple):
    """Who calls, as a listener finds it out from the context of a call."""

    knows: Mapping[str, Callable[[Untyped], Awaitable[None]]]
    """By service: raises the Problem of a caller that it does not let in."""
    name_of: Callable[[Untyped], str]
    """For people, whatever becomes of the call."""


class Gate(grpc.GenericRpcHandler):
    """Finds a call's method among those that were added, with itself around it.

    An interceptor would do the same, for two coroutines more in every call.
    """

    def __init__(
        self,
        metrics: Metrics,
        callers: Callers,
        calls: Calls,
        *,
        waits: Mapping[str, float],
        always: Collection[str],
        log: CallLog,
        pace: Pace,
    ) -> None:
        """`waits` are seconds by path, for methods that wait when asked to; `always`
        are paths that are served however many calls are.
        """
        self.calls = calls
        self.log = log
        self.name_of = callers.name_of
        self.pace = pace
        self._metrics = metrics
        self._knows = callers.knows
        self._waits = waits
        self._always = always
        self._added: list[grpc.GenericRpcHandler] = []
        self._handlers: dict[str, grpc.RpcMethodHandler[Untyped, Untyped]] = {}
        self._unknown = self._made_up()

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
        return self._unknown

    def _made_up(self) -> Untyped:
        """What all methods are that do not exist: anybody may name more of them.

        Requests of any kind come to it, and none is read.
        """
        counts = self._metrics.rpc("unknown", "unknown", "unknown")
        about = Method(
            "unknown",
            counts,
            bytes,
            waits_s=0.0,
            is_bounded=False,
            tells_success=False,
        )

        async def refuse(_requests: Untyped, _context: Untyped) -> None:
            raise problem_of_reason("UNKNOWN_METHOD", "there is no such method here")

        return grpc.stream_stream_rpc_method_handler(self._writer(refuse, about))

    def _wrap(self, name: str, handler: Untyped) -> Untyped:
        service, _, method = name.strip("/").rpartition("/")
        kind = _KINDS[bool(handler.request_streaming), bool(handler.response_streaming)]
        about = Method(
            name,
            self._metrics.rpc(kind, service, method),
            handler.request_deserializer or bytes,
            waits_s=self._waits.get(name, 0.0),
            is_bounded=name not in self._always,
            tells_success=self.log.tells_success(name),
        )
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
            return make(
                self._unary(inner, about),
                response_serializer=encoder(about.counts),
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
            serve(inner, about),
            response_serializer=encoder(about.counts),
        )

    def _unary(self, inner: Untyped, about: Method) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> Untyped:
            this = SingleCall(self, about, context)
            try:
                if about.is_bounded:
                    self._refuse_too_many()
                response = await inner(this.decoded(raw), context)
            except BaseException as error:
                await this.failed(error)
                raise
            this.ended("OK")
            return response

        return call

    def _generator(self, inner: Untyped, about: Method) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> AsyncIterator[Untyped]:
            this = StreamedCall(self, about, context)
            try:
                async for response in inner(this.decoded(raw), context):
                    yield response
            except BaseException as error:
                await this.failed(error)
                raise
            this.ended("OK")

        return call

    def _writer(self, inner: Untyped, about: Method) -> Untyped:
        async def call(raw: Untyped, context: Untyped) -> None:
            this = StreamedCall(self, about, context)
            try:
                await inner(this.decoded(raw), context)
            except BaseException as error:
                await this.failed(error)
                raise
            this.ended("OK")

        return call

    def _refuse_too_many(self) -> None:
        if self.calls.too_many:
            raise too_many(
                f"{self.calls.at_work} calls are being served",
                "TOO_MANY_CALLS",
                Quota("service", "calls_in_flight"),
            )

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

    def count_refusal(self, problem: Problem) -> None:
        self._metrics.rejected(problem.reason)
        if problem.status in _WHO:
            self._metrics.auth_failed(problem.reason)
