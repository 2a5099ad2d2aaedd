"""Alarms, and how the event loop that rings them is measured."""

import asyncio
import weakref
from dataclasses import dataclass, field

from server.clock import BEAT, Alarms, LoopDriver


@dataclass(eq=False)
class Sleepy:
    """Notes when it was woken."""

    alarm_at: float = 0.0
    woken: list[float] = field(default_factory=list)
    failed: list[Exception] = field(default_factory=list)

    def wake(self, now: float) -> None:
        self.woken.append(now)

    def fail(self, error: Exception) -> None:
        self.failed.append(error)


class Broken(Sleepy):
    def wake(self, now: float) -> None:
        raise RuntimeError


def test_a_sleeper_is_woken_once_at_its_earliest_alarm() -> None:
    alarms = Alarms(lambda: 0.0)
    sleeper = Sleepy()
    alarms.set(sleeper, 5.0)
    alarms.set(sleeper, 3.0)
    alarms.set(sleeper, 4.0)
    alarms.ring(2.9)
    assert sleeper.woken == []
    alarms.ring(10.0)
    assert sleeper.woken == [10.0]
    assert sleeper.alarm_at == 0.0


def test_only_an_earlier_first_alarm_moves_the_driver() -> None:
    moved: list[float] = []
    alarms = Alarms(lambda: 0.0)
    alarms.on_earlier = moved.append
    first, second = Sleepy(), Sleepy()
    alarms.set(first, 5.0)
    alarms.set(second, 7.0)
    alarms.set(second, 6.0)
    alarms.set(second, 4.0)
    assert moved == [5.0, 4.0]
    assert alarms.next_at() == 4.0


def test_a_sleeper_that_fails_keeps_nobody_asleep() -> None:
    alarms = Alarms(lambda: 0.0)
    broken, other = Broken(), Sleepy()
    alarms.set(broken, 1.0)
    alarms.set(other, 1.0)
    alarms.ring(2.0)
    assert len(broken.failed) == 1
    assert other.woken == [2.0]


def test_a_sleeper_that_is_forgotten_sleeps_on_and_is_let_go() -> None:
    alarms = Alarms(lambda: 0.0)
    sleeper = Sleepy()
    alarms.set(sleeper, 1.0)
    alarms.forget(sleeper)
    alarms.ring(2.0)
    assert sleeper.woken == []
    alarms.set(sleeper, 4.0)
    alarms.set(sleeper, 3.0)
    gone = weakref.ref(sleeper)
    alarms.forget(sleeper)
    del sleeper
    assert gone() is None
    alarms.ring(5.0)


async def test_how_late_the_loop_is_gets_measured_though_no_alarm_rings() -> None:
    now = 100.0
    measured: asyncio.Queue[float] = asyncio.Queue()
    driver = LoopDriver(Alarms(lambda: now), measured.put_nowait)
    now += BEAT + 0.5
    assert await measured.get() == 0.5
    now += BEAT
    assert await measured.get() == 0.0
    driver.close()
