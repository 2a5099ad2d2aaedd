"""Whatever a bot and its network do, no question is lost and no worker stays taken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fallback import Command, PlaceBid, fallback
from server.clock import NO_CLOCK, TimeControl
from server.observe import Observer
from server.outcome import State
from server.players.seat import Seat
from server.table import Table
from tests.doubles.tables import SEATS, setup
from tests.unit.server.test_sessions import BLITZ, Bot, Obedient

SHORT: dict[str, object] = {"deal_shape": "list", "deal_list": [3, 2]}
MOST_TABLES = 6
ILLEGAL = PlaceBid(77)
ENOUGH_S = 2.0
"""For any question to expire, or to hang a little later."""


class Walk:
    """One bot process after the other at some tables, and what may happen to it."""

    def __init__(self, data: st.DataObject, workers: int, clock: TimeControl) -> None:
        self._draw = data.draw
        self._clock = clock
        self.bot = Bot(workers, clock)

    def step(self) -> None:
        session = self.bot.session
        here = session.transport is not None
        happenings = self._always() + (self._on_a_stream() if here else self._away())
        self._one_of(happenings)()
        self._is_sound()

    def ends(self) -> None:
        """From here on the bot does what it should: every match comes to its end."""
        bot = self.bot
        self._lost()
        while not all(table.outcome for table in bot.tables):
            stream = bot.connect()
            # A table asks less often than this.
            for _ in range(MOST_TABLES * 10):
                for question in stream.take():
                    bot.answer(question)
                bot.time.move(ENOUGH_S)
            self._lost()
        assert bot.session.seats == {}
        assert not bot.session.busy

    def _one_of(self, happenings: list[Callable[[], object]]) -> Callable[[], object]:
        return happenings[self._draw(st.integers(0, len(happenings) - 1))]

    # What may happen

    def _always(self) -> list[Callable[[], object]]:
        seconds = self._draw(st.sampled_from([0.2, 1.1, 6.0, 11.0]))
        return [self._open, self._store_is_back, lambda: self.bot.time.move(seconds)]

    def _away(self) -> list[Callable[[], object]]:
        return [self.bot.connect, self._another_process]

    def _on_a_stream(self) -> list[Callable[[], object]]:
        always = [self.bot.stream.take, self._lost]
        seats = list(self.bot.session.seats.values())
        if not seats:
            return [*always]
        seat = seats[self._draw(st.integers(0, len(seats) - 1))]
        table = seat.table
        number = self._draw(st.integers(1, table.match.seq + 2))
        question = table.open[seat.seat]
        happenings: list[Callable[[], object]] = [
            *always,
            lambda: self._say(seat, number, ILLEGAL),
            lambda: self._say(seat, number, PlaceBid(1), attempt=1),
            lambda: table.amend(seat.seat, table.match.seq, 1),
            lambda: self._leave(seat),
        ]
        if question is not None:
            seq, right = question.seq, fallback(table.match, seat.seat)
            happenings += [
                lambda: self._say(seat, seq, right),
                lambda: self._say(seat, seq, ILLEGAL),
                lambda: self._say(seat, seq, ILLEGAL, attempt=1),
            ]
        return happenings

    def _open(self) -> None:
        bot = self.bot
        if len(bot.tables) == MOST_TABLES:
            return
        name, amends = f"t{len(bot.tables)}", self._draw(st.booleans())
        others = [Obedient(bot.time) for _ in range(SEATS - 1)]
        table = Table(
            setup(table=name, clock=self._clock, amendments=amends, overrides=SHORT),
            [bot.session.player(), *others],
            alarms=bot.time.alarms,
            observer=Observer(),
            on_end=lambda table: None,
        )
        bot.tables.append(table)
        table.start()

    def _say(self, seat: Seat, seq: int, command: Command, attempt: int = 0) -> None:
        now = self.bot.time.now
        reply = seat.table.answer(seat.seat, seq, attempt, command, now)
        if not reply.again:
            self.bot.session.release(seat, seq)

    def _leave(self, seat: Seat) -> None:
        seat.table.leave(seat.seat)
        if seat.table.state is State.RUNNING:
            self.bot.session.left(seat)

    def _lost(self) -> None:
        if self.bot.session.transport is not None:
            self.bot.session.detach()

    def _another_process(self) -> None:
        lost = self.bot.session
        self.bot.session = self.bot.new_session(lost.workers)
        self.bot.session.adopt(lost)
        self.bot.connect()

    def _store_is_back(self) -> None:
        bot = self.bot
        for table in bot.tables:
            table.restart_clocks(bot.time.now)
        bot.session.excuse(bot.time.now + 60)
        # A stream that was there had been told to end.
        self._lost()

    # What is always so

    def _is_sound(self) -> None:
        session = self.bot.session
        seats = list(session.seats.values())
        assert session.busy == any(seat.held for seat in seats)
        taken = sum(len(seat.held) for seat in seats)
        no_worker_free = taken >= session.workers
        for seat in seats:
            question = seat.table.open[seat.seat]
            if question is None or seat.over:
                continue
            holds_worker = question.seq in seat.held
            assert holds_worker or session.has(question)
            # It waits for a worker only while there is none.
            assert holds_worker or session.transport is None or no_worker_free
            # What nobody hears of has a clock, or waits for a stream.
            assert question.handed_at or session.has(question)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("clock", [BLITZ, NO_CLOCK], ids=["blitz", "no clock"])
@given(data=st.data())
def test_every_match_ends_whatever_has_happened_to_a_bot(
    workers: int, clock: TimeControl, data: st.DataObject
) -> None:
    walk = Walk(data, workers, clock)
    for _ in range(data.draw(st.integers(1, 60))):
        walk.step()
    walk.ends()
