"""Restarts back off, and a bot that keeps dying is left alone for a minute."""

from tournament.launcher import Restart, Restarts


def test_delays_grow_to_a_second() -> None:
    restarts = Restarts()
    delays = [restarts.ended(now).delay for now in (0.0, 1.0, 2.0, 3.0)]
    assert delays == [0.25, 0.5, 1.0, 1.0]


def test_after_a_quiet_minute_the_delay_is_short_again() -> None:
    restarts = Restarts()
    for now in (0.0, 1.0, 2.0):
        restarts.ended(now)
    assert restarts.ended(100.0) == Restart(0.25, probe=False)


def test_five_restarts_in_a_minute_open_the_circuit() -> None:
    restarts = Restarts()
    ends = [restarts.ended(float(now)) for now in range(6)]
    assert [end.probe for end in ends] == [False] * 5 + [True]
    assert ends[-1].delay == 60.0


def test_ends_more_than_a_minute_apart_never_open_it() -> None:
    restarts = Restarts()
    assert not any(restarts.ended(13.0 * n).probe for n in range(50))


def test_a_failed_probe_opens_it_again_at_once() -> None:
    restarts = Restarts()
    for now in range(6):
        restarts.ended(float(now))
    assert restarts.ended(500.0) == Restart(60.0, probe=True)


def test_a_probe_that_played_closes_it() -> None:
    restarts = Restarts()
    for now in range(6):
        restarts.ended(float(now))
    restarts.proved()
    assert restarts.ended(500.0) == Restart(0.25, probe=False)
