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

    `interval` is the one that decides; `usual` that of a number of blocks fixed before,
    which takes those that were not played to be like those that were. `after` is the
    number of blocks with which it was decided, of a run that was to end then.
    """

    better: Better
    difference: float
    interval: Interval | None
    usual: Interval | None
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
    usual = (
        None if cell.error is None else around(cell.difference, cell.error, cell.blocks)
    )
    if decider is None:
        interval = usual
        better = _side(usual)
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
        usual=usual,
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
    if spec.decide is not None:
        yield f"usual 95 % interval {_span(verdict.usual, '+.3f')}"
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
            ahead = _side(verdict.usual)
            if ahead is Better.UNDECIDED:
                return "undecided: more blocks would tell smaller differences"
            return (
                f"undecided, though {ahead} is ahead by the usual interval:"
                " rare blocks may turn it"
            )


def _span(interval: Interval | None, form: str) -> str:
    if interval is None:
        return "unknown"
    return f"{interval.lo:{form}} to {interval.hi:{form}}"


def _rounded(interval: Interval | None) -> list[float] | None:
    return interval and [round(end, DECIMALS) for end in interval]


def document(
    verdict: Verdict, spec: Spec, bots: Sequence[str], ended: Ended
) -> dict[str, object]:
    """For programs."""
    return {
        "better": verdict.better,
        "difference": verdict.difference,
        "interval": _rounded(verdict.interval),
        "usual_interval": _rounded(verdict.usual),
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
