"""The seats of a bot process that plays many tables over one stream.

A session outlives its streams: seats, open questions and queued ones stay when the
stream is lost and go on with the next. It decides which question goes out when; how
frames look, and the stream itself, are the business of its `Transport`.

At most `workers` questions are open at once. A question that does not fit waits here,
without a clock, behind those of the session's other tables. A worker whose question
expired stays taken until its late answer comes, at most `Patience.hang_ms`.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from server.clock import Alarms
from server.guard import Fault
from server.notice import Presence
from server.patience import PATIENCE, Patience
from server.players.farewell import Farewells
from server.players.port import Link, Withdrawal
from server.players.seat import Seat
from server.players.transport import Transport

if TYPE_CHECKING:
    from server.decision import Question
    from server.observe import Observer
    from server.outcome import Outcome

REMEMBERED_S: Final = 900.0
"""For so long a lost process without seats is waited for, to be told how they ended:
libraries try to come back for ten minutes.
"""


class Session:
    """The seats of one bot process, over all its streams."""

    def __init__(
        self,
        bot: str,
        *,
        instance_id: str,
        lane: int,
        session_id: str,
        alarms: Alarms,
        observer: Observer,
        patience: Patience = PATIENCE,
    ) -> None:
        self.bot = bot
        self.instance_id = instance_id
        self.lane = lane
        self.session_id = session_id
        self.link = Link.DIAL_IN
        self.workers = 1
        self.accepting = True
        """Whether the bot wants new seats."""
        self.most_seats: int | None = None
        self.watches_all = False
        """Whether seats get entries without asking."""
        self.declines: frozenset[str] = frozenset()
        """Words of rules that the bot cannot play."""
        self.watched: set[int] = set()
        """Handles that the present stream has given to tables it watches."""
        self.transport: Transport | None = None
        self.seats: dict[int, Seat] = {}
        """By handle."""
        self.alarm_at = 0.0
        self._alarms = alarms
        self._clock = alarms.clock
        self._hang_s = patience.hang_ms / 1000
        self._away_s = patience.away_ms / 1000
        self._away_in_match_s = patience.away_in_match_ms / 1000
        self._waited = observer.waited
        self.farewells = Farewells()
        self._ready: deque[tuple[Seat, Question]] = deque()
        self._queued: deque[tuple[Seat, Question]] = deque()
        self._taken = 0
        self._next_handle = 1
        self._lost_at = alarms.clock()
        self._away = False

    # Seats

    @property
    def takes_seats(self) -> bool:
        return (
            self.transport is not None
            and self.accepting
            and (self.most_seats is None or len(self.seats) < self.most_seats)
        )

    def player(self) -> Seat:
        """A player for one seat of one table."""
        return Seat(self, self._new_handle())

    def _new_handle(self) -> int:
        while self._next_handle in self.watched:
            self._next_handle += 1
        self._next_handle += 1
        return self._next_handle - 1

    def seated(self, seat: Seat) -> None:
        self.seats[seat.handle] = seat
        if self.transport is not None:
            self.transport.seated(seat)
        else:
            seat.table.board.set_presence(seat.seat, Presence.AWAY)
        if self.watches_all:
            seat.watch(0)

    def ended(self, seat: Seat, outcome: Outcome) -> None:
        if seat.over:
            return
        seat.over = True
        self.farewells.add(seat, outcome)
        if self.transport is not None:
            self.transport.ended(seat, outcome)
        seat.leave_table()
        self._forget(seat)
        if self.transport is None:
            self._alarms.set(self, self._gone_at)

    def left(self, seat: Seat) -> None:
        """The bot gave the seat up: it hears no more of it."""
        seat.over = True
        seat.question = None
        self.farewells.add(seat, None)
        if self.transport is not None:
            self.transport.ended(seat, None)
        seat.leave_table()
        self._taken -= len(seat.held)
        seat.held.clear()
        self._forget(seat)
        self._fill()

    @property
    def given_up(self) -> bool:
        """Whether the process has no seat, and has been away for too long."""
        return (
            self.transport is None and not self.seats and self._clock() >= self._gone_at
        )

    @property
    def _gone_at(self) -> float:
        return self._lost_at + REMEMBERED_S

    # Questions

    def ask(self, seat: Seat, question: Question) -> None:
        transport = self.transport
        seq = question.seq
        if seq in seat.held:
            # On a new stream it may be refused before it is repeated there.
            if transport is not None and not self.has(question):
                self._ready.append((seat, question))
                transport.notify()
        elif transport is not None and self._taken < self.workers:
            # As `_open`, which all but never is called.
            self._taken += 1
            seat.held[seq] = 0.0
            self._ready.append((seat, question))
            transport.notify()
        elif self._away:
            self._stand_in(seat, question)
        else:
            seat.waiting_since = self._clock()
            self._queued.append((seat, question))
            if transport is None:
                self._alarms.set(self, self._gives_up_at(seat))

    def take(self, most: int, now: float) -> list[tuple[Seat, Question]]:
        """Questions to be handed to the transport; their clocks run from `now`."""
        ready = self._ready
        taken: list[tuple[Seat, Question]] = []
        while ready and len(taken) < most:
            pair = ready.popleft()
            seat, question = pair
            if seat.question is question:
                seat.table.handed_over(question, now)
                taken.append(pair)
        return taken

    def has(self, question: Question) -> bool:
        return any(
            waiting is question
            for queue in (self._ready, self._queued)
            for _, waiting in queue
        )

    @property
    def busy(self) -> bool:
        """Whether the bot has a question."""
        return self._taken > 0

    @property
    def waiting(self) -> int:
        """Questions that wait: for a worker, or to be sent."""
        return len(self._ready) + len(self._queued)

    def release(self, seat: Seat, seq: int) -> None:
        """An answer came: once the decision is closed, its worker is free."""
        question = seat.question
        if question is not None and question.seq == seq:
            if seat.table.open[seat.seat] is question:
                return
            # It may wait to be sent once more, on a stream that is new.
            seat.question = None
        if seat.held.pop(seq, None) is not None:
            self._taken -= 1
            if seat.over:
                self._forget(seat)
            if self._queued:
                self._fill()

    def withdraw(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        if question.seq not in seat.held:
            return
        if question.handed_at and self.transport is not None:
            self.transport.withdraw(seat, question, why)
            seat.forgive(question.seq)
            if why is Withdrawal.DEFAULTED:
                hangs_at = self._clock() + self._hang_s
                seat.held[question.seq] = hangs_at
                self._alarms.set(self, hangs_at)
                return
        self.release(seat, question.seq)

    # Streams

    def attach(self, transport: Transport) -> None:
        """A stream is there: it gets all seats, open questions, then queued ones."""
        now = self._clock()
        self.transport = transport
        self.watched.clear()
        self._away = False
        for seat, question in self._queued:
            if seat.question is question:
                seat.waited += max(0.0, now - max(seat.waiting_since, self._lost_at))
        for seat in tuple(self.seats.values()):
            seat.away_counted = False
            seat.settled = seat.table.settled(seat.seat)
            seat.table.board.set_presence(seat.seat, Presence.HERE)
            transport.seated(seat)
            if seat.watching:
                # What was sent on the lost stream may never have come.
                seat.sent_seq = seat.acked
                transport.news(seat)
            elif self.watches_all:
                seat.watch(0)
            sent = seat.question
            if sent is not None and sent.seq in seat.held:
                self._ready.append((seat, sent))
        self.farewells.begin_again()
        for farewell in self.farewells:
            transport.farewell(farewell)
        self._fill()
        transport.notify()

    def excuse(self, until: float) -> None:
        """The server was away: an outage begins only then, if there is no stream.

        Questions whose clocks were turned back wait for the next one.
        """
        if self.transport is None:
            self._lost_at = until
            self._away = False
            self._queue_unasked()
            self._alarms.set(self, until + self._away_s)

    def detach(self) -> None:
        """The stream is gone; nothing is given up."""
        self.transport = None
        self._lost_at = self._clock()
        for seat, question in reversed(self._ready):
            if seat.question is question and not question.handed_at:
                del seat.held[question.seq]
                seat.waiting_since = self._lost_at
                self._queued.appendleft((seat, question))
        self._ready.clear()
        # Of those that were sent, some may have had their clocks turned back since.
        self._queue_unasked()
        for seat in tuple(self.seats.values()):
            seat.held = {
                seq: 0.0 for seq, hangs_at in seat.held.items() if not hangs_at
            }
            if seat.over:
                self._forget(seat)
            else:
                seat.table.board.set_presence(seat.seat, Presence.AWAY)
        self._taken = sum(len(seat.held) for seat in self.seats.values())
        self._watch_outage()

    def _queue_unasked(self) -> None:
        """What holds a worker without a clock would wait for ever for a stream."""
        for seat in self.seats.values():
            question = seat.question
            if (
                question is not None
                and not question.handed_at
                and seat.held.pop(question.seq, None) is not None
            ):
                self._taken -= 1
                seat.waiting_since = self._lost_at
                self._queued.append((seat, question))

    def adopt(self, other: Session) -> None:
        """Takes over the seats of a session whose process is gone: it is over."""
        self._alarms.forget(other)
        self._lost_at = other._lost_at
        for seat in other.seats.values():
            seat.session = self
            seat.handle = self._new_handle()
            self.seats[seat.handle] = seat
            self._taken += len(seat.held)
        self._queued.extend(other._queued)
        other.seats = {}
        other._queued.clear()
        other._ready.clear()
        other._taken = 0
        self._alarms.forget(other)

    def wake(self, now: float) -> None:
        """Looks for questions that hang, and for queued ones that waited too long."""
        if self.transport is None:
            self._check_outage(now)
        else:
            self._check_hanging(now)

    def fail(self, error: Exception) -> None:
        """Ends the stream; its seats wait for the next."""
        if self.transport is not None:
            self.transport.fail(error)

    def _check_hanging(self, now: float) -> None:
        next_at = 0.0
        hung = False
        for seat in tuple(self.seats.values()):
            for hangs_at in tuple(seat.held.values()):
                if 0 < hangs_at <= now:
                    hung = True
                    seat.table.count_fault(seat.seat, Fault.HANG)
                elif hangs_at:
                    next_at = min(next_at or hangs_at, hangs_at)
        if hung and self.transport is not None:
            self.transport.close("HANG")
        elif next_at:
            self._alarms.set(self, next_at)

    def _check_outage(self, now: float) -> None:
        if now >= self._lost_at + self._away_s:
            self._away = True
            queued, self._queued = self._queued, deque()
            for seat, question in queued:
                if seat.question is question:
                    self._stand_in(seat, question)
            if self.given_up:
                self.farewells.forget()
            elif self.farewells and now < self._gone_at:
                self._alarms.set(self, self._gone_at)
            return
        for seat, question in tuple(self._queued):
            if seat.question is question and self._gives_up_at(seat) <= now:
                self._stand_in(seat, question)
        self._watch_outage()

    def _watch_outage(self) -> None:
        """Wakes for the first question that will have waited long enough."""
        waiting = [seat for seat, question in self._queued if seat.question is question]
        at = [self._gives_up_at(seat) for seat in waiting]
        self._alarms.set(self, min(at, default=self._lost_at + self._away_s))

    def _gives_up_at(self, seat: Seat) -> float:
        """When the fallback player stands in for a seat whose question waits."""
        since = max(seat.waiting_since, self._lost_at)
        return min(
            self._lost_at + self._away_s, since + self._away_in_match_s - seat.waited
        )

    def _stand_in(self, seat: Seat, question: Question) -> None:
        fault = None if seat.away_counted else Fault.DISCONNECT
        seat.away_counted = True
        seat.table.stand_in(question, fault)

    def _open(self, seat: Seat, question: Question) -> None:
        self._taken += 1
        seat.held[question.seq] = 0.0
        self._ready.append((seat, question))

    def _fill(self) -> None:
        queued = self._queued
        transport = self.transport
        while queued and self._taken < self.workers and transport is not None:
            seat, question = queued.popleft()
            if seat.question is question:
                self._waited(self._clock() - seat.waiting_since)
                self._open(seat, question)
                transport.notify()

    def _forget(self, seat: Seat) -> None:
        if not seat.held:
            self.seats.pop(seat.handle, None)
