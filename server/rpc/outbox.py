"""What a bot's stream has to say: noted one by one, taken as one message."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from engine.match import Match
from engine.view import project
from ohhell.v1 import arena_pb2, frames_pb2
from server.decision import Question, Reply
from server.host import Host
from server.notice import Notice
from server.outcome import Outcome
from server.players.farewell import Farewell
from server.players.port import Withdrawal
from server.players.seat import Seat
from server.players.session import Session
from server.rpc import wire
from server.rpc.frame_watches import MAX_ENTRIES_SENT, FrameWatches
from server.rpc.heartbeat import Heartbeat
from server.rpc.prompts import Prompts
from server.setup import TableSetup

MAX_FRAMES_SENT: Final = 127
MAX_FRAMES_WAITING: Final = 4_096
"""Behind a message that the client does not take."""


class Outbox:
    """Frames of one stream in their order, then the questions they lead to."""

    def __init__(
        self,
        host: Host,
        session: Session,
        watches: FrameWatches,
    ) -> None:
        self._session = session
        self._watches = watches
        self._clock = host.alarms.clock
        self._sent = host.observer.batch_sent
        self.heartbeat = Heartbeat()
        self.asked: list[tuple[Seat, Question]] = []
        """Questions of the last message."""
        self.more = False
        """Whether there may be too much to be taken at once."""
        self.frames: list[frames_pb2.ServerFrame] = []
        """To be sent before questions, in order."""
        self._farewells: deque[Farewell] = deque()
        """Not noted yet: whole matches of entries, each in the turn of its message."""
        self._ending = False
        """Whether there are ends of seats that have not been sent."""
        self._news: dict[Seat, None] = {}
        self._rules_told: set[str] = set()
        self._prompts_of: dict[int, Callable[[Question, float], bytes]] = {}
        """`Prompts.frame` by handle, while the seat is played."""

    @property
    def overflows(self) -> bool:
        return len(self.frames) > MAX_FRAMES_WAITING

    # Noted

    def add(self) -> frames_pb2.ServerFrame:
        """A frame to be filled in."""
        frame = frames_pb2.ServerFrame()
        self.frames.append(frame)
        return frame

    def seated(self, seat: Seat) -> None:
        """The seat, and how things stand at its table."""
        self._seat(seat.table.setup, seat.seat, seat.handle)
        if seat.watching:
            for notice in seat.table.board.standing():
                if notice.seat != seat.seat:
                    self.notice(notice, seat.handle)

    def news(self, seat: Seat) -> None:
        """Its entries are looked for when the next message is taken."""
        self._news[seat] = None

    def notice(self, notice: Notice, handle: int = 0) -> None:
        wire.write_notice(self.add().notice, notice, handle)

    def withdrawn(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        withdrawn = self.add().withdrawn
        withdrawn.handle = seat.handle
        withdrawn.seq = question.seq
        withdrawn.reason = why

    def result(self, seat: Seat, seq: int, reply: Reply) -> None:
        wire.write_result(self.add().result, seat.handle, seq, reply)

    def ended(self, seat: Seat, outcome: Outcome | None) -> None:
        """Its last entries, and its end; None: the bot has given it up."""
        self._prompts_of.pop(seat.handle, None)
        if self._news.pop(seat, 0) is None and outcome is not None:
            self._tell(seat)
        self._end(seat.handle, outcome)

    def farewell(self, farewell: Farewell) -> None:
        """A seat of an earlier stream that is over."""
        self._farewells.append(farewell)

    # Written

    def _farewell(self, farewell: Farewell) -> None:
        """All that there is to tell of it."""
        handle, seat = farewell.handle, farewell.seat
        self._seat(farewell.setup, seat, handle)
        match = farewell.match
        if match is not None:
            self._entries(match, seat, handle, after=farewell.acked, until=match.seq)
        self._end(handle, farewell.outcome)

    def _seat(self, setup: TableSetup, seat: int, handle: int) -> None:
        told = setup.rules_hash in self._rules_told
        self._rules_told.add(setup.rules_hash)
        wire.write_seat(
            self.add().seat, setup, seat, handle=handle, with_rules=not told
        )

    def _end(self, handle: int, outcome: Outcome | None) -> None:
        wire.write_outcome(self.add().ended, handle, outcome)
        self._ending = True

    def _entries(
        self, match: Match, seat: int, handle: int, *, after: int, until: int
    ) -> None:
        while after < until:
            last = min(until, after + MAX_ENTRIES_SENT)
            entries = self.add().entries
            entries.handle = handle
            for seq in range(after + 1, last + 1):
                wire.write_entry(entries.entries.add(), project(match.entry(seq), seat))
            after = last

    # Taken

    def take(self, *, with_questions: bool) -> bytes:
        """Everything that is to be sent now, up to the size of one message."""
        if self._watches.by_handle:
            self.frames += self._watches.take()
        while self._farewells and len(self.frames) < MAX_FRAMES_SENT:
            self._farewell(self._farewells.popleft())
        if with_questions and len(self.frames) < MAX_FRAMES_SENT:
            prompts = self._prompts()
        else:
            prompts = []
        noted = self.frames[: MAX_FRAMES_SENT - len(prompts)]
        del self.frames[: len(noted)]
        ends = self._ending and not self.frames and not self._farewells
        if ends or self.heartbeat.due:
            noted.append(self.heartbeat.frame(self._clock()))
        if ends:
            self._ending = False
            if with_questions:
                # The pong to this beat will say that they have come. To one of a stream
                # that was superseded nobody listens.
                self._session.farewells.sent(self.heartbeat.beat)
        sent = len(noted) + len(prompts)
        self.more = sent >= MAX_FRAMES_SENT or bool(self._farewells)
        if not sent:
            return b""
        self._sent(sent)
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
        asked = self.asked = self._session.take(MAX_FRAMES_SENT, now)
        if self._news:
            news, self._news = self._news, {}
            for seat in news:
                self._tell(seat)
        remembered = self._prompts_of
        prompts = []
        for seat, question in asked:
            of_seat = remembered.get(seat.handle)
            if of_seat is None:
                of_seat = remembered[seat.handle] = Prompts(seat.handle).frame
            prompts.append(of_seat(question, now))
        if len(self.frames) + len(prompts) <= MAX_FRAMES_SENT:
            return prompts
        for prompt in prompts:
            self.frames += arena_pb2.ConnectResponse.FromString(prompt).frames
        return []

    def _tell(self, seat: Seat) -> None:
        """Notes the entries that the seat has not been sent and may read now."""
        until = seat.may_read_to()
        if not seat.watching or until <= seat.sent_seq:
            return
        after, seat.sent_seq = seat.sent_seq, until
        self._entries(
            seat.table.match, seat.seat, seat.handle, after=after, until=until
        )
