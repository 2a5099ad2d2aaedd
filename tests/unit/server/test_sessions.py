"""A bot process with many tables, under a clock that the test moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from engine.events import Cause
from engine.fallback import Command, PlaceBid, fallback
from server.arena import Arena
from server.clock import TimeControl
from server.decision import Question, Reply
from server.guard import Fault
from server.notice import Notice
from server.observe import Observer
from server.outcome import Outcome
from server.players.farewell import MOST_FAREWELLS, Farewell
from server.players.port import Withdrawal
from server.players.seat import Seat
from server.players.session import REMEMBERED_S, Session
from server.table import Table
from tests.doubles.tables import SEATS, HandClock, NotingPlayer, setup

BLITZ = TimeControl(per_decision_ms=1000, bank_ms=0, increment_ms=0, grace_ms=0)


@dataclass
class NotingTransport:
    """A stream that never loses anything."""

    session: Session
    clock: HandClock
    seats: list[int] = field(default_factory=list)
    withdrawn: list[tuple[int, Withdrawal]] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    notices: list[tuple[int, Notice]] = field(default_factory=list)
    waiting: int = 0

    def seated(self, seat: Seat) -> None:
        self.seats.append(seat.handle)

    def notify(self) -> None:
        """The test takes questions itself."""

    def news(self, seat: Seat) -> None:
        """As above."""

    def notice(self, seat: Seat, notice: Notice) -> None:
        self.notices.append((seat.handle, notice))

    def drain(self, milliseconds: int) -> None:
        """Nothing goes down here."""

    def withdraw(self, seat: Seat, question: Question, why: Withdrawal) -> None:
        self.withdrawn.append((seat.handle, why))

    def ended(self, seat: Seat, outcome: Outcome | None) -> None:
        self.over.append(seat.handle)

    def farewell(self, farewell: Farewell) -> None:
        self.over.append(farewell.handle)

    def close(self, why: str) -> None:
        self.closed.append(why)

    def fail(self, error: Exception) -> None:
        raise error

    def take(self) -> list[Question]:
        """Everything that is to be sent now."""
        return [question for _, question in self.session.take(1000, self.clock.now)]


class Waits(Observer):
    """Notes how long questions waited for a free worker."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def waited(self, seconds: float) -> None:
        self.seconds.append(seconds)


class Bot:
    """The bot at seat 0 of some tables; the other seats are played by themselves."""

    def __init__(self, workers: int = 1, clock: TimeControl = BLITZ) -> None:
        self.time = HandClock()
        self._clock = clock
        self.heard = Waits()
        self.session = self.new_session(workers)
        self.stream = self.connect()
        self.tables: list[Table] = []

    def new_session(self, workers: int) -> Session:
        session = Session(
            "bot",
            instance_id="",
            lane=0,
            session_id="s",
            alarms=self.time.alarms,
            observer=self.heard,
        )
        session.workers = workers
        return session

    def connect(self) -> NotingTransport:
        self.stream = NotingTransport(self.session, self.time)
        self.session.attach(self.stream)
        return self.stream

    def open_tables(self, count: int, others: type[NotingPlayer] | None = None) -> None:
        """At each the bot is the first to bid; the others are `Obedient`, or these."""
        for _ in range(count):
            seated = [(others or Obedient)(self.time) for _ in range(SEATS - 1)]
            table = Table(
                setup(table=f"t{len(self.tables)}", clock=self._clock),
                [self.session.player(), *seated],
                alarms=self.time.alarms,
                observer=Observer(),
                on_end=lambda table: None,
            )
            self.tables.append(table)
            table.start()

    def answer(self, question: Question) -> Reply:
        """What the fallback player would do, or a bid where it has done so already."""
        table = question.table
        is_open = table.open[0] is question
        return self.say(question, fallback(table.match, 0) if is_open else PlaceBid(1))

    def say(self, question: Question, command: Command, attempt: int = 0) -> Reply:
        """As what a bot sends is taken in."""
        (seat,) = [
            seat for seat in self.session.seats.values() if seat.table is question.table
        ]
        table, now = question.table, self.time.now
        attempt = attempt or question.attempt
        reply = table.answer(0, question.seq, attempt, command, now)
        if not reply.again:
            self.session.release(seat, question.seq)
        return reply


class Obedient(NotingPlayer):
    """Does at once what the fallback player would do."""

    def ask(self, question: Question) -> None:
        super().ask(question)
        table, seat = question.table, question.seat
        table.answer(seat, question.seq, 0, fallback(table.match, seat), self.clock.now)


def test_no_more_questions_are_open_than_the_bot_has_workers() -> None:
    bot = Bot(workers=2)
    bot.open_tables(5)
    sent = bot.stream.take()
    assert [question.table for question in sent] == bot.tables[:2]
    assert bot.stream.take() == []
    bot.answer(sent[0])
    assert [question.table for question in bot.stream.take()] == [bot.tables[2]]


def test_a_question_that_waits_in_the_server_has_no_clock() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    (first,) = bot.stream.take()
    bot.time.move(0.9)
    bot.answer(first)
    bot.time.move(100.0)
    (second,) = bot.stream.take()
    assert second.time_left(bot.time.now) == (1000, 0)
    assert bot.tables[1].guards[0].as_counts() == {}
    assert bot.heard.seconds == pytest.approx([0.9])


def test_waiting_questions_go_out_in_turn_over_the_tables() -> None:
    bot = Bot(workers=1)
    bot.open_tables(3)
    order = []
    for _ in range(6):
        (question,) = bot.stream.take()
        order.append(bot.tables.index(question.table))
        bot.answer(question)
    assert order == [0, 1, 2, 0, 1, 2]


def test_a_worker_stays_taken_after_expiry_until_the_late_answer_comes() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    (first,) = bot.stream.take()
    bot.time.move(1.5)
    assert bot.stream.withdrawn == [(1, Withdrawal.DEFAULTED)]
    assert bot.stream.take() == []
    assert bot.answer(first).reason == "DECISION_DEFAULTED"
    (second,) = bot.stream.take()
    assert second.table is bot.tables[1]
    assert bot.stream.closed == []


def test_a_question_that_hangs_ends_the_stream_and_costs_only_its_own_table() -> None:
    bot = Bot(workers=2)
    bot.open_tables(2)
    hanging, other = bot.stream.take()
    bot.answer(other)
    bot.time.move(1.0)
    bot.stream.take()
    bot.time.move(4.9)
    assert bot.stream.closed == []
    bot.time.move(0.2)
    assert "HANG" in bot.stream.closed
    assert hanging.table.guards[0].counts[Fault.HANG] == 1


def test_open_questions_are_repeated_on_the_next_stream_with_the_time_left() -> None:
    bot = Bot(workers=4)
    bot.open_tables(2)
    sent = bot.stream.take()
    bot.time.move(0.3)
    bot.session.detach()
    bot.time.move(0.3)
    stream = bot.connect()
    assert stream.seats == [1, 2]
    assert stream.take() == sent
    assert sent[0].time_left(bot.time.now) == (400, 0)


def test_an_open_question_expires_while_the_stream_is_lost() -> None:
    bot = Bot(workers=4)
    bot.open_tables(1)
    (question,) = bot.stream.take()
    bot.session.detach()
    bot.time.move(1.1)
    assert bot.tables[0].match.entry(question.seq + 1).cause is Cause.FALLBACK
    assert bot.tables[0].guards[0].as_counts() == {"DEADLINE": 1}


def test_what_was_not_sent_when_the_stream_was_lost_waits_without_a_clock() -> None:
    bot = Bot(workers=4)
    bot.open_tables(1)
    bot.session.detach()
    bot.time.move(9.9)
    assert bot.tables[0].guards[0].as_counts() == {}
    (question,) = bot.connect().take()
    assert question.time_left(bot.time.now) == (1000, 0)


def test_after_ten_seconds_the_fallback_player_stands_in_and_it_counts_once() -> None:
    bot = Bot(workers=4)
    bot.open_tables(3)
    bot.session.detach()
    bot.time.move(10.1)
    for table in bot.tables:
        assert table.outcome is not None
        assert table.outcome.faults[0] == {"DISCONNECT": 1}


def test_a_bot_that_comes_back_in_time_has_lost_nothing() -> None:
    bot = Bot(workers=4)
    bot.open_tables(2)
    bot.session.detach()
    bot.time.move(9.0)
    assert len(bot.connect().take()) == 2
    assert all(not table.guards[0].counts for table in bot.tables)


def test_a_question_whose_clock_was_turned_back_waits_for_the_next_stream() -> None:
    """As when the store is there again before a stream has ended for its trouble."""
    bot = Bot(workers=4)
    bot.open_tables(2)
    bot.stream.take()
    for table in bot.tables:
        table.restart_clocks(bot.time.now)
    bot.session.detach()
    bot.time.move(9.0)
    assert [q.time_left(bot.time.now) for q in bot.connect().take()] == [(1000, 0)] * 2
    for table in bot.tables:
        table.restart_clocks(bot.time.now)
    bot.session.detach()
    bot.time.move(10.1)
    for table in bot.tables:
        assert table.outcome is not None
        assert table.outcome.faults[0] == {"DISCONNECT": 1}


def test_thirty_seconds_of_waiting_in_one_match_are_the_most() -> None:
    bot = Bot(workers=4, clock=TimeControl())
    bot.open_tables(1)
    for _ in range(3):
        bot.session.detach()
        bot.time.move(9.5)
        bot.connect()
    bot.session.detach()
    bot.time.move(1.0)
    assert bot.tables[0].guards[0].as_counts() == {}
    bot.time.move(1.0)
    assert bot.tables[0].guards[0].as_counts()["DISCONNECT"] == 1


def test_a_new_process_of_the_lane_takes_over_the_seats_of_a_lost_one() -> None:
    bot = Bot(workers=4)
    bot.open_tables(2)
    (first, _) = bot.stream.take()
    bot.answer(first)
    bot.session.detach()
    lost = bot.session
    bot.session = bot.new_session(workers=4)
    bot.session.adopt(lost)
    stream = bot.connect()
    assert sorted(stream.seats) == [1, 2]
    assert {question.table for question in stream.take()} == set(bot.tables)
    assert lost.seats == {}


def test_a_move_that_puts_a_seat_on_turn_waits_for_the_question() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    first, second = bot.session.seats.values()
    (question,) = bot.stream.take()
    assert first.may_read_to() == question.seq
    assert second.may_read_to() == 0
    bot.answer(question)
    bot.stream.take()
    assert second.may_read_to() == bot.tables[1].match.seq


def test_a_question_that_waits_in_the_server_cannot_be_answered() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    (first,) = bot.stream.take()
    waiting = bot.tables[1].open[0]
    assert waiting is not None
    for bid in (0, 77):
        reply = bot.say(waiting, PlaceBid(bid))
        # Nor does it tell whether there is one.
        assert (reply.reason, reply.details) == ("STALE_DECISION", {})
    assert bot.tables[1].guards[0].as_counts() == {}
    bot.answer(first)
    (second,) = bot.stream.take()
    assert second is waiting
    assert bot.answer(second).accepted
    assert [question.table for question in bot.stream.take()] == [bot.tables[0]]


def test_a_guess_at_the_next_question_does_not_free_its_worker() -> None:
    bot = Bot(workers=1)
    bot.open_tables(1)
    (first,) = bot.stream.take()
    bot.answer(first)
    following = bot.tables[0].open[0]
    assert following is not None
    assert not bot.say(following, PlaceBid(0)).accepted
    bot.open_tables(1)
    assert bot.stream.take() == [following]
    assert bot.session.busy
    bot.time.move(1.1)
    assert bot.stream.withdrawn == [(1, Withdrawal.DEFAULTED)]


def test_a_stale_answer_to_an_open_question_does_not_free_its_worker() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    (question,) = bot.stream.take()
    assert bot.say(question, PlaceBid(77)).again
    assert bot.stream.take() == [question]
    assert bot.say(question, PlaceBid(78), attempt=1).reason == "STALE_DECISION"
    assert bot.stream.take() == []
    assert bot.answer(question).accepted
    assert [asked.table for asked in bot.stream.take()] == [bot.tables[1]]


def test_an_answer_that_comes_before_its_question_is_repeated_settles_it() -> None:
    bot = Bot(workers=4)
    bot.open_tables(1, others=NotingPlayer)
    (question,) = bot.stream.take()
    bot.session.detach()
    stream = bot.connect()
    assert bot.answer(question).accepted
    assert stream.take() == []
    assert not bot.session.busy


def test_a_refused_question_that_is_to_be_repeated_is_repeated_once() -> None:
    bot = Bot(workers=4)
    bot.open_tables(1)
    (question,) = bot.stream.take()
    bot.session.detach()
    stream = bot.connect()
    assert bot.say(question, PlaceBid(77)).again
    assert stream.take() == [question]
    assert question.attempt == 2


def test_leaving_is_final_and_frees_the_worker() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2)
    (question,) = bot.stream.take()
    seat = next(iter(bot.session.seats.values()))
    bot.session.left(seat)
    question.table.leave(0)
    assert question.table.outcome is not None
    assert question.table.outcome.faults[0] == {"LEFT": 1}
    assert list(bot.session.seats) == [2]
    assert [asked.table for asked in bot.stream.take()] == [bot.tables[1]]


def test_a_seat_that_is_left_among_people_frees_its_worker() -> None:
    bot = Bot(workers=1)
    bot.open_tables(2, others=NotingPlayer)
    (question,) = bot.stream.take()
    seat = next(iter(bot.session.seats.values()))
    question.table.leave(0)
    bot.session.left(seat)
    assert question.table.outcome is None
    assert [asked.table for asked in bot.stream.take()] == [bot.tables[1]]


@pytest.mark.parametrize("workers", [1, 3, 64])
def test_whole_matches_are_played_at_any_number_of_workers(workers: int) -> None:
    bot = Bot(workers=workers)
    bot.open_tables(6)
    while batch := bot.stream.take():
        for question in batch:
            bot.answer(question)
    assert [table.outcome is not None for table in bot.tables] == [True] * 6
    # All tables have the same deals.
    assert [table.outcome for table in bot.tables] == [bot.tables[0].outcome] * 6
    assert bot.session.seats == {}


def end_of(bot: Bot, table: Table) -> int:
    """Ends the match of a table, and gives the handle of the bot's seat there."""
    seat = table.players[0]
    assert isinstance(seat, Seat)
    table.cancel()
    return seat.handle


def test_ends_are_told_to_each_stream_until_one_is_heard_to_the_last() -> None:
    bot = Bot(workers=4)
    bot.open_tables(3)
    first, second, third = bot.tables
    ends = [end_of(bot, first)]
    bot.session.farewells.sent(beat=1)
    ends.append(end_of(bot, second))
    bot.session.farewells.heard(beat=1)
    bot.session.detach()
    ends.append(end_of(bot, third))
    assert bot.connect().over == ends[1:]
    # Beats of another stream count no longer.
    bot.session.farewells.heard(beat=1)
    bot.session.detach()
    assert bot.connect().over == ends[1:]
    bot.session.farewells.sent(beat=1)
    bot.session.farewells.heard(beat=1)
    bot.session.detach()
    assert bot.connect().over == []


def test_a_bot_that_answers_no_beat_has_a_number_of_ends_kept_and_no_more() -> None:
    bot = Bot(workers=4)
    bot.open_tables(MOST_FAREWELLS + 2)
    ends = [end_of(bot, table) for table in bot.tables]
    bot.session.detach()
    assert bot.connect().over == ends[2:]


def test_a_process_that_stays_away_is_forgotten_with_what_it_was_to_be_told() -> None:
    time = HandClock()
    arena = Arena(time.alarms, Waits())
    session, resumed = arena.session(
        "bot", instance_id="one", lane=0, resume="", most=1
    )
    assert not resumed
    stream = NotingTransport(session, time)
    arena.attach(session, stream)
    bot = Bot()
    bot.time, bot.session = time, session
    bot.open_tables(1)
    arena.lost(session, stream, "EOF")
    end_of(bot, bot.tables[0])
    time.move(REMEMBERED_S - 1)

    def come_back() -> tuple[Session, bool]:
        return arena.session(
            "bot", instance_id="one", lane=0, resume=session.session_id, most=1
        )

    assert come_back() == (session, True)
    assert len(session.farewells) == 1
    time.move(1)
    assert len(session.farewells) == 0
    other, resumed = come_back()
    assert other is not session
    assert not resumed
