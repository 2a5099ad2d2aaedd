"""What a comparison comes to: the difference, how sure it is, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cli.compare.plan import NAMES
from cli.running import Ended
from tournament.deciding import decider_of
from tournament.spec import Duplicate, Spec
from tournament.standings import BotStanding
from tournament.stats.intervals import Interval, around

DECIMALS = 4


class Better(StrEnum):
    """Which of the two."""

    A = "A"
    B = "B"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`difference` is A's points per deal minus B's; `lines` are those of the two.

    `after` is the number of blocks with which it was decided, of a run that was to
    end then.
    """

    better: Better
    difference: float
    interval: Interval | None
    blocks: int
    after: int | None
    lines: tuple[BotStanding, BotStanding]


def verdict_on(spec: Spec, ended: Ended) -> Verdict:
    """Judge a run by the interval that fits how it was to end.

    A run that could end at any block has one that holds at any; one of a fixed
    number of blocks has the usual, narrower one.
    """
    standings = ended.conclusion.standings
    cell = standings.versus[0][1]
    if cell is None:
        msg = "the two sit at every table of a comparison"
        raise AssertionError(msg)
    decider = decider_of(spec)
    after: int | None = None
    if decider is None:
        error = cell.error
        interval = (
            None if error is None else around(cell.difference, error, cell.blocks)
        )
        better = _side(interval)
    else:
        decider.see(ended.committed)
        interval, after = decider.interval, decider.after
        better = (
            Better.UNDECIDED
            if decider.better is None
            else Better(NAMES[decider.better])
        )
    by_name = {line.name: line for line in standings.lines}
    return Verdict(
        better=better,
        difference=cell.difference,
        interval=interval,
        blocks=cell.blocks,
        after=after,
        lines=(by_name[NAMES[0]], by_name[NAMES[1]]),
    )


def _side(interval: Interval | None) -> Better:
    if interval is None or interval.lo <= 0 <= interval.hi:
        return Better.UNDECIDED
    return Better.A if interval.lo > 0 else Better.B


def text(
    verdict: Verdict, spec: Spec, bots: Sequence[str], ended: Ended
) -> Iterator[str]:
    """For people."""
    for name, bot in zip(NAMES, bots, strict=False):
        yield f"{name} is {bot}"
    yield f"field: {', '.join(bots[2:])}"
    shared = "the same deals" if spec.duplicate is Duplicate.ON else "deals of its own"
    yield f"{spec.preset}, {spec.seats} players"
    yield f"{verdict.blocks} blocks of {spec.seats} rotations, each with {shared}"
    yield ""
    yield (
        f"A minus B: {verdict.difference:+.3f} points a deal,"
        f" 95 % interval {_span(verdict.interval, '+.3f')}"
    )
    for line in verdict.lines:
        share = "-" if line.win_share is None else f"{line.win_share:.3f}"
        yield (
            f"{line.name} wins {share} of the matches,"
            f" 95 % interval {_span(line.win_share_ci, '.3f')}"
        )
        if line.faults:
            told = ", ".join(f"{times} {fault}" for fault, times in line.faults)
            yield f"{line.name} has faults: {told}"
    yield ""
    yield _sentence(verdict)
    if ended.conclusion.suspended:
        yield f"suspended: {', '.join(ended.conclusion.suspended)}"
    yield f"report: {ended.folder.report}"


def _sentence(verdict: Verdict) -> str:
    after = f", decided after {verdict.after} blocks" if verdict.after else ""
    match verdict.better:
        case Better.A | Better.B:
            return f"{verdict.better} is better{after}"
        case Better.UNDECIDED:
            return "undecided: more blocks would tell smaller differences"


def _span(interval: Interval | None, form: str) -> str:
    if interval is None:
        return "unknown"
    return f"{interval.lo:{form}} to {interval.hi:{form}}"


def document(
    verdict: Verdict, spec: Spec, bots: Sequence[str], ended: Ended
) -> dict[str, object]:
    """For programs."""
    interval = verdict.interval
    return {
        "better": verdict.better,
        "difference": verdict.difference,
        "interval": interval and [round(end, DECIMALS) for end in interval],
        "blocks": verdict.blocks,
        "decided_after": verdict.after,
        "preset": spec.preset,
        "players": spec.seats,
        "rules_hash": spec.rules_hash,
        "seed": spec.seed,
        "duplicate": spec.duplicate is Duplicate.ON,
        "bots": [
            {
                "name": line.name,
                "bot": bot,
                "points_per_deal": line.points_per_deal,
                "win_share": line.win_share,
                "win_share_interval": line.win_share_ci and list(line.win_share_ci),
                "faults": dict(line.faults),
            }
            for line, bot in zip(verdict.lines, bots, strict=False)
        ],
        "field": list(bots[2:]),
        "suspended": list(ended.conclusion.suspended),
        "run": str(ended.folder.path),
    }
