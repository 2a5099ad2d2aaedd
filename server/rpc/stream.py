"""One connection of a bot process: what it says, and what it is told.

Nothing is written where it happens. A stream notes what is to be sent; its one writer
wakes, gives the loop a turn so that more can gather, commits the store, and sends all
of it as one message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from engine.view import project
from ohhell.v1 import arena_pb2, frames_pb2
from server.decision import CLOSED, STALE, Question, Reply
from server.guard import Fault
from server.host import Host
from server.notice import Notice, NoticeKind, draining
from server.observe import Viewer
from server.outcome import Outcome, State
from server.players.port import Withdrawal
from server.players.stream import Seat, Session
from server.rpc import wire
from server.rpc.conduct import Conduct
from server.rpc.endings import HELD, problem_of_end
from server.rpc.frame_watches import FrameWatches, WatchRefused
from server.rpc.prompts import Prompts
from server.rpc.status import Malformed
from server.rpc.untyped import Untyped

REVISION = 1
SOFTWARE = "ohhell"
CAPABILITIES = ("results",)
"""`results`: accepted answers get an AnswerResult, too, not only refused ones."""
MAX_FRAMES_READ = 128
MAX_FRAMES_SENT = MAX_FRAMES_READ - 1
"""As many as a client may answer at once, with a heartbeat beside them."""
MAX_ENTRIES_SENT = 128
"""In one frame."""
MOST_TOLD = 2**32 - 1
MAX_FRAMES_WAITING = 4_096
"""Behind a message that the client does not take."""


class Stream:
    """One connection of a session: its frames in and out."""

    def __init__(
        self, host: Host, session: Session, hello: frames_pb2.Hello, *, resumed: bool
    ) -> None:
        self._host = host
        self._session = session
        self._clock = host.alarms.clock
        self._patience = host.patience
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
        self._watches = FrameWatches(host, session, changed=self.notify)
        self._writing_since = 0.0
        self._writer: asyncio.Task[object] | None = None
        self._taken: list[tuple[Seat, Question]] = []
        """Questions of the last message."""
        self._rules_told: set[str] = set()
        self._end = ""
        self._conduct = Conduct()
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
        welcome.heartbeat_ms = self._patience.heartbeat_ms
        welcome.bot = session.bot
        self._rest(self._heard_at)

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
        if seat.watching:
            for notice in seat.table.board.standing():
                if notice.seat != seat.seat:
                    wire.write_notice(self._add().notice, notice, seat.handle)
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

    def notice(self, seat: Seat, notice: Notice) -> None:
        wire.write_notice(self._add().notice, notice, seat.handle)
        self.notify()

    def drain(self, milliseconds: int) -> None:
        wire.write_notice(self._add().notice, draining(milliseconds), 0)
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
            notice = Notice(NoticeKind.SUPERSEDED, reason=why)
            wire.write_notice(self._add().notice, notice, 0)
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
        if len(self._session.seats) > 1 or self._watches.by_handle:
            # Others get their turn first, so that their questions go out with ours.
            await asyncio.sleep(0)
        self._over = bool(self._end)
        return True

    def take(self) -> bytes:
        """Everything that is to be sent now, up to the size of one message."""
        if not self._woken:
            return b""
        self._woken = False
        if self._watches.by_handle:
            self._frames += self._watches.take()
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

    async def _kept(self) -> None:
        """Waits until what the message tells is stored; no clock runs meanwhile."""
        since = self._clock()
        await self._host.keeper.committed()
        waited = self._clock() - since
        for _, question in self._taken:
            question.put_off(waited)
        self._taken = []

    def _prompts(self) -> list[bytes]:
        """Questions that may go out, once everything that precedes them is noted.

        Where all of it does not fit one message, they are noted, too.
        """
        now = self._clock()
        taken = self._taken = self._session.take(MAX_FRAMES_SENT, now)
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
        if self._writing_since and len(self._frames) > MAX_FRAMES_WAITING:
            self._give_up_writing()
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
        keeper = self._host.keeper
        reader = asyncio.create_task(self._read(requests, rest))
        self._writer = asyncio.current_task()
        try:
            while await self._something():
                if message := self.take():
                    if keeper.waits:
                        await self._kept()
                    self._writing_since = self._clock()
                    await write(message)
                    self._writing_since = 0.0
        except asyncio.CancelledError:
            if self._end != "SLOW_CONSUMER":
                raise
        finally:
            reader.cancel()
            self._lost()
        if self._end in HELD:
            await asyncio.sleep(self._patience.held_ms / 1000)
        problem = problem_of_end(self._end)
        if problem is not None:
            raise problem

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
        if reply.reason == "DECISION_ALREADY_ANSWERED" and seq == seat.settled:
            # What was accepted came on an earlier stream: this one cannot know it.
            seat.settled = 0
            seat.forgive(seq)
            reply = Reply(accepted=False, reason="STALE_DECISION", message=STALE)
        wire.write_result(self._add().result, seat.handle, seq, reply)
        self.notify()
        if not reply.again and (not reply.accepted or reply.duplicate):
            self._count(seat, seq, reply, now)
        if not reply.accepted and reply.reason != "UNKNOWN_DECISION":
            # That one is a violation as well, and counted as such.
            self._host.observer.rejected(reply.reason)

    def _count(self, seat: Seat, seq: int, reply: Reply, now: float) -> None:
        """Forgives one answer that crossed the end of its decision, no more."""
        if reply.reason == "UNKNOWN_DECISION":
            self._violation(reply.reason, reply.message)
        elif seq in seat.forgiven:
            seat.forgiven.discard(seq)
        elif reply.duplicate or reply.reason in CLOSED:
            self._idle(now)

    def _other(self, frame: frames_pb2.ClientFrame, now: float) -> None:
        kind = frame.WhichOneof("body")
        match kind:
            case "amend":
                self._amend(frame.amend, now)
            case "pong":
                if self._beat_at and frame.pong.nonce == self._beat:
                    took_us = int((now - self._beat_at) * 1e6)
                    self._round_trip_us = min(took_us, MOST_TOLD)
                    self._beat_at = 0.0
            case "ack":
                self._ack(frame.ack, now)
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
                handle = frame.unwatch.handle
                seat = self._session.seats.get(handle)
                if seat is not None:
                    seat.unwatch()
                else:
                    self._watches.remove(handle)
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
        if not reply.accepted:
            self._host.observer.rejected(reply.reason)
        wire.write_result(self._add().result, seat.handle, amend.seq, reply)
        self.notify()

    def _ack(self, ack: frames_pb2.Ack, now: float) -> None:
        seat = self._session.seats.get(ack.handle)
        if seat is None:
            self._idle(now)
        elif not seat.ack(ack.seq):
            self._violation("SEQ_IN_FUTURE", f"entry {ack.seq} has not been sent")

    def _watch(self, watch: frames_pb2.Watch) -> None:
        seat = self._session.seats.get(watch.handle)
        try:
            if seat is None:
                self._watches.add(watch)
            elif watch.after_seq > seat.table.match.seq:
                raise WatchRefused.in_future(seat.table)
            else:
                seat.watch(watch.after_seq)
        except WatchRefused as refused:
            tell = self._violation if refused.is_violation else self._refuse
            tell(refused.reason, refused.message)

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

    def _refuse(self, reason: str, message: str) -> None:
        """Says why a frame that is right has no effect."""
        self._host.observer.rejected(reason)
        notice = Notice(NoticeKind.PROTOCOL, reason=reason, message=message)
        wire.write_notice(self._add().notice, notice, 0)
        self.notify()

    def _violation(self, reason: str, message: str) -> None:
        """Says what was wrong with a frame; too many of them end the stream."""
        self._refuse(reason, message)
        if self._conduct.violates(self._clock()):
            self._end_for(Fault.PROTOCOL)

    def _idle(self, now: float) -> None:
        """Counts a frame that answered nothing."""
        if self._conduct.idles(now):
            self._end_for(Fault.FLOOD)

    def _end_for(self, fault: Fault) -> None:
        """Ends the stream for a fault that is counted once for each of its seats."""
        if self._end:
            return
        self._close(fault)
        for seat in tuple(self._session.seats.values()):
            # The outage that follows is the same fault.
            seat.away_counted = True
            seat.table.count_fault(seat.seat, fault)

    # Life

    def wake(self, now: float) -> None:
        """Beats, and notices a silent client."""
        if self._end:
            return
        patience = self._patience
        if self._writing_since and now > self._writing_since + patience.slow_ms / 1000:
            self._give_up_writing()
            return
        # A bot that thinks may be silent: its questions have clocks of their own.
        if not self._session.busy and now > self._heard_at + patience.silent_ms / 1000:
            self._close("SILENT")
            return
        self._beat_due = True
        self.notify()
        self._rest(now)

    def _rest(self, now: float) -> None:
        self._host.alarms.set(self, now + self._patience.heartbeat_ms / 1000)

    def _give_up_writing(self) -> None:
        """The client takes nothing: seats are kept, and go on with the next stream."""
        if self._writer is not None and not self._end:
            self._host.observer.slow_consumer(Viewer.BOT)
            self._close("SLOW_CONSUMER")
            self._writer.cancel()
            self._writer.uncancel()

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
        self._watches.close()
        self._host.alarms.forget(self)
        self._host.arena.lost(self._session, self, self._end)
