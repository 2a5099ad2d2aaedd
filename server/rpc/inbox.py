"""What a bot says on its stream: answers first, then everything else."""

from __future__ import annotations

from typing import Final

from ohhell.v1 import frames_pb2
from server.decision import CLOSED, STALE, Reply
from server.guard import Fault
from server.host import Host
from server.notice import Notice, NoticeKind
from server.outcome import State
from server.players.seat import Seat
from server.players.session import Session
from server.players.transport import Transport
from server.rpc import wire
from server.rpc.conduct import Conduct
from server.rpc.frame_watches import FrameWatches, WatchRefused
from server.rpc.outbox import MAX_FRAMES_SENT, Outbox
from server.rpc.untyped import Untyped

MAX_FRAMES_READ: Final = MAX_FRAMES_SENT + 1
"""An answer to each of the most frames that are sent at once, and a pong."""


class Inbox:
    """Takes in the frames of one stream, and notes what is to be said to them."""

    def __init__(
        self,
        host: Host,
        session: Session,
        *,
        outbox: Outbox,
        watches: FrameWatches,
        tells_results: bool,
    ) -> None:
        self._session = session
        self._outbox = outbox
        self._watches = watches
        self._tells_results = tells_results
        self._observer = host.observer
        self._clock = host.alarms.clock
        self._conduct = Conduct()
        self.over = False
        """Whether no more is read: the client said goodbye, or has gone too far."""
        self.fault: Fault | None = None
        """How it has gone too far."""

    def read(self, frames: Untyped, now: float, stream: Transport) -> None:
        """The frames of one message that the stream has read at `now`."""
        if len(frames) > MAX_FRAMES_READ:
            self.violation(
                "BATCH_TOO_LARGE",
                f"{len(frames)} frames in one message, at most {MAX_FRAMES_READ}",
            )
            return
        self._observer.batch_read(len(frames))
        session = self._session
        seats = session.seats
        for frame in frames:
            if self.over or session.transport is not stream:
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

    # Answers

    def _answered(self, seat: Seat, seq: int, reply: Reply, now: float) -> None:
        """Says what became of an answer."""
        if reply.reason == "DECISION_ALREADY_ANSWERED" and seq == seat.settled:
            # What was accepted came on an earlier stream: this one cannot know it.
            seat.settled = 0
            seat.forgive(seq)
            reply = Reply(accepted=False, reason="STALE_DECISION", message=STALE)
        self._outbox.result(seat, seq, reply)
        if not reply.again and (not reply.accepted or reply.duplicate):
            self._count(seat, seq, reply, now)
        if not reply.accepted and reply.reason != "UNKNOWN_DECISION":
            # That one is a violation as well, and counted as such.
            self._observer.rejected(reply.reason)

    def _count(self, seat: Seat, seq: int, reply: Reply, now: float) -> None:
        """Forgives one answer that crossed the end of its decision, no more."""
        if reply.reason == "UNKNOWN_DECISION":
            self.violation(reply.reason, reply.message)
        elif seq in seat.forgiven:
            seat.forgiven.discard(seq)
        elif reply.duplicate or reply.reason in CLOSED:
            self._idle(now)

    # Other frames

    def _other(self, frame: frames_pb2.ClientFrame, now: float) -> None:
        match frame.WhichOneof("body"):
            case "amend":
                self._amend(frame.amend, now)
            case "pong":
                self._outbox.heartbeat.pong(frame.pong.nonce, now)
                self._session.farewells.heard(frame.pong.nonce)
            case "ack":
                self._ack(frame.ack, now)
            case "goodbye":
                self.over = True
            case "watch":
                self._idle(now)
                self._watch(frame.watch)
            case "unwatch":
                self._idle(now)
                self._unwatch(frame.unwatch.handle)
            case "leave":
                self._idle(now)
                self._leave(frame.leave.handle)
            case "availability":
                self._idle(now)
                self._session.accepting = frame.availability.accept_new
                self._session.most_seats = (
                    frame.availability.max_seats
                    if frame.availability.HasField("max_seats")
                    else None
                )
            case "nonce_commit" | "nonce_reveal":
                self.violation("NOT_BUILT", "nonces are not exchanged here")
            case "hello":
                self.violation("HELLO_REPEATED", "a stream has one hello, its first")
            case _:
                self.violation("UNKNOWN_FRAME", "the frame has no body that is known")

    def _amend(self, amend: frames_pb2.Amend, now: float) -> None:
        seat = self._session.seats.get(amend.handle)
        if seat is None:
            self._idle(now)
            return
        bid = amend.bid if amend.HasField("bid") else None
        reply = seat.table.amend(seat.seat, amend.seq, bid)
        if not reply.accepted:
            self._observer.rejected(reply.reason)
        self._outbox.result(seat, amend.seq, reply)

    def _ack(self, ack: frames_pb2.Ack, now: float) -> None:
        seat = self._session.seats.get(ack.handle)
        if seat is None:
            self._idle(now)
        elif not seat.ack(ack.seq):
            self.violation("SEQ_IN_FUTURE", f"entry {ack.seq} has not been sent")

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
            tell = self.violation if refused.is_violation else self._refuse
            tell(refused.reason, refused.message)

    def _unwatch(self, handle: int) -> None:
        seat = self._session.seats.get(handle)
        if seat is not None:
            seat.unwatch()
        else:
            self._watches.remove(handle)

    def _leave(self, handle: int) -> None:
        seat = self._session.seats.get(handle)
        if seat is None or seat.over:
            return
        table = seat.table
        table.leave(seat.seat)
        if table.state is State.RUNNING:
            self._session.left(seat)

    # What is no good

    def _refuse(self, reason: str, message: str) -> None:
        """Says why a frame that is right has no effect."""
        self._observer.rejected(reason)
        notice = Notice(NoticeKind.PROTOCOL, reason=reason, message=message)
        self._outbox.notice(notice)

    def violation(self, reason: str, message: str) -> None:
        """Says what was wrong with a frame; too many of them end the stream."""
        self._refuse(reason, message)
        if self._conduct.violates(self._clock()):
            self._go_too_far(Fault.PROTOCOL)

    def _idle(self, now: float) -> None:
        """Counts a frame that answered nothing."""
        if self._conduct.idles(now):
            self._go_too_far(Fault.FLOOD)

    def _go_too_far(self, fault: Fault) -> None:
        self.over = True
        self.fault = self.fault or fault
