"""Standings: everything a tournament concludes, from the committed blocks alone.

The terminal, the HTML report and `results.json` all show this one value, in which
numbers are rounded already: points and rates to 4 decimals, ratings to 1. What is
unknown is None; there is never a NaN or an infinity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, overload

from tournament.naming import some_of
from tournament.stats.bidding import BidOutcome, SizeScore, by_size, calibration
from tournament.stats.bootstrap import REPLICATES
from tournament.stats.intervals import Interval
from tournament.stats.points import Points, points
from tournament.stats.ratings import Mark, Rating, Ratings, ratings
from tournament.stats.scores import block_scores, copy_scores
from tournament.stats.shares import Share, bid_hits, win_shares
from tournament.stats.versus import HeadToHead, head_to_head, variance_reduction

if TYPE_CHECKING:
    from tournament.outcome import BlockResult

_DECIMALS = 4
_RATING_DECIMALS = 1


@dataclass(frozen=True, slots=True)
class BotStanding:
    """One bot's line; all estimates are None until it has played a block.

    `place` is by points per deal, equal for bots whose rounded points are equal, and
    the next place is then left out. `tainted` counts its matches in which any action
    was played for it.
    """

    bot: int
    name: str
    place: int | None
    points_per_deal: float | None
    versus_field: float | None
    mean_points_per_deal: float | None
    ci: Interval | None
    rating: float | None
    rating_ci: Interval | None
    mark: Mark
    win_share: float | None
    win_share_ci: Interval | None
    bid_hit: float | None
    bid_hit_ci: Interval | None
    faults: tuple[tuple[str, int], ...]
    blocks: int
    matches: int
    deals: int
    tainted: int


@dataclass(frozen=True, slots=True)
class Standings:
    """Lines in order of place, and tables indexed by bot in order of the entrants.

    `untainted` is the same over the blocks without any action played for a bot, and
    is None when all blocks are such.
    """

    blocks: int
    matches: int
    duplicate: bool
    lines: tuple[BotStanding, ...]
    versus: tuple[tuple[HeadToHead | None, ...], ...]
    sizes: tuple[tuple[SizeScore, ...], ...]
    bids: tuple[tuple[BidOutcome, ...], ...]
    variance_reduction: float | None
    warnings: tuple[str, ...]
    untainted: Standings | None


def standings(
    results: Iterable[BlockResult],
    names: Sequence[str],
    *,
    duplicate: bool = True,
    replicates: int = REPLICATES,
) -> Standings:
    """Conclude from committed blocks, in any order; `names[i]` is bot i.

    With `duplicate` the copies of a block have the same deals. All blocks have the
    same number of seats. `replicates` bootstrap refits give the intervals of the
    ratings.
    """
    ordered = sorted(results, key=lambda result: result.block)
    clean = [result for result in ordered if not result.tainted]
    conclude = partial(
        _conclude, names=names, duplicate=duplicate, replicates=replicates
    )
    whole = conclude(ordered)
    if len(clean) == len(ordered):
        return whole
    return replace(whole, untainted=conclude(clean))


class RunningPoints:
    """Plain means of points per deal, kept up block by block for a live display."""

    def __init__(self, bots: int) -> None:
        """Begin with no blocks."""
        self._sums = [0.0] * bots
        self._matches = [0] * bots

    def add(self, result: BlockResult) -> None:
        """Count one more block."""
        for row in copy_scores(result):
            for bot, score in zip(result.seating, row, strict=True):
                self._sums[bot] += score
                self._matches[bot] += 1

    def means(self) -> tuple[float | None, ...]:
        """Give the mean by bot, None before its first match."""
        return tuple(
            total / matches if matches else None
            for total, matches in zip(self._sums, self._matches, strict=True)
        )


def current_points(
    results: Iterable[BlockResult], bots: int
) -> tuple[float | None, ...]:
    """Give each bot's plain mean of points per deal, without any estimation."""
    running = RunningPoints(bots)
    for result in results:
        running.add(result)
    return running.means()


def _conclude(
    results: Sequence[BlockResult],
    *,
    names: Sequence[str],
    duplicate: bool,
    replicates: int,
) -> Standings:
    bots = len(names)
    if results:
        scores = block_scores(results, bots)
        estimates = points(scores)
        rated = ratings(results, bots, replicates=replicates)
        versus = head_to_head(scores)
    else:
        estimates = [None] * bots
        rated = Ratings((None,) * bots, (), (), settled=True)
        versus = [[None] * bots for _ in range(bots)]
    means = current_points(results, bots)
    wins, hits = win_shares(results, bots), bid_hits(results, bots)
    played = _played(results, bots)
    found = map(_Found, means, estimates, rated.by_bot, wins, hits)
    lines = [
        _line(bot, names[bot], played[bot], known) for bot, known in enumerate(found)
    ]
    # It measures what sharing deals is worth.
    gain = variance_reduction(results) if duplicate else None
    return Standings(
        blocks=len(results),
        matches=sum(len(result.copies) for result in results),
        duplicate=duplicate,
        lines=_placed(lines),
        versus=tuple(tuple(_rounded_cell(cell) for cell in row) for row in versus),
        sizes=tuple(tuple(map(_rounded_size, own)) for own in by_size(results, bots)),
        bids=tuple(tuple(map(_rounded_bid, own)) for own in calibration(results, bots)),
        variance_reduction=_rounded(gain),
        warnings=tuple(_warnings(results, names, rated, duplicate=duplicate)),
        untainted=None,
    )


@dataclass(slots=True)
class _Played:
    """Counts of one bot."""

    faults: Counter[str]
    blocks: int = 0
    matches: int = 0
    deals: int = 0
    tainted: int = 0


def _played(results: Sequence[BlockResult], bots: int) -> list[_Played]:
    counts = [_Played(Counter()) for _ in range(bots)]
    for result in results:
        for bot in result.seating:
            counts[bot].blocks += 1
        for copy in result.copies:
            columns = zip(copy.seats, copy.faults, copy.fallbacks, strict=True)
            for bot, faults, fallbacks in columns:
                own = counts[bot]
                own.matches += 1
                own.deals += copy.deals
                own.tainted += fallbacks > 0
                for fault in faults:
                    own.faults[fault.fault] += fault.times
    return counts


class _Found(NamedTuple):
    """What was estimated for one bot."""

    mean: float | None
    points: Points | None
    rating: Rating | None
    win_share: Share | None
    bid_hit: Share | None


def _line(bot: int, name: str, played: _Played, found: _Found) -> BotStanding:
    _, estimate, rating, win_share, bid_hit = found
    return BotStanding(
        bot=bot,
        name=name,
        place=None,
        points_per_deal=_rounded(estimate.per_deal) if estimate else None,
        versus_field=_rounded(estimate.versus_field) if estimate else None,
        mean_points_per_deal=_rounded(found.mean),
        ci=_interval(estimate.interval) if estimate else None,
        rating=_rounded(rating.elo, _RATING_DECIMALS) if rating else None,
        rating_ci=_interval(rating.interval, _RATING_DECIMALS) if rating else None,
        mark=rating.mark if rating else Mark.NONE,
        win_share=_rounded(win_share.rate) if win_share else None,
        win_share_ci=_interval(win_share.interval) if win_share else None,
        bid_hit=_rounded(bid_hit.rate) if bid_hit else None,
        bid_hit_ci=_interval(bid_hit.interval) if bid_hit else None,
        faults=tuple(sorted(played.faults.items())),
        blocks=played.blocks,
        matches=played.matches,
        deals=played.deals,
        tainted=played.tainted,
    )


def _placed(lines: list[BotStanding]) -> tuple[BotStanding, ...]:
    """Sort by points, bots without any last, and number the places."""

    def rank(line: BotStanding) -> tuple[bool, float, int]:
        points_per_deal = line.points_per_deal
        if points_per_deal is None:
            return (True, 0.0, line.bot)
        return (False, -points_per_deal, line.bot)

    known = [x.points_per_deal for x in lines if x.points_per_deal is not None]
    return tuple(
        line
        if line.points_per_deal is None
        else replace(line, place=1 + sum(p > line.points_per_deal for p in known))
        for line in sorted(lines, key=rank)
    )


def _warnings(
    results: Sequence[BlockResult],
    names: Sequence[str],
    rated: Ratings,
    *,
    duplicate: bool,
) -> Iterator[str]:
    """Say in whole sentences what a reader must know before believing the numbers."""
    if not results:
        yield "No block has been completed yet: nothing is known about any bot."
        return
    if len(results) == 1:
        yield "One block gives no intervals: at least two are needed."
    absent = len(names) - len({bot for result in results for bot in result.seating})
    if absent:
        yield (
            f"{absent} of {len(names)} bots have not played: nothing is known about "
            f"them; it takes more blocks until everybody has."
        )
    if len(rated.met) > 1:
        yield (
            f"These groups never met, so compare bots only within one: "
            f"{_groups(rated.met, names)}."
        )
    elif len(rated.mutual) > 1:
        yield (
            f"No chain of results leads both ways between these groups, so the rating "
            f"distances between them are only a bound: {_groups(rated.mutual, names)}."
        )
    if not rated.settled:
        yield "The ratings had not converged when the limit of steps was reached."
    uneven = sum(len({copy.deals for copy in r.copies}) > 1 for r in results)
    if not duplicate:
        yield (
            "Every match had deals of its own (duplicate = off): within a block only "
            "the luck of the seats cancels, not that of the cards. The intervals allow "
            "for it; they are wider than those of as many matches on shared deals."
        )
    elif uneven:
        yield (
            f"In {uneven} of {len(results)} blocks the copies differ in their number "
            f"of deals: there the luck of the deals does not cancel exactly."
        )
    tainted = sum(result.tainted for result in results)
    if tainted:
        # Where none is clean there is no second table.
        without = (
            "none is without"
            if tainted == len(results)
            else ("a second table leaves these blocks out")
        )
        yield (
            f"In {tainted} of {len(results)} blocks an action was played for a bot "
            f"that failed to act; {without}."
        )


def _groups(groups: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    told = [some_of([names[bot] for bot in group]) for group in groups]
    return some_of(told, between=" | ")


@overload
def _rounded(number: float, decimals: int = ...) -> float: ...
@overload
def _rounded(number: float | None, decimals: int = ...) -> float | None: ...
def _rounded(number: float | None, decimals: int = _DECIMALS) -> float | None:
    """Round, and write zero in one way only."""
    return None if number is None else round(number, decimals) + 0.0


def _interval(interval: Interval | None, decimals: int = _DECIMALS) -> Interval | None:
    if interval is None:
        return None
    return Interval(_rounded(interval.lo, decimals), _rounded(interval.hi, decimals))


def _rounded_cell(cell: HeadToHead | None) -> HeadToHead | None:
    if cell is None:
        return None
    return HeadToHead(_rounded(cell.difference), _rounded(cell.error), cell.blocks)


def _rounded_size(score: SizeScore) -> SizeScore:
    return score._replace(
        points_per_deal=_rounded(score.points_per_deal), bid_hit=_rounded(score.bid_hit)
    )


def _rounded_bid(outcome: BidOutcome) -> BidOutcome:
    return outcome._replace(
        bid_hit=_rounded(outcome.bid_hit), mean_tricks=_rounded(outcome.mean_tricks)
    )
