"""Matches that nobody can move on, under a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from engine.fallback import PlaceBid
from server.clock import TimeControl
from server.decision import Question
from server.observe import Observer
from server.outcome import End, State
from server.table import Table
from server.watchdog import Stuck, Watchdog
from tests.doubles.stage import staged
from tests.doubles.tables import HandClock, NotingPlayer, setup

AFTER = 60.0
SEATS = 4


@dataclass
class LosingPlayer(NotingPlayer):
    """Forgets what it is asked, as only a mistake of the service could."""

    keeps: bool = False

    def ask(self, question: Question) -> None:
        self.asked.append(question)

    def has(self, question: Question) -> bool:
        return self.keeps and question in self.asked


@dataclass
class Failures(Observer):
    errors: list[BaseException] = field(default_factory=list)

    def table_failed(self, table: Table, error: BaseException) -> None:
        self.errors.append(error)


class Watched:
    """A table with one kind of player on all seats, and a dog that looks at it."""

    def __init__(
        self, kind: type[NotingPlayer], *, clock_ms: int = 0, keeps: bool = False
    ) -> None:
        self.clock = HandClock()
        self.failures = Failures()
        self.players = [kind(self.clock) for _ in range(SEATS)]
        for player in self.players:
            if isinstance(player, LosingPlayer):
                player.keeps = keeps
        self.table = Table(
            setup(clock=TimeControl(per_decision_ms=clock_ms)),
            self.players,
            alarms=self.clock.alarms,
            observer=self.failures,
            on_end=lambda _table: None,
        )
        self.table.start()
        self.dog = Watchdog(
            {"t": self.table}, self.clock.alarms, self.failures, after=AFTER
        )


def test_a_match_that_waits_for_nobody_for_a_minute_is_void_and_nobody_is_charged() -> (
    None
):
    watched = Watched(LosingPlayer)
    watched.clock.move(AFTER - 1)
    assert watched.table.state is State.RUNNING
    # It looks four times in the time.
    watched.clock.move(1 + AFTER / 4)
    assert watched.table.outcome is not None
    assert watched.table.outcome.why is End.VOIDED
    assert watched.table.outcome.faults == ({},) * SEATS
    assert [type(error) for error in watched.failures.errors] == [Stuck]


@pytest.mark.parametrize(
    "watched",
    [
        pytest.param(lambda: Watched(NotingPlayer), id="somebody thinks"),
        pytest.param(lambda: Watched(LosingPlayer, keeps=True), id="a queue has it"),
    ],
)
def test_a_match_that_waits_for_somebody_may_take_any_time(
    watched: Callable[[], Watched],
) -> None:
    found = watched()
    found.clock.move(100 * AFTER)
    assert found.table.state is State.RUNNING


def test_a_match_that_has_moved_on_has_all_the_time_again() -> None:
    watched = Watched(LosingPlayer)
    watched.clock.move(AFTER - 1)
    (question,) = [q for q in watched.table.open if q is not None]
    # The dog is asleep while somebody is waited for, once.
    watched.table.handed_over(question, watched.clock.now)
    watched.clock.move(AFTER / 4)
    watched.table.answer(question.seat, question.seq, 0, PlaceBid(0), watched.clock.now)
    watched.clock.move(AFTER - 1)
    assert watched.table.outcome is None
    watched.clock.move(AFTER)
    assert watched.table.outcome is not None


async def test_a_host_waits_as_long_as_its_patience_says() -> None:
    async with staged(stuck_ms=200) as stage:
        clock = HandClock()
        players = [LosingPlayer(clock) for _ in range(SEATS)]
        table = stage.host.open_table(setup(), players, stage._note_end)
        await stage.until_ended()
        assert table.outcome is not None
        assert table.outcome.why is End.VOIDED
