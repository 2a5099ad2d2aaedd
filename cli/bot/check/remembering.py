"""Whether tables and matches are kept apart."""

from __future__ import annotations

from typing import Final

from cli.bot.check.cases import Case, Circumstances
from cli.bot.check.findings import Failure, Outcome
from cli.bot.check.matches import SHORT, Plan
from cli.bot.check.rig import Heard
from cli.bot.check.telling import command_text, of_exchange, of_fault, prompt_text
from tournament.counted import counted

TABLES: Final = 32
PRESETS: Final = ("pagat_standard", "wizard", "blackout")
PATIENCE: Final = 60.0
SHARE_OF_TIME: Final = 0.25


async def _many_tables(circumstances: Circumstances, outcome: Outcome) -> None:
    """Tables of several rules at once, with two seats of the bot at each."""
    plans = [
        Plan(
            preset=PRESETS[number % len(PRESETS)],
            seed=circumstances.seed,
            number=number,
            overrides=SHORT,
            players=4,
            own=(number % 4, (number + 1) % 4),
            name=f"many-{number}",
        )
        for number in range(TABLES)
    ]
    played = await circumstances.rig.play(
        plans,
        at_once=TABLES,
        seconds=min(PATIENCE, circumstances.seconds * SHARE_OF_TIME),
    )
    answers = 0
    for heard in played:
        answers += len(heard.answered)
        for fault in heard.faults:
            outcome.fail(of_fault(heard, fault))
        for exchange in heard.exchanges:
            if not exchange.reply.accepted or exchange.reply.duplicate:
                outcome.fail(of_exchange(heard, exchange))
    broken = [heard.broken_off for heard in played if heard.broken_off]
    if broken and not outcome.failures:
        outcome.fail(Failure(f"{counted(len(broken), 'table')}: {broken[0]}"))
    outcome.detail = f"{counted(answers, 'answer')} at {counted(len(played), 'table')}"
    if not answers and not outcome.failures:
        outcome.skip(outcome.detail)


def _canary(circumstances: Circumstances) -> Plan:
    return Plan(
        preset="pagat_standard",
        seed=circumstances.seed,
        players=3,
        own=(1,),
        name="canary",
    )


async def _canary_match(circumstances: Circumstances, outcome: Outcome) -> None:
    """The same match twice, with others between: its answers must be the same."""
    rig = circumstances.rig
    if rig.subject.can_begin_anew:
        await rig.begin_anew()
    await rig.connect()
    plan = _canary(circumstances)
    first = await rig.play_one(plan, seconds=PATIENCE)
    others = [
        Plan(preset=preset, seed=circumstances.seed, number=number, name=f"between-{n}")
        for n, (preset, number) in enumerate(
            [("pagat_standard", 1), ("wizard", 2), ("pagat_standard", 3)]
        )
    ]
    await rig.play(others, seconds=PATIENCE)
    again = await rig.play_one(plan, seconds=PATIENCE)
    outcome.detail = counted(len(again.answered), "answer")
    differing = _first_difference(first, again)
    if differing is None:
        if not again.answered:
            outcome.skip(outcome.detail)
        return
    if rig.subject.can_begin_anew:
        await rig.begin_anew()
        fresh = await rig.play_one(plan, seconds=PATIENCE)
        if _first_difference(first, fresh) is not None:
            outcome.skip(
                "two new processes answer differently, so nothing can be told; draw"
                " from bot_seed to be reproducible"
            )
            return
    outcome.fail(differing)


def _first_difference(first: Heard, again: Heard) -> Failure | None:
    for one, other in zip(first.answered, again.answered, strict=False):
        if one.command == other.command and one.seq == other.seq:
            continue
        prompt = one.prompt
        return Failure(
            "other matches between change the answer to the same position",
            prompt=prompt_text(first, prompt) if prompt else "",
            answer=f"{command_text(one.command)}; later {command_text(other.command)}",
            rule="a match is decided by its own prompts, rules and bot_seed",
            preset=first.plan.preset,
        )
    return None


CASES: Final = (
    Case("many-tables", "plays many tables at once", _many_tables),
    Case("canary", "remembers nothing of other matches", _canary_match),
)
