"""One connection of a bot process: its one reader and its one writer.

Nothing is written where it happens. A stream notes what is to be sent; its writer
wakes, gives the loop a turn so that more can gather, commits the store, and sends all
of it as one message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import grpc

from ohhell.v1 import frames_pb2
from server.decision import Question
from server.guard import Fault
from server.host import Host
from server.notice import Notice, NoticeKind, draining
from server.observe import Viewer
from server.outcome import Outcome
from server.players.farewell import Farewell
from server.players.port import Withdrawal
from server.players.seat import Seat
from server.players.session import Session
from server.rpc.endings import HELD, problem_of_end
from server.rpc.frame_watches import FrameWatches
from server.rpc.inbox import Inbox
from server.rpc.messages import Messages
from server.rpc.outbox import Outbox
from server.rpc.status import Malformed
from server.rpc.untyped import Untyped

REVISION: Final = 1
SOFTWARE: Final = "ohhell"
CAPABILITIES: Final = ("results",)
"""`results`: accepted answers get an AnswerResult, too, not only refused ones."""


class Stream:
    """One connection of a session."""

    def __init__(
        self, host: Host, session: Session, hello: frames_pb2.Hello, *, resumed: bool
    ) -> None:
        self._host = host
        self._session = session
        self._clock = host.alarms.clock
        self._patience = host.patience
        capabilities = [c for c in CAPABILITIES if c in hello.capabilities]
        self._woken = False
        self._waiter: asyncio.Future[None] | None = None
        self._watches = FrameWatches(host, session, changed=self.notify)
        self._outbox = Outbox(host, session, self._watches)
        self._inbox = Inbox(
            host,
            session,
            outbox=self._outbox,
            watches=self._watches,
            tells_results="results" in capabilities,
        )
        self._writing_since = 0.0
        self._writer: asyncio.Task[None] | None = None
        self._gives_up = False
        """Whether what is being written is taken back."""
        self._end = ""
        self._unheard_beats = 0
        """Since the last frame; time would go on where this machine stands still."""
        self.alarm_at = 0.0
        welcome = self._outbox.add().welcome
        welcome.revision = REVISION
        welcome.capabilities.extend(capabilities)
        welcome.software = SOFTWARE
        welcome.session_id = session.session_id
        welcome.resumed = resumed
        welcome.workers = session.workers
        welcome.heartbeat_ms = self._patience.heartbeat_ms
        welcome.bot = session.bot
        self._rest(self._clock())

    # What the session says

    def notify(self) -> None:
        if self._woken:
            return
        self._woken = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def seated(self, seat: Seat) -> None:
        self._outbox.seated(seat)
        self._noted()

    def news(self, seat: Seat) -> None:
        self._outbox.news(seat)
        self.notify()

    def notice(self, seat: Seat, notice: Notice) -> None:
        self._outbox.notice(notice, seat.handle)
        self._noted()

    def drain(self, milliseconds: int) -> None:
        self._outbox.notice(draining(milliseconds))
        self._noted()

    def withdraw(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        self._outbox.withdrawn(seat, question, why)
        self._noted()

    def ended(self, seat: Seat, outcome: Outcome | None) -> None:
        self._outbox.ended(seat, outcome)
        self._noted()

    def farewell(self, farewell: Farewell) -> None:
        self._outbox.farewell(farewell)

    def close(self, why: str) -> None:
        if why == "SUPERSEDED":
            self._outbox.notice(Notice(NoticeKind.SUPERSEDED, reason=why))
        self._close(why)

    def _noted(self) -> None:
        if self._writing_since and self._outbox.overflows:
            self._give_up_writing()
        self.notify()

    @property
    def waiting(self) -> int:
        return len(self._outbox.frames)

    # Reading and writing

    async def converse(
        self,
        messages: Messages,
        rest: list[Untyped],
        write: Callable[[bytes], Awaitable[None]],
    ) -> None:
        """Reads and writes until the stream ends; Problem where it was ended here."""
        reader = asyncio.create_task(self._read(messages, rest))
        # As a task it is woken directly, and not through all that has called this.
        self._writer = asyncio.create_task(self._write(write))
        try:
            await self._writer
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if not self._gives_up or (this is not None and this.cancelling()):
                # Who ends the call may do so while what is written is taken back.
                raise
        finally:
            reader.cancel()
            self._lost()
        if self._end in HELD:
            await asyncio.sleep(self._patience.held_ms / 1000)
        problem = problem_of_end(self._end)
        if problem is not None:
            raise problem

    async def _read(self, messages: Messages, rest: list[Untyped]) -> None:
        """Reads until the client is gone: that is no goodbye."""
        read = messages.read
        end = grpc.aio.EOF
        try:
            self.read(rest)
            while not self._end:
                data = await read()
                if data is end:
                    await messages.linger()
                    self._close("EOF")
                    return
                try:
                    request = messages.decoded(data)
                except Malformed as malformed:
                    self._inbox.violation(malformed.reason, malformed.message)
                    self._heard()
                    continue
                self.read(request.frames)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - it must not leave a stream unread
            self.fail(error)

    async def _write(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Writes until the stream is to end."""
        keeper = self._host.keeper
        loop = asyncio.get_running_loop()
        over = False
        while not over:
            if not self._woken:
                self._waiter = loop.create_future()
                await self._waiter
                self._waiter = None
            if len(self._session.seats) > 1 or self._watches.by_handle:
                # Others get their turn first: their questions go out with ours.
                await asyncio.sleep(0)
            over = bool(self._end)
            message = self.take()
            if message:
                if keeper.waits:
                    await self._kept()
                self._writing_since = self._clock()
                await write(message)
                self._writing_since = 0.0

    def take(self) -> bytes:
        """The next message; empty where there is nothing to be sent."""
        if not self._woken:
            return b""
        self._woken = False
        self._host.commit()
        outbox = self._outbox
        message = outbox.take(with_questions=self._session.transport is self)
        if outbox.more:
            self._woken = True
        return message

    async def _kept(self) -> None:
        """Waits until what the message tells is stored; no clock runs meanwhile."""
        since = self._clock()
        await self._host.keeper.committed()
        waited = self._clock() - since
        for _, question in self._outbox.asked:
            question.put_off(waited)
        self._outbox.asked = []

    def read(self, frames: Untyped) -> None:
        """Takes in the frames of one message."""
        self._unheard_beats = 0
        self._inbox.read(frames, self._clock(), self)
        if self._outbox.frames or self._inbox.over:
            self._heard()

    def _heard(self) -> None:
        """Sees to it that what was read is answered, or ends the stream."""
        if self._outbox.frames:
            self._noted()
        if self._inbox.over:
            if self._inbox.fault is not None:
                self._end_for(self._inbox.fault)
            self._close("GOODBYE")

    # Life

    def wake(self, now: float) -> None:
        """Beats, and notices a silent client."""
        patience = self._patience
        if self._writing_since and now > self._writing_since + patience.slow_ms / 1000:
            self._give_up_writing()
            return
        if self._end:
            # Its last words may go unread as well; until then nobody else has seats.
            self._rest(now)
            return
        # A bot that thinks may be silent: its questions have clocks of their own.
        silent_ms = self._unheard_beats * patience.heartbeat_ms
        if not self._session.busy and silent_ms >= patience.silent_ms:
            self._close("SILENT")
            return
        self._unheard_beats += 1
        self._outbox.heartbeat.due = True
        self.notify()
        self._rest(now)

    def _rest(self, now: float) -> None:
        self._host.alarms.set(self, now + self._patience.heartbeat_ms / 1000)

    def _give_up_writing(self) -> None:
        """The client takes nothing: seats are kept, and go on with the next stream."""
        if self._writer is not None and not self._gives_up:
            self._gives_up = True
            self._host.observer.slow_consumer(Viewer.BOT)
            self._close("SLOW_CONSUMER")
            self._writer.cancel()

    def fail(self, error: Exception) -> None:
        """Our own mistake: the bot may come back."""
        self._host.observer.unexpected("arena", error)
        self._close("FAILED")

    def _end_for(self, fault: Fault) -> None:
        """Ends the stream for a fault that is counted once for each of its seats."""
        if self._end:
            return
        self._close(fault)
        for seat in tuple(self._session.seats.values()):
            # The outage that follows is the same fault.
            seat.away_counted = True
            seat.table.count_fault(seat.seat, fault)

    def _close(self, why: str) -> None:
        self._end = self._end or why
        self.notify()

    def _lost(self) -> None:
        """The connection is gone."""
        self._end = self._end or "CANCELLED"
        self._watches.close()
        self._host.alarms.forget(self)
        self._host.arena.lost(self._session, self, self._end)
