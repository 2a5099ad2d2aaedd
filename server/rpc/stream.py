"""One connection of a bot process: what it says, and what it is told.

Nothing is written where it happens. A stream notes what is to be sent; its one writer
wakes, gives the loop a turn so that more can gather, commits the store, and sends all
of it as one message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from grpc import StatusCode

from engine.view import project
from ohhell.v1 import arena_pb2, frames_pb2
from server.decision import Question, Reply
from server.guard import Fault
from server.host import Host
from server.outcome import Outcome, State
from server.players.port import Withdrawal
from server.players.stream import Seat, Session
from server.rpc import wire
from server.rpc.prompts import Prompts
from server.rpc.status import Malformed, Problem
from server.rpc.untyped import Untyped

REVISION = 1
SOFTWARE = "ohhell"
CAPABILITIES = ("results",)
"""`results`: accepted answers get an AnswerResult, too, not only refused ones."""
HEARTBEAT = 10.0
SILENT_AFTER = 60.0
"""Seconds without any frame after which a stream without questions counts as lost."""
MAX_FRAMES_READ = 128
MAX_FRAMES_SENT = MAX_FRAMES_READ - 1
"""As many as a client may answer at once, with a heartbeat beside them."""
MAX_ENTRIES_SENT = 128
"""In one frame."""
MAX_VIOLATIONS = 5
VIOLATIONS_WITHIN = 60.0
MAX_IDLE_FRAMES = 100
IDLE_FRAMES_WITHIN = 2.0
"""Seconds; more frames in it that answer nothing are a flood."""

_ENDS = {
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
    "DRAINING": (StatusCode.UNAVAILABLE, "DRAINING", "the service is going down"),
    "REVOKED": (StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", "the token was revoked"),
    "FAILED": (StatusCode.UNAVAILABLE, "INTERNAL_ERROR", "a mistake of the server"),
    "KICKED": (StatusCode.UNAVAILABLE, "KICKED", "an operator ended the stream"),
}
"""How a stream ends that the server closes."""


class Stream:
    """One connection of a session: its frames in and out."""

    def __init__(
        self, host: Host, session: Session, hello: frames_pb2.Hello, *, resumed: bool
    ) -> None:
        self._host = host
        self._session = session
        self._clock = host.alarms.clock
        self._capabilities = [c for c in CAPABILITIES if c in hello.capabilities]
        self._tells_results = "results" in self._capabilities
        self._prompts_of: dict[int, Callable[[Question, float], bytes]] = {}
        """`Prompts.frame` by handle, while the seat is played."""
        self._woken = False
        self._waiter: asyncio.Future[None] | None = None
        self._over = False
        self._frames: list[frames_pb2.ServerFrame] = []
        """To be sent before questions, in order."""
        self._news: dict[Seat, None] = {}
        self._rules_told: set[str] = set()
        self._end = ""
        self._violations: list[float] = []
        self._idle_since = 0.0
        self._idle_frames = 0
        self._heard_at = self._clock()
        self._beat = 0
        self._beat_due = False
        self._beat_at = 0.0
        self._round_trip_us = 0
        self.alarm_at = 0.0
        welcome = self._add().welcome
        welcome.revision = REVISION
        welcome.capabilities.extend(self._capabilities)
        welcome.software = SOFTWARE
        welcome.session_id = session.session_id
        welcome.resumed = resumed
        welcome.workers = session.workers
        welcome.heartbeat_ms = int(HEARTBEAT * 1000)
        welcome.bot = session.bot
        host.alarms.set(self, self._heard_at + HEARTBEAT)

    # What the session says

    def seated(self, seat: Seat) -> None:
        setup = seat.table.setup
        told = setup.rules_hash in self._rules_told
        self._rules_told.add(setup.rules_hash)
        wire.write_seat(
            self._add().seat,
            setup,
            seat.seat,
            handle=seat.handle,
            with_rules=not told,
        )
        self.notify()

    def notify(self) -> None:
        if self._woken:
            return
        self._woken = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def news(self, seat: Seat) -> None:
        self._news[seat] = None
        self.notify()

    def withdraw(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        withdrawn = self._add().withdrawn
        withdrawn.handle = seat.handle
        withdrawn.seq = question.seq
        withdrawn.reason = why
        self.notify()

    def ended(self, seat: Seat, outcome: Outcome) -> None:
        self._prompts_of.pop(seat.handle, None)
        if self._news.pop(seat, 0) is None:
            self._tell(seat)
        wire.write_outcome(self._add().ended, seat.handle, outcome)
        self.notify()

    def close(self, why: str) -> None:
        if why == "SUPERSEDED":
            notice = self._add().notice
            notice.kind = frames_pb2.NOTICE_KIND_SUPERSEDED
        self._close(why)

    @property
    def waiting(self) -> int:
        return len(self._frames)

    # Out

    async def _something(self) -> bool:
        """Waits until there is something to send; False once the stream is to end."""
        if self._over:
            return False
        if not self._woken:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            self._waiter = None
        if len(self._session.seats) > 1:
            # Others get their turn first, so that their questions go out with ours.
            await asyncio.sleep(0)
        self._over = bool(self._end)
        return True

    def take(self) -> bytes:
        """Everything that is to be sent now, up to the size of one message."""
        if not self._woken:
            return b""
        self._woken = False
        self._host.commit()
        if len(self._frames) < MAX_FRAMES_SENT and self._session.transport is self:
            prompts = self._prompts()
        else:
            prompts = []
        noted = self._frames[: MAX_FRAMES_SENT - len(prompts)]
        del self._frames[: len(noted)]
        if self._beat_due:
            self._beat_due = False
            noted.append(frames_pb2.ServerFrame(heartbeat=self._heartbeat()))
        sent = len(noted) + len(prompts)
        if not sent:
            return b""
        if sent >= MAX_FRAMES_SENT:
            # There may be more.
            self._woken = True
        self._host.observer.batch_sent(sent)
        message = b"".join(prompts)
        if noted:
            head = arena_pb2.ConnectResponse(frames=noted)
            message = head.SerializeToString() + message
        return message

    def _prompts(self) -> list[bytes]:
        """Questions that may go out, once everything that precedes them is noted.

        Where all of it does not fit one message, they are noted, too.
        """
        now = self._clock()
        taken = self._session.take(MAX_FRAMES_SENT, now)
        if self._news:
            news, self._news = self._news, {}
            for seat in news:
                self._tell(seat)
        remembered = self._prompts_of
        prompts = []
        for seat, question in taken:
            of_seat = remembered.get(seat.handle)
            if of_seat is None:
                of_seat = remembered[seat.handle] = Prompts(seat.handle).frame
            prompts.append(of_seat(question, now))
        if len(self._frames) + len(prompts) <= MAX_FRAMES_SENT:
            return prompts
        for prompt in prompts:
            self._frames += arena_pb2.ConnectResponse.FromString(prompt).frames
        return []

    def _heartbeat(self) -> frames_pb2.Heartbeat:
        self._beat += 1
        self._beat_at = self._clock()
        return frames_pb2.Heartbeat(nonce=self._beat, round_trip_us=self._round_trip_us)

    def _tell(self, seat: Seat) -> None:
        """Notes the entries that the seat has not been sent and may read now."""
        until = seat.may_read_to()
        if not seat.watching or until <= seat.sent_seq:
            return
        match = seat.table.match
        while seat.sent_seq < until:
            last = min(until, seat.sent_seq + MAX_ENTRIES_SENT)
            entries = self._add().entries
            entries.handle = seat.handle
            for seq in range(seat.sent_seq + 1, last + 1):
                entry = project(match.entry(seq), seat.seat)
                wire.write_entry(entries.entries.add(), entry)
            seat.sent_seq = last

    def _add(self) -> frames_pb2.ServerFrame:
        frame = frames_pb2.ServerFrame()
        self._frames.append(frame)
        return frame

    # In

    async def converse(
        self,
        requests: AsyncIterator[Untyped],
        rest: list[Untyped],
        write: Callable[[bytes], Awaitable[None]],
    ) -> None:
        """Reads and writes until the stream ends; Problem where it was ended here."""
        reader = asyncio.create_task(self._read(requests, rest))
        try:
            while await self._something():
                if message := self.take():
                    await write(message)
        finally:
            reader.cancel()
            self._lost()
        if self._end in _ENDS:
            raise Problem(*_ENDS[self._end])

    async def _read(
        self, requests: AsyncIterator[Untyped], rest: list[Untyped]
    ) -> None:
        """Reads until the client is gone: that is no goodbye."""
        self.read(rest)
        try:
            while not self._end:
                try:
                    request = await anext(requests)
                except Malformed as malformed:
                    self._violation(malformed.reason, malformed.message)
                    continue
                self.read(request.frames)
        except StopAsyncIteration:
            self._close("EOF")
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - it must not leave a stream unread
            self.fail(error)

    def read(self, frames: Untyped) -> None:
        """Takes in the frames of one message."""
        if len(frames) > MAX_FRAMES_READ:
            self._violation(
                "BATCH_TOO_LARGE",
                f"{len(frames)} frames in one message, at most {MAX_FRAMES_READ}",
            )
            return
        now = self._clock()
        self._heard_at = now
        self._host.observer.batch_read(len(frames))
        session = self._session
        seats = session.seats
        for frame in frames:
            if session.transport is not self:
                return
            # Of another frame it is an empty one, and no handle is zero.
            answer = frame.answer
            seat = seats.get(answer.handle)
            if seat is None:
                if frame.HasField("answer"):
                    self._idle(now)
                else:
                    self._other(frame, now)
                continue
            seq = answer.seq
            command = wire.command_of(answer)
            table = seat.table
            try:
                reply = table.answer(seat.seat, seq, answer.attempt, command, now)
            except Exception as error:  # noqa: BLE001 - our mistake costs one table only
                table.fail(error)
                continue
            if not reply.again:
                session.release(seat, seq)
            if self._tells_results or not reply.accepted or reply.duplicate:
                self._answered(seat, seq, reply, now)

    def _answered(self, seat: Seat, seq: int, reply: Reply, now: float) -> None:
        """Says what became of an answer."""
        wire.write_result(self._add().result, seat.handle, seq, reply)
        self.notify()
        if not reply.accepted or reply.duplicate:
            self._count(reply, now)

    def _count(self, reply: Reply, now: float) -> None:
        if reply.reason == "UNKNOWN_DECISION":
            self._violation(reply.reason, reply.message)
        elif reply.duplicate or reply.reason == "STALE_DECISION":
            self._idle(now)

    def _other(self, frame: frames_pb2.ClientFrame, now: float) -> None:
        kind = frame.WhichOneof("body")
        match kind:
            case "amend":
                self._amend(frame.amend, now)
            case "pong":
                if frame.pong.nonce == self._beat:
                    self._round_trip_us = int((now - self._beat_at) * 1e6)
            case "ack":
                pass
            case "goodbye":
                self._close("GOODBYE")
            case "watch" | "unwatch" | "availability" | "leave":
                self._idle(now)
                self._change(frame)
            case "nonce_commit" | "nonce_reveal":
                self._violation("NOT_BUILT", "nonces are not exchanged here")
            case "hello":
                self._violation("HELLO_REPEATED", "a stream has one hello, its first")
            case _:
                self._violation("UNKNOWN_FRAME", "the frame has no body that is known")

    def _change(self, frame: frames_pb2.ClientFrame) -> None:
        match frame.WhichOneof("body"):
            case "watch":
                self._watch(frame.watch)
            case "unwatch":
                seat = self._session.seats.get(frame.unwatch.handle)
                if seat is not None:
                    seat.unwatch()
            case "leave":
                self._leave(frame.leave)
            case "availability":
                wanted = frame.availability
                self._session.accepting = wanted.accept_new
                self._session.most_seats = (
                    wanted.max_seats if wanted.HasField("max_seats") else None
                )
            case _:
                pass

    def _amend(self, amend: frames_pb2.Amend, now: float) -> None:
        seat = self._session.seats.get(amend.handle)
        if seat is None:
            self._idle(now)
            return
        bid = amend.bid if amend.HasField("bid") else None
        reply = seat.table.amend(seat.seat, amend.seq, bid)
        wire.write_result(self._add().result, seat.handle, amend.seq, reply)
        self.notify()

    def _watch(self, watch: frames_pb2.Watch) -> None:
        seat = self._session.seats.get(watch.handle)
        if seat is None:
            self._violation("NOT_BUILT", "only own seats can be watched on a stream")
        elif watch.after_seq > seat.table.match.seq:
            self._violation("SEQ_IN_FUTURE", f"there is no entry {watch.after_seq} yet")
        else:
            seat.watch(watch.after_seq)

    def _leave(self, leave: frames_pb2.Leave) -> None:
        seat = self._session.seats.get(leave.handle)
        if seat is None or seat.over:
            return
        table = seat.table
        table.leave(seat.seat)
        if table.state is State.RUNNING:
            self._session.left(seat)
            ended = self._add().ended
            ended.handle = leave.handle
            ended.reason = frames_pb2.END_REASON_LEFT
            self.notify()

    def _violation(self, reason: str, message: str) -> None:
        """Says what was wrong with a frame; too many of them end the stream."""
        now = self._clock()
        notice = self._add().notice
        notice.kind = frames_pb2.NOTICE_KIND_PROTOCOL
        notice.reason = reason
        notice.message = message
        self._violations = [
            at for at in self._violations if at > now - VIOLATIONS_WITHIN
        ]
        self._violations.append(now)
        self.notify()
        if len(self._violations) >= MAX_VIOLATIONS:
            self._close("PROTOCOL")

    def _idle(self, now: float) -> None:
        """Counts a frame that answered nothing."""
        if now > self._idle_since + IDLE_FRAMES_WITHIN:
            self._idle_since = now
            self._idle_frames = 0
        self._idle_frames += 1
        if self._idle_frames > MAX_IDLE_FRAMES and not self._end:
            for seat in tuple(self._session.seats.values()):
                seat.table.count_fault(seat.seat, Fault.FLOOD)
            self._close("FLOOD")

    # Life

    def wake(self, now: float) -> None:
        """Beats, and notices a silent client."""
        if self._end:
            return
        # A bot that thinks may be silent: its questions have clocks of their own.
        if not self._session.busy and now > self._heard_at + SILENT_AFTER:
            self._close("SILENT")
            return
        self._beat_due = True
        self.notify()
        self._host.alarms.set(self, now + HEARTBEAT)

    def fail(self, error: Exception) -> None:
        """Our own mistake: the bot may come back."""
        self._host.observer.unexpected("arena", error)
        self._close("FAILED")

    def _close(self, why: str) -> None:
        self._end = self._end or why
        self.notify()

    def _lost(self) -> None:
        """The connection is gone."""
        self._end = self._end or "CANCELLED"
        self._host.arena.lost(self._session, self, self._end)
