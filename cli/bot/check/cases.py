"""The cases there are, and how one of them is tried."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from cli.bot.check.findings import Failure, Finding, Outcome, Verdict
from cli.bot.check.rig import Gone, Heard, Rig


@dataclass
class Circumstances:
    """What every case is tried with."""

    rig: Rig
    seed: int
    presets: Sequence[str]
    seconds: float
    """For all cases together, as far as that can be chosen."""
    positions: list[Heard] | None = None
    """Matches of all presets, once they have been played."""
    notes: list[str] = field(default_factory=list)


Trial: TypeAlias = Callable[[Circumstances, Outcome], Awaitable[None]]


class Case(NamedTuple):
    """A question about the bot; its name is what `--only` takes."""

    name: str
    about: str
    trial: Trial


async def finding_of(
    case: Case, circumstances: Circumstances, *, before: str = ""
) -> Finding:
    """Tries a case, after another one; whatever the bot does is a finding."""
    since = time.monotonic()
    outcome = await _outcome_of(case, circumstances)
    how = circumstances.rig.ended_before
    if how and before:
        # It may have ended of what came before, or of this case's first question,
        # which is all that a process without a past can end of.
        again = await _outcome_of(case, circumstances, anew=True)
        if not circumstances.rig.ended_before:
            outcome = again
            outcome.fail(
                Failure(
                    f"between two cases, after {before} and before it answered"
                    f" anything here, its process {how}"
                )
            )
    return Finding(
        case.name,
        case.about,
        outcome.verdict,
        outcome.detail,
        tuple(outcome.failures),
        time.monotonic() - since,
    )


def left_out(case: Case, why: str) -> Finding:
    """Of a case that is not tried."""
    return Finding(case.name, case.about, Verdict.SKIPPED, why, (), 0.0)


async def _outcome_of(
    case: Case, circumstances: Circumstances, *, anew: bool = False
) -> Outcome:
    outcome = Outcome()
    try:
        if anew:
            await circumstances.rig.connect()
        circumstances.rig.begin_case()
        await case.trial(circumstances, outcome)
    except Gone as gone:
        outcome.fail(Failure(f"the bot is gone: {gone}"))
    return outcome
