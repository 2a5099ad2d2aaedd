"""What becomes of the bot when streams, the service or prompts come and go."""

from __future__ import annotations

import asyncio
from typing import Final

from cli.bot.check.cases import Case, Circumstances
from cli.bot.check.findings import Failure, Outcome
from cli.bot.check.matches import SHORT, Plan
from cli.bot.check.overheard import Exchange
from cli.bot.check.rig import HURRIED, Heard, Rig
from cli.bot.check.telling import of_exchange, of_fault
from server.clock import NO_CLOCK, TimeControl
from server.guard import Fault
from tournament.counted import counted

PRESET: Final = "pagat_standard"
DRAIN_MS: Final = 10_000
ENDS_WITHIN: Final = 5.0
PATIENCE: Final = 30.0
"""Seconds for a short match, interruptions included."""


def _plan(circumstances: Circumstances, name: str, number: int = 0) -> Plan:
    # One seat: what is asked next depends on the answer before.
    return Plan(
        preset=PRESET,
        seed=circumstances.seed,
        number=number,
        overrides={**SHORT, "deal_high": 5},
        players=3,
        own=(0,),
        name=f"{name}-{number}",
    )


async def judge(rig: Rig, heard: Heard, outcome: Outcome, *, after: str) -> None:
    """A match that has to come to its end without a fault; its table is closed.

    Illegal answers count where the same match has none when nothing happens in it:
    elsewhere they are what other cases are about.
    """
    for fault in heard.faults:
        if fault.fault is not Fault.ILLEGAL:
            outcome.fail(of_fault(heard, fault))
    wrong = _illegal(heard)
    if wrong and rig.subject.can_begin_anew:
        await rig.begin_anew()
        if not _illegal(await rig.play_one(heard.plan, seconds=PATIENCE)):
            for exchange in wrong:
                outcome.fail(of_exchange(heard, exchange, f"wrong after {after}"))
    if heard.stopped and not outcome.failures:
        last = heard.answered[-1:]
        what = f"after {after} {heard.stopped}"
        failure = Failure(what)
        outcome.fail(of_exchange(heard, last[0], what) if last else failure)


def _illegal(heard: Heard) -> list[Exchange]:
    return [exchange for exchange in heard.answered if not exchange.reply.accepted]


async def _starts(circumstances: Circumstances, outcome: Outcome) -> None:
    rig = circumstances.rig
    await rig.connect()
    session = rig.host.player(rig.subject.bot).session
    outcome.detail = f"{counted(session.workers, 'prompt')} at once"
    if session.declines:
        outcome.detail += f"; declines {', '.join(sorted(session.declines))}"


async def _reconnects(circumstances: Circumstances, outcome: Outcome) -> None:
    """The stream breaks off three times in the middle of a trick."""
    rig = circumstances.rig
    await rig.connect()
    plan = _plan(circumstances, "reconnects")
    async with rig.overheard(plan) as overheard:
        assert not isinstance(overheard, str)  # noqa: S101 - nobody declines these rules
        # Answers of its own after which it has played cards of an unfinished deal.
        breaks = iter([4, 8, 12])
        due = next(breaks)

        def watch(_seq: int) -> None:
            nonlocal due
            own = sum(plan.is_own(exchange.seat) for exchange in overheard.exchanges)
            if due and own >= due:
                due = next(breaks, 0)
                rig.host.arena.close(rig.subject.bot, "KICKED")

        overheard.table.audience.listen(watch)
        overheard.table.start()
        stopped = await rig.until_over(overheard.table, PATIENCE)
        heard = rig.heard(plan, overheard, stopped)
    await judge(rig, heard, outcome, after="a lost stream")


async def _repeated_prompt(circumstances: Circumstances, outcome: Outcome) -> None:
    """An answer is lost with its stream, and its prompt comes again."""
    rig = circumstances.rig
    await rig.connect()
    plan = _plan(circumstances, "repeated-prompt")
    answers = 0

    def deaf_to(seat: int) -> bool:
        nonlocal answers
        answers += plan.is_own(seat)
        is_lost = plan.is_own(seat) and answers == 5
        if is_lost:
            rig.host.arena.close(rig.subject.bot, "KICKED")
        return is_lost

    async with rig.overheard(plan) as overheard:
        assert not isinstance(overheard, str)  # noqa: S101 - nobody declines these rules
        overheard.deaf_to = deaf_to
        overheard.table.start()
        stopped = await rig.until_over(overheard.table, PATIENCE)
        heard = rig.heard(plan, overheard, stopped)
    await judge(rig, heard, outcome, after="a repeated prompt")


async def _restart(circumstances: Circumstances, outcome: Outcome) -> None:
    """The service goes away in the middle of a match, and another comes."""
    rig = circumstances.rig
    await rig.connect()
    await _begin_and_break_off(rig, _plan(circumstances, "restart"))
    await rig.restart_service()
    await rig.ready()
    heard = await rig.play_one(_plan(circumstances, "restart", 1), seconds=PATIENCE)
    await judge(rig, heard, outcome, after="a restart")


async def _begin_and_break_off(rig: Rig, plan: Plan) -> None:
    async with rig.overheard(plan) as overheard:
        assert not isinstance(overheard, str)  # noqa: S101 - nobody declines these rules
        under_way = asyncio.get_running_loop().create_future()

        def watch(_seq: int) -> None:
            if len(overheard.exchanges) >= 3 and not under_way.done():
                under_way.set_result(None)

        overheard.table.audience.listen(watch)
        overheard.table.start()
        await asyncio.wait([under_way], timeout=PATIENCE)
        await rig.drop_service()


async def _drain(circumstances: Circumstances, outcome: Outcome) -> None:
    """The service says that it goes down, plays on, goes, and comes back."""
    rig = circumstances.rig
    await rig.connect()
    plan = _plan(circumstances, "drain")
    async with rig.overheard(plan) as overheard:
        assert not isinstance(overheard, str)  # noqa: S101 - nobody declines these rules

        def watch(_seq: int) -> None:
            if len(overheard.exchanges) >= 3 and not rig.host.draining:
                rig.host.drain(DRAIN_MS)

        overheard.table.audience.listen(watch)
        overheard.table.start()
        stopped = await rig.until_over(overheard.table, PATIENCE)
        heard = rig.heard(plan, overheard, stopped)
    try:
        await rig.restart_service()
        await rig.ready()
    finally:
        # Not before: a service that goes down lets no process without a past in.
        await judge(rig, heard, outcome, after="the announcement")
    again = await rig.play_one(_plan(circumstances, "drain", 1), seconds=PATIENCE)
    await judge(rig, again, outcome, after="the announced restart")


async def _heartbeats(circumstances: Circumstances, outcome: Outcome) -> None:
    """Nothing is asked for as long as a stream may say nothing."""
    rig = circumstances.rig
    await rig.connect()
    lost = len(rig.ear.lost)
    # As much again, for beats that come late.
    await asyncio.sleep(2 * HURRIED.silent_ms / 1000)
    if rig.ear.lost[lost:]:
        within = HURRIED.silent_ms / 1000
        outcome.fail(Failure(f"left all heartbeats of {within:g} s unanswered"))


async def _expired(circumstances: Circumstances, outcome: Outcome) -> None:
    """Prompts that expire at once: late answers, then a match as usual."""
    rig = circumstances.rig
    await rig.connect()
    lost = len(rig.ear.lost)
    plan = Plan(
        preset=PRESET,
        seed=circumstances.seed,
        overrides=SHORT,
        players=3,
        time=NO_CLOCK,
        name="expired",
    )
    async with rig.overheard(plan) as overheard:
        assert not isinstance(overheard, str)  # noqa: S101 - nobody declines these rules
        overheard.impatient = True
        overheard.table.start()
        stopped = await rig.until_over(overheard.table, PATIENCE)
        heard = rig.heard(plan, overheard, stopped)
    await judge(rig, heard, outcome, after="prompts that expired")
    await rig.ready()
    again = await rig.play_one(_plan(circumstances, "expired", 1), seconds=PATIENCE)
    await judge(rig, again, outcome, after="prompts that expired")
    if Fault.HANG in rig.ear.lost[lost:]:
        within = HURRIED.hang_ms / 1000
        outcome.fail(
            Failure(f"nothing came within {within:g} s after a prompt had expired")
        )
    late = sum(exchange.prompt is None for exchange in heard.exchanges)
    outcome.detail = counted(late, "late answer")


async def _bank(circumstances: Circumstances, outcome: Outcome) -> None:
    """A limit that nobody keeps, and a bank that is enough."""
    rig = circumstances.rig
    await rig.connect()
    plan = Plan(
        preset=PRESET,
        seed=circumstances.seed,
        overrides=SHORT,
        players=3,
        own=(0,),
        time=TimeControl(per_decision_ms=1, bank_ms=30_000),
        name="bank",
    )
    heard = await rig.play_one(plan, seconds=PATIENCE)
    await judge(rig, heard, outcome, after="a short limit")


async def _ends(circumstances: Circumstances, outcome: Outcome) -> None:
    rig = circumstances.rig
    if not rig.subject.can_begin_anew:
        outcome.skip("only where the check starts the bot")
        return
    await rig.connect()
    await rig.play_one(_plan(circumstances, "ends"), seconds=PATIENCE)
    ended = await rig.subject.go(ENDS_WITHIN)
    if ended is not None and ended.status == -9:
        outcome.fail(Failure(f"it did not end within {ENDS_WITHIN:g} s of SIGTERM"))


STARTS: Final = Case("starts", "connects, and says hello", _starts)
CASES: Final = (
    Case("bank", "uses its bank where the limit is too short", _bank),
    Case("expired", "goes on after prompts that expired", _expired),
    Case("heartbeats", "shows that it is there while nothing is asked", _heartbeats),
    Case("reconnects", "comes back when its stream breaks off", _reconnects),
    Case("repeated-prompt", "answers a prompt that comes again", _repeated_prompt),
    Case("drain", "plays on when the service announces its end", _drain),
    Case("restart", "comes back when the service does", _restart),
)
ENDS: Final = Case("ends", "ends when it is told to", _ends)
