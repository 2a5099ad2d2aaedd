"""Ratings on the Elo scale, with intervals where the results determine them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tournament.stats.bootstrap import REPLICATES, poisson_weights
from tournament.stats.groups import meeting_groups, mutual_groups
from tournament.stats.intervals import Interval, percentile, percentile_levels
from tournament.stats.plackett_luce import PlackettLuce
from tournament.stats.stages import Ranking

if TYPE_CHECKING:
    from tournament.outcome import BlockResult
    from tournament.stats.scores import Floats

FIELD_MEAN = 1500.0
ELO_PER_LOG_WORTH = 400 / math.log(10)


class Mark(Enum):
    """Which side of a rating the results leave open."""

    NONE = ""
    ABOVE = ">"
    BELOW = "<"


@dataclass(frozen=True, slots=True)
class Rating:
    """One bot's rating; 400 more means ten times the worth.

    `interval` and `error` (the standard deviation over the bootstrap) are about the
    difference from the mean of the bot's `mutual` group, and are None where that group
    is the bot alone or it has fewer than two blocks.
    """

    elo: float
    interval: Interval | None
    error: float | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings by bot (None for one that has not played) and what they rest on.

    `met` are the groups joined by matches; only inside one are ratings comparable, and
    each has mean 1500. `mutual` are the groups in which everyone finished ahead of, or
    level with, everyone else through some chain: distances between two of them inside
    one `met` group rest on the prior, and a bot alone is marked > or < where it only
    finished ahead of others or only behind.
    """

    by_bot: tuple[Rating | None, ...]
    met: tuple[tuple[int, ...], ...]
    mutual: tuple[tuple[int, ...], ...]
    settled: bool


def _go_on() -> None:
    """Between two refits nothing is to be done."""


def ratings(
    results: Sequence[BlockResult],
    bots: int,
    *,
    replicates: int = REPLICATES,
    between: Callable[[], None] = _go_on,
) -> Ratings:
    """Rate bots 0..bots-1 by the final ranks of all copies of one or more blocks.

    `between` is called before each refit, and ends the work by raising.
    """
    matches = [
        Ranking(block, copy.seats, copy.ranks)
        for block, result in enumerate(results)
        for copy in result.copies
    ]
    blocks = [0] * bots
    for result in results:
        for bot in result.seating:
            blocks[bot] += 1
    not_behind = _not_behind(matches, bots)
    played = [bot for bot in range(bots) if blocks[bot]]
    met = [g for g in meeting_groups(not_behind) if blocks[g[0]]]
    mutual = [g for g in mutual_groups(not_behind) if blocks[g[0]]]

    model = PlackettLuce(matches, bots=bots, blocks=len(results))
    best = model.fit()
    theta = best.strengths(bots)
    samples = []
    for weights in poisson_weights(len(results), replicates):
        between()
        samples.append(model.fit(weights.astype(float), best).strengths(bots))

    centre = {bot: _mean(theta, group) for group in met for bot in group}
    intervals: dict[int, Interval | None] = {}
    errors: dict[int, float | None] = {}
    for group in mutual:
        if len(group) > 1:
            middle = _mean(theta, group)
            means = [_mean(sample, group) for sample in samples]
            for bot in group:
                differences = sorted(
                    float(sample[bot]) - mean + middle - centre[bot]
                    for sample, mean in zip(samples, means, strict=True)
                )
                intervals[bot] = _between(differences, blocks[bot])
                errors[bot] = _deviation(differences, blocks[bot])
    marks = _marks(not_behind, [group[0] for group in mutual if len(group) == 1])
    by_bot = {
        bot: Rating(
            _elo(float(theta[bot]) - centre[bot]),
            intervals.get(bot),
            errors.get(bot),
            marks.get(bot, Mark.NONE),
        )
        for bot in played
    }
    return Ratings(
        by_bot=tuple(by_bot.get(bot) for bot in range(bots)),
        met=tuple(map(tuple, met)),
        mutual=tuple(map(tuple, mutual)),
        settled=best.settled,
    )


def _not_behind(matches: Sequence[Ranking], bots: int) -> list[set[int]]:
    """For every bot, list those it finished ahead of or level with in some match.

    A tie joins two bots both ways: an endless distance would make it impossible.
    """
    leads: list[set[int]] = [set() for _ in range(bots)]
    for match in matches:
        placed = list(zip(match.bots, match.ranks, strict=True))
        for bot, rank in placed:
            leads[bot].update(o for o, behind in placed if behind >= rank and o != bot)
    return leads


def _marks(not_behind: Sequence[set[int]], alone: Sequence[int]) -> dict[int, Mark]:
    marks = {}
    for bot in alone:
        leads = bool(not_behind[bot])
        follows = any(bot in others for others in not_behind)
        if leads != follows:
            marks[bot] = Mark.ABOVE if leads else Mark.BELOW
    return marks


def _mean(theta: Floats, group: Sequence[int]) -> float:
    return math.fsum(float(theta[bot]) for bot in group) / len(group)


def _elo(log_worth: float) -> float:
    return FIELD_MEAN + ELO_PER_LOG_WORTH * log_worth


def _between(differences: list[float], blocks: int) -> Interval | None:
    if blocks < 2 or not differences:
        return None
    levels = percentile_levels(blocks)
    return Interval(
        _elo(percentile(differences, levels.lo)),
        _elo(percentile(differences, levels.hi)),
    )


def _deviation(differences: list[float], blocks: int) -> float | None:
    if blocks < 2 or len(differences) < 2:
        return None
    return ELO_PER_LOG_WORTH * statistics.stdev(differences)
