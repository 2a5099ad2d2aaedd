"""A table: one match, the players of its seats, their clocks and their decisions.

A plain object driven by calls, in one serial order; it has no task and no timer of its
own. A decision is the pair (number of the last entry, seat) at which it was first
offered; every answer to it, in time, late, repeated or illegal, comes to `answer`, and
nothing a player does is an exception here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from engine.errors import Refusal
from engine.events import Cause
from engine.fallback import Command, PlaceBid, PlayCard, act, fallback
from engine.match import Match
from engine.parameters import BidMode
from engine.phase import Ask, Phase
from server.audience import Audience
from server.clock import Alarms
from server.decision import (
    DEFAULTED,
    HAS_BID,
    NO_ACTION,
    Closed,
    Question,
    Reply,
    accepted,
    judge_amending,
    judge_closed,
    judge_other_attempt,
    refused,
)
from server.guard import ATTEMPTS, Fault, Guard
from server.journal import Journal
from server.notice import Board, Presence
from server.observe import Observer, Verdict
from server.outcome import End, Outcome, State, outcome_of
from server.players.port import Link, Player, Withdrawal
from server.seat_clocks import SeatClocks
from server.setup import TableSetup

if TYPE_CHECKING:
    from server.past import Past
    from server.witness import Witness

# Members of enumerations are slow to reach: these are asked for at every decision.
_OVER: Final = Phase.OVER
_BY_ANSWER: Final = Cause.ANSWER
_OK: Final = Verdict.OK


def _nobody(table: Table) -> None:
    """Waits for the end of a table that is over: who did may hold the table, and so
    would stay in memory with it until the collector comes by.
    """


class Table:
    """A running match; `start` it once everybody who may listen is there."""

    __slots__ = (
        "_advancing",
        "_again",
        "_alarms",
        "_amended",
        "_asks",
        "_closed",
        "_decided",
        "_journal",
        "_journalled",
        "_observer",
        "_on_end",
        "_secret",
        "alarm_at",
        "audience",
        "board",
        "clocks",
        "guards",
        "match",
        "open",
        "outcome",
        "players",
        "seq_before",
        "setup",
        "state",
        "witness",
    )

    def __init__(
        self,
        setup: TableSetup,
        players: Sequence[Player],
        *,
        alarms: Alarms,
        observer: Observer,
        on_end: Callable[[Table], None],
        journal: Journal | None = None,
    ) -> None:
        seats = len(setup.players)
        if len(players) != seats:
            raise ValueError(f"{seats} seats need {seats} players, got {len(players)}")
        self.setup = setup
        self.players = tuple(players)
        self.match = Match(
            setup.rules, seats, first_dealer=setup.first_dealer, decks=setup.decks
        )
        self.state = State.NEW
        self.outcome: Outcome | None = None
        self.open: list[Question | None] = [None] * seats
        """Open questions by seat."""
        self.clocks = SeatClocks(setup.clock, seats, idle_ms=setup.idle_ms)
        self.guards = tuple(Guard() for _ in range(seats))
        self.board = Board(seats)
        self.audience = Audience()
        self.witness: Witness | None = None
        mode = setup.rules.bid_mode
        self._secret = mode is not BidMode.TURN
        bid = Ask.BID_CARDS if mode is BidMode.BID_CARDS else Ask.BID
        # By phase.
        self._asks = (Ask.NOTHING, Ask.TRUMP, bid, Ask.PLAY, Ask.NOTHING)
        self.alarm_at = 0.0
        self._alarms = alarms
        self._observer = observer
        self._decided = observer.decided
        self._on_end = on_end
        self._journal = journal
        self._journalled = 0
        self.seq_before = 0
        """Last entry before those that the newest move has led to."""
        self._closed: list[Closed | None] = [None] * seats
        self._amended = [0] * seats
        self._advancing = False
        self._again = False

    # Life

    def start(self) -> None:
        """Deals, and puts the first questions."""
        for seat, player in enumerate(self.players):
            player.seated(self, seat)
        self._enter(State.RUNNING)
        self.match.start()
        self._advance()

    def resume(self, past: Past) -> None:
        """Goes on where an earlier process stopped, instead of `start`.

        Open decisions are offered again, as they were but with all their time.
        """
        for seat, player in enumerate(self.players):
            player.seated(self, seat)
        match = self.match = past.match
        self._journalled = match.seq
        self.seq_before = past.seq_before
        self.clocks.banks[:] = past.banks
        for seat, fault in past.faults:
            self.guards[seat].count(fault)
            if fault is Fault.LEFT:
                self.board.set_presence(seat, Presence.LEFT)
        for seat in past.dismissed:
            self.guards[seat].dismiss()
            self.board.set_presence(seat, Presence.LEFT)
        for seat in match.sealed:
            self.board.seal(seat)
        for seat, closed in past.closed.items():
            self._closed[seat] = closed
        for seat, times in past.amended.items():
            self._amended[seat] = times
        self._enter(State.RUNNING)
        retried = []
        for seat, attempt in past.attempts.items():
            question = Question(self, seat, match.seq, self._asks[match.phase])
            question.attempt = attempt
            self.open[seat] = question
            retried.append(question)
        self._advance()
        for question in retried:
            if self.open[question.seat] is question:
                self.players[question.seat].ask(question)

    def recall(self, match: Match, outcome: Outcome) -> None:
        """Is as it was when it ended, for those who want to look at it."""
        self.match = match
        self.outcome = outcome
        played = outcome.why is End.PLAYED
        self.state = State.FINISHED if played else State.CANCELLED

    def cancel(self, why: End = End.CANCELLED) -> None:
        """Ends the table without a result; open questions are withdrawn."""
        if self.state is State.RUNNING:
            self._finish(why)

    def fail(self, error: Exception) -> None:
        """Our own mistake: the table is void, and nobody is charged."""
        self._observer.table_failed(self, error)
        self._advancing = False
        self.cancel(End.VOIDED)

    def suspend(self) -> None:
        """Ends the table here and now; whoever has its journal can go on with it.

        Nothing is withdrawn and nobody is told of an end, because there is none.
        """
        if self.state is State.RUNNING:
            self.open = [None] * len(self.players)
            self._enter(State.SUSPENDED)
            self.audience.tell(0)

    @property
    def journalled(self) -> bool:
        """Whether somebody keeps what happens here."""
        return self._journal is not None

    def leave(self, seat: int) -> None:
        """The seat is given up for good; the fallback player takes over."""
        if self.state is State.RUNNING and not self.guards[seat].counts.get(Fault.LEFT):
            self._fault(seat, Fault.LEFT)
            self._vacate(seat)

    def dismiss(self, seat: int) -> None:
        """An operator takes the seat away for good; that is no fault of its player."""
        if self.state is State.RUNNING:
            self.guards[seat].dismiss()
            if self._journal is not None:
                self._journal.dismissed(self, seat)
            self._vacate(seat)

    def _vacate(self, seat: int) -> None:
        self.board.set_presence(seat, Presence.LEFT)
        question = self.open[seat]
        if question is not None:
            self._default(question, Verdict.DEFAULTED)

    def amendments_of(self, seat: int) -> int:
        """How often the seat has changed its present bid."""
        return self._amended[seat]

    # Questions and answers

    def handed_over(self, question: Question, now: float) -> None:
        """The question was handed to the transport: its clock runs from `now`."""
        if question.handed_at:
            return
        deadline = self.clocks.start(question, now)
        if deadline and (not self.alarm_at or self.alarm_at > deadline):
            self._alarms.set(self, deadline)
        if self.audience.onlookers and self.clocks.running:
            self.audience.tell_onlookers()
        if self.witness is not None:
            self.witness.handed_over(question)

    def answer(
        self, seat: int, seq: int, attempt: int, command: Command | None, at: float
    ) -> Reply:
        """Takes an answer that was read at `at`.

        `attempt` 0 means the present one; no command is an answer that says nothing.
        """
        if self.witness is not None:
            return self.witness.answered(seat, seq, attempt, command, at)
        return self.judge(seat, seq, attempt, command, at)

    def judge(
        self, seat: int, seq: int, attempt: int, command: Command | None, at: float
    ) -> Reply:
        """Whether an answer holds; the match goes on from there if it does."""
        question = self.open[seat]
        # Before it is handed over nobody has been asked, or may learn that it is open.
        if question is None or question.seq != seq or not question.handed_at:
            closed, last = self._closed[seat], self.match.seq
            return judge_closed(closed, seq, command, last=last, now=question)
        if attempt and attempt != question.attempt:
            return judge_other_attempt(question, attempt, command)
        if question.deadline and at > question.deadline:
            self._expire(question)
            return DEFAULTED
        if command is None:
            return self._refuse(question, command, NO_ACTION, at)
        try:
            if type(command) is PlayCard:
                # Nearly all are.
                self.match.play(seat, command.card, command.call, _BY_ANSWER)
            else:
                act(self.match, seat, command, _BY_ANSWER)
                self._amended[seat] = 0
        except Refusal as refusal:
            return self._refuse(question, command, refused(refusal), at)
        self.open[seat] = None
        took = at - question.handed_at
        if question.deadline and took > self.clocks.free_s:
            self.clocks.charge(seat, took)
            self._note_charge(question, took)
        entry = seq + 1 if not self._secret or self.match.seq > seq else 0
        reply = accepted(entry, question.attempt)
        self._closed[seat] = (seq, command, reply)
        self._decided(question.ask, _OK, self.players[seat].link, took)
        if not entry:
            self._sealed(seat)
        self._advance()
        return reply

    def answer_now(self, seat: int, command: Command, at: float) -> Reply:
        """As `answer`, for callers that name no decision: the open one is meant."""
        question = self.open[seat]
        if question is not None:
            return self.answer(seat, question.seq, 0, command, at)
        if isinstance(command, PlaceBid) and self.match.amendable(seat):
            return HAS_BID
        try:
            act(self.match, seat, command, Cause.ANSWER)
        except Refusal as refusal:
            return refused(refusal)
        raise AssertionError("a seat that is asked nothing was allowed to act")

    def amend(self, seat: int, seq: int, bid: int | None) -> Reply:
        """Replaces the seat's last bid, where table and rules allow it."""
        match = self.match
        reply = judge_amending(self, seat, seq)
        if reply is not None:
            return reply
        try:
            match.bid(seat, bid)
        except Refusal as refusal:
            return refused(refusal)
        self._amended[seat] += 1
        if match.seq == seq:
            self._sealed(seat)
            return Reply(accepted=True)
        for question in self.open:
            if question is not None:
                self.open[question.seat] = None
                self.players[question.seat].withdraw(question, Withdrawal.AMENDED)
        self._advance()
        return Reply(accepted=True, entry=seq + 1)

    def stand_in(self, question: Question, fault: Fault | None = None) -> None:
        """The player cannot be reached: the fallback player decides at once."""
        if self.open[question.seat] is question:
            if fault is not None:
                self._fault(question.seat, fault)
            self._default(question, Verdict.DEFAULTED)

    def count_fault(self, seat: int, fault: Fault) -> None:
        """A fault of the player that is tied to no decision."""
        if self.state is not State.RUNNING:
            return
        self._fault(seat, fault)
        question = self.open[seat]
        if question is not None and self.guards[seat].kept_by_fallback:
            self._default(question, Verdict.DEFAULTED)

    def settled(self, seat: int) -> int:
        """The last decision of the seat that is closed; 0: none."""
        closed = self._closed[seat]
        return closed[0] if closed is not None else 0

    def wake(self, now: float) -> None:
        """Expires questions whose deadline has passed."""
        for question in tuple(self.open):
            if question is not None and 0 < question.deadline <= now:
                self._expire(question)
        deadlines = [q.deadline for q in self.open if q is not None and q.deadline]
        if deadlines:
            self._alarms.set(self, min(deadlines))

    # Time that is nobody's

    def restart_clocks(self, now: float) -> None:
        """Open decisions have all their time again: it was the server that stood."""
        for question in self.open:
            if question is not None and question.handed_at:
                question.handed_at = question.deadline = 0.0
                if self.players[question.seat].link is Link.UNARY:
                    self.handed_over(question, now)

    def stood_still(self, seconds: float, now: float) -> None:
        """The server itself was not there for so long: no clock has run."""
        pauses = self.clocks.put_off(self.open, seconds, now)
        for pause in pauses:
            self._observer.clock_stopped(pause)
        if pauses:
            self.board.stood_still(round(seconds * 1000))

    def stop_clocks(self, now: float) -> None:
        """Nobody's time is counted any more; banks stay as they are."""
        if self.clocks.stop(self.open, now):
            self.board.stop()

    def waits_for_somebody(self, now: float) -> bool:
        """Whether a clock runs, or a question is on its way to a player."""
        return any(
            (not question.deadline or question.deadline > now)
            if question.handed_at
            else self.players[question.seat].has(question)
            for question in self.open
            if question is not None
        )

    # Judging

    def _refuse(
        self, question: Question, command: Command | None, refusal: Reply, at: float
    ) -> Reply:
        seat = question.seat
        link = self.players[seat].link
        reply = refusal._replace(attempt=question.attempt)
        self._observer.decided(
            question.ask, Verdict.ILLEGAL, link, at - question.handed_at
        )
        # A person at a table without a clock is told, and simply tries again.
        if link is Link.UNARY and not self.setup.clock.running:
            return reply._replace(again=True)
        self._fault(seat, Fault.ILLEGAL)
        if question.attempt < ATTEMPTS and not self.guards[seat].kept_by_fallback:
            reply = reply._replace(again=True)
            question.refused = (command, reply)
            question.attempt += 1
            self.players[seat].ask(question)
            return reply
        self._default(question, Verdict.DEFAULTED, (question.seq, command, reply))
        return reply

    # Moving on

    def _expire(self, question: Question) -> None:
        self.clocks.banks[question.seat] = 0
        self._note_charge(question, question.deadline - question.handed_at)
        self._fault(question.seat, Fault.DEADLINE)
        self._default(question, Verdict.TIMEOUT)

    def _default(
        self, question: Question, verdict: Verdict, closed: Closed | None = None
    ) -> None:
        """Closes a question with the fallback player's action and goes on."""
        seat = question.seat
        command = fallback(self.match, seat)
        self.open[seat] = None
        self._closed[seat] = closed or (question.seq, command, DEFAULTED)
        player = self.players[seat]
        player.withdraw(question, Withdrawal.DEFAULTED)
        act(self.match, seat, command, self.guards[seat].cause)
        if self.match.seq == question.seq:
            self._sealed(seat)
        self._observer.decided(question.ask, verdict, player.link, 0.0)
        self._advance()

    def _advance(self) -> None:
        """Journals and tells what is new, then asks those whose turn it is.

        Players may answer before `ask` returns; such calls only note that there is
        more to do, so that a table of fast players does not grow the stack.
        """
        if self._advancing:
            self._again = True
            return
        self._advancing = True
        match = self.match
        try:
            more = self.outcome is None
            while more:
                self._again = False
                seq = match.seq
                if seq != self._journalled:
                    if self._journal is not None:
                        self._journal.entries(self, self._journalled)
                    self.seq_before = self._journalled
                    self._journalled = seq
                    if self._secret and self.board.sealed:
                        self.board.sealed.clear()
                    if self.audience.listeners:
                        self.audience.tell(seq)
                if match.phase is _OVER:
                    self._finish(End.PLAYED)
                else:
                    self._ask()
                more = self._again and self.outcome is None
        finally:
            self._advancing = False

    def _ask(self) -> None:
        match = self.match
        kind = self._asks[match.phase]
        open_now = self.open
        for seat in match.to_act():
            if open_now[seat] is not None:
                continue
            question = open_now[seat] = Question(self, seat, self._journalled, kind)
            if self.guards[seat].kept_by_fallback:
                self._default(question, Verdict.DEFAULTED)
            else:
                self.players[seat].ask(question)
            if self._again:
                return
        if self.audience.listeners:
            self.audience.tell(0)

    def _sealed(self, seat: int) -> None:
        if self._journal is not None:
            self._journal.sealed(self, seat)
        self.board.seal(seat)
        self.audience.tell(0)

    def _finish(self, why: End) -> None:
        played = why is End.PLAYED
        self.outcome = outcome_of(why, self.match, self.guards)
        for question in self.open:
            if question is not None:
                self.open[question.seat] = None
                self.players[question.seat].withdraw(question, Withdrawal.CANCELLED)
        self._enter(State.FINISHED if played else State.CANCELLED)
        for player in self.players:
            player.ended(self.outcome)
        self.audience.tell(0)
        self._alarms.forget(self)
        on_end, self._on_end = self._on_end, _nobody
        on_end(self)

    def _enter(self, state: State) -> None:
        before, self.state = self.state, state
        self._observer.table_state(self, before)

    def _fault(self, seat: int, fault: Fault) -> None:
        self.guards[seat].count(fault)
        if self._journal is not None:
            question = self.open[seat]
            asked_at = question.handed_at if question is not None else 0.0
            took = self._alarms.clock() - asked_at if asked_at else 0.0
            self._journal.faulted(
                self,
                seat,
                fault,
                attempt=question.attempt if question is not None else 1,
                milliseconds=round(took * 1000),
            )
        self._observer.faulted(self, seat, fault)

    def _note_charge(self, question: Question, took: float) -> None:
        if self._journal is not None:
            self._journal.charged(
                self,
                question.seat,
                question.seq,
                attempts=question.attempt,
                milliseconds=round(took * 1000),
            )
