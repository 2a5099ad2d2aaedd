"""Tables that are watched by a call for each watch, for which the call is kept open."""

from __future__ import annotations

import asyncio
from typing import assert_never

from grpc import StatusCode

from engine.events import Entry
from engine.visibility import Viewer
from ohhell.v1 import tables_pb2
from server import observe
from server.host import Host
from server.notice import Notice
from server.outcome import Outcome
from server.rpc import wire
from server.rpc.identity import refusal
from server.rpc.status import Problem, going_down
from server.rpc.turnstile import Turnstile
from server.rpc.untyped import Untyped
from server.rpc.watching import Item, Prompt, Snapshot, Watch
from server.table import Table


class CallWatch:
    """A watch by a call of its own, which waits for what comes."""

    def __init__(self, table: Table, viewer: Viewer, after: int) -> None:
        self._event = asyncio.Event()
        self._viewer = viewer
        self.ended = ""
        """Why this reader is told no more."""
        self._watch = Watch(table, viewer, after, changed=self._event.set)

    @property
    def only_looks(self) -> bool:
        """Whether it is of nobody's seat."""
        return not isinstance(self._viewer, int)

    def take(self, now: float) -> list[tables_pb2.WatchTableResponse]:
        self._event.clear()
        responses = [_response(item, now) for item in self._watch.take()]
        if self._watch.more:
            self._event.set()
        return responses

    async def wait(self) -> None:
        await self._event.wait()

    def end(self, why: str) -> None:
        self.ended = why
        self._event.set()

    @property
    def over(self) -> bool:
        return self._watch.over

    @property
    def suspended(self) -> bool:
        return self._watch.suspended

    def close(self) -> None:
        self._watch.close()


class Teller:
    """Writes to calls what their watches have seen; those who play go first."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._clock = host.alarms.clock
        self._turnstile = Turnstile()

    async def tell(self, watch: CallWatch, context: Untyped) -> None:
        """Until there is nothing left to tell; Problem where the service ends it."""
        while not watch.over:
            if watch.ended:
                raise refusal(watch.ended)
            if watch.only_looks:
                await self._turnstile.passed()
            responses = watch.take(self._clock())
            await self._host.keeper.committed()
            for response in responses:
                if watch.only_looks:
                    await self._turnstile.passed()
                await self._write(context, response)
            if watch.suspended:
                raise going_down()
            if not watch.over:
                await watch.wait()

    async def _write(
        self, context: Untyped, response: tables_pb2.WatchTableResponse
    ) -> None:
        """Problem for a reader that takes nothing; it may go on with a new watch."""
        slow_s = self._host.patience.slow_ms / 1000
        try:
            async with asyncio.timeout(slow_s):
                await context.write(response)
        except TimeoutError:
            self._host.observer.slow_consumer(observe.Viewer.WATCHER)
            raise Problem(
                StatusCode.RESOURCE_EXHAUSTED,
                "SLOW_CONSUMER",
                f"what was sent was not read within {slow_s:g} s",
                retry_ms=0,
            ) from None


def _response(item: Item, now: float) -> tables_pb2.WatchTableResponse:
    response = tables_pb2.WatchTableResponse()
    match item:
        case Entry():
            wire.write_entry(response.entry, item)
        case Prompt(seen, question):
            wire.write_prompt(response.prompt, seen, question, now)
        case Snapshot(seen, question):
            if question is None:
                wire.write_view(response.snapshot, seen)
            else:
                wire.write_prompt(response.snapshot, seen, question, now)
        case Notice():
            wire.write_notice(response.notice, item, 0)
        case Outcome():
            wire.write_outcome(response.ended, 0, item)
        case _:
            assert_never(item)
    return response
