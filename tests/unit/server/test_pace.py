"""Refusals at the door: how long each waits, and what waiting keeps."""

from __future__ import annotations

import asyncio

import pytest
from grpc import StatusCode

from server.host import Host
from server.limits import Buckets, Limits, Quota
from server.patience import Patience
from server.rpc.identity import token_invalid
from server.rpc.pace import Pace, at_the_door
from server.rpc.status import Malformed, Problem, going_down, problem_of_reason


def paced(burst: int, held: int = 100) -> Pace:
    """Where no turn comes that has to be waited for."""
    return Pace(
        Host(
            limits=Limits(refusals_per_s=0, refusals_burst=burst, held_refusals=held),
            patience=Patience(refused_ms=3_600_000),
            clock=lambda: 0.0,
        )
    )


def asked(pace: Pace, port: int = 1) -> asyncio.Task[Problem]:
    """A call that is refused; what it is told, in its time."""

    async def told() -> Problem:
        problem, wait_s = pace.judged(token_invalid(), f"ipv4:127.0.0.1:{port}")
        if wait_s:
            await pace.hold(wait_s)
        return problem

    return asyncio.create_task(told())


async def settled() -> None:
    """Whatever does not wait has happened."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_each_owes_more_than_the_one_before_until_time_has_healed_it() -> None:
    buckets = Buckets()

    def owe(now: float) -> float:
        return buckets.owe(Quota("connection:a", "b"), per_s=10, burst=2, now=now)

    assert [owe(0.0) for _ in range(5)] == pytest.approx([0, 0, 0.1, 0.2, 0.3])
    # As much as a minute brings back is owed at most.
    for _ in range(10_000):
        owe(0.0)
    assert owe(0.0) == 60.0
    assert owe(61.0) == 0.0


async def test_mistakes_now_and_then_are_told_at_once_for_ever() -> None:
    now = 0.0
    host = Host(limits=Limits(refusals_burst=2), clock=lambda: now)
    pace = Pace(host)
    for _ in range(1_000):
        now += 1.0
        for _ in range(2):
            told = asked(pace)
            await settled()
            assert told.result().reason == "TOKEN_INVALID"


async def test_only_the_connection_that_makes_mistakes_waits() -> None:
    pace = paced(burst=1)
    told = [asked(pace), asked(pace), asked(pace, port=2)]
    await settled()
    assert [call.done() for call in told] == [True, False, True]
    pace.end()
    assert (await told[1]).reason == "TOKEN_INVALID"


async def test_who_goes_away_leaves_its_place_to_another() -> None:
    pace = paced(burst=0, held=1)
    first, second = asked(pace), asked(pace)
    await settled()
    assert (await second).reason == "RATE_LIMITED"
    assert not first.done()
    first.cancel()
    await settled()
    third = asked(pace)
    await settled()
    assert not third.done()
    third.cancel()


async def test_where_the_service_goes_down_nobody_waits_any_more() -> None:
    pace = paced(burst=0)
    before = asked(pace)
    await settled()
    pace.end()
    assert (await before).reason == "TOKEN_INVALID"
    assert (await asked(pace)).reason == "TOKEN_INVALID"


async def test_a_turn_that_is_too_far_away_is_no_turn() -> None:
    host = Host(
        limits=Limits(refusals_burst=0, refusals_per_s=0),
        patience=Patience(refused_ms=1),
        clock=lambda: 0.0,
    )
    told = await asked(Pace(host))
    assert (told.reason, told.retry_ms) == ("RATE_LIMITED", 60_000)


@pytest.mark.parametrize(
    ("problem", "waits"),
    [
        (token_invalid(), True),
        (Malformed(), True),
        (problem_of_reason("UNKNOWN_METHOD", ""), True),
        (problem_of_reason("RATE_LIMITED", ""), True),
        # An answer to a question, if not a good one.
        (problem_of_reason("CARD_NOT_HELD", ""), False),
        (problem_of_reason("FIELD_INVALID", ""), False),
        (problem_of_reason("EMBARGOED", ""), False),
        (going_down(), False),
        (Problem(StatusCode.INTERNAL, "INTERNAL_ERROR", ""), False),
    ],
)
def test_only_what_is_refused_unseen_waits(problem: Problem, *, waits: bool) -> None:
    assert at_the_door(problem) is waits
