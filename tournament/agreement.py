"""Two runs side by side: where they agree, and how their bots did in each.

Runs of one spec with one `seed`, by bots whose answers depend on what they are asked
alone, have the same records, byte for byte; that is how a run is reproduced.
"""

from __future__ import annotations

import difflib
import gzip
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from tournament.journal import Journal
from tournament.outcome import BlockResult
from tournament.spec import Spec
from tournament.stats.intervals import Interval, around
from tournament.stats.points import Points, points
from tournament.stats.scores import block_scores, mean_scores

Pair: TypeAlias = tuple[dict[str, float], dict[str, float]]
"""A block in both runs: by bot, what it was ahead of its table."""


class Side(NamedTuple):
    """One of the two."""

    spec: Spec
    journal: Journal
    committed: list[BlockResult]


class BotBeside(NamedTuple):
    """Points per deal of a bot in each run, and the second's minus the first's.

    The difference is against the field, and is None, as its interval, where the two
    say nothing about each other.
    """

    name: str
    points: tuple[float | None, float | None]
    difference: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What there is to be said about two runs.

    `spec` are the lines of the specs that differ, as in a diff; the names of runs are
    left out. `differing` are blocks of both whose records are not the same text.
    """

    spec: tuple[str, ...]
    same_rules: bool
    same_deals: bool
    blocks: tuple[int, int]
    compared: int
    differing: tuple[int, ...]
    missing: tuple[tuple[str, ...], tuple[str, ...]]
    """Bots that only the first, and only the second has."""
    paired: bool
    """Whether differences are between the same deals at the same tables."""
    bots: tuple[BotBeside, ...]

    @property
    def identical(self) -> bool:
        """True where one run reproduces the other, as far as both have come.

        Runs of which nothing has been played reproduce nothing.
        """
        same_length = len(set(self.blocks)) == 1
        return bool(self.compared) and same_length and not (self.spec or self.differing)


def agreement(first: Side, second: Side) -> Agreement:
    """Compare two runs as they are now."""
    names = [set(side.spec.names) for side in (first, second)]
    same_rules = (first.spec.rules_hash, first.spec.seats) == (
        second.spec.rules_hash,
        second.spec.seats,
    )
    charters = (first.journal.charter, second.journal.charter)
    same_deals = same_rules and charters[0].seeds == charters[1].seeds
    both = min(len(first.committed), len(second.committed))
    comparable = same_rules and names[0] == names[1]
    pairs = _pairs(first, second) if comparable and same_deals else []
    paired = bool(both) and len(pairs) == both
    return Agreement(
        spec=tuple(_differing_lines(first.spec, second.spec)),
        same_rules=same_rules,
        same_deals=same_deals,
        blocks=(len(first.committed), len(second.committed)),
        compared=both,
        differing=tuple(_differing_blocks(first, second, both)),
        missing=(
            tuple(sorted(names[0] - names[1])),
            tuple(sorted(names[1] - names[0])),
        ),
        paired=paired,
        bots=tuple(
            _beside(first, second, pairs if paired else [], comparable=comparable)
        ),
    )


def _differing_lines(first: Spec, second: Spec) -> Iterator[str]:
    # A bot may be called what its run is called.
    one, other = (
        replace(spec, name="").expanded.splitlines() for spec in (first, second)
    )
    for line in difflib.unified_diff(one, other, n=0, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            yield line


def _differing_blocks(first: Side, second: Side, both: int) -> Iterator[int]:
    for block in range(both):
        one, other = (side.journal.records(block) or b"" for side in (first, second))
        results = (first.committed[block], second.committed[block])
        # Equal text may be packed in more than one way.
        if results[0] != results[1] or (one != other and _text(one) != _text(other)):
            yield block


def _text(records: bytes) -> bytes:
    try:
        return gzip.decompress(records)
    except (OSError, EOFError, zlib.error):
        # Damaged ones are the same as nothing else.
        return records


def _pairs(first: Side, second: Side) -> list[Pair]:
    """The blocks of both, as long as the same bots sit at their tables."""
    return list(
        takewhile(
            lambda pair: pair[0].keys() == pair[1].keys(),
            zip(_ahead(first), _ahead(second), strict=False),
        )
    )


def _ahead(side: Side) -> Iterator[dict[str, float]]:
    for result in side.committed:
        mean = mean_scores(result)
        level = sum(mean) / len(mean)
        yield {
            side.spec.names[bot]: score - level
            for bot, score in zip(result.seating, mean, strict=True)
        }


def _beside(
    first: Side,
    second: Side,
    pairs: list[Pair],
    *,
    comparable: bool,
) -> Iterator[BotBeside]:
    one, other = _points(first), _points(second)
    for name in dict.fromkeys((*first.spec.names, *second.spec.names)):
        here, there = one.get(name), other.get(name)
        difference: float | None = None
        interval: Interval | None = None
        if comparable and here is not None and there is not None:
            if pairs:
                changes = [b[name] - a[name] for a, b in pairs if name in a]
                difference, interval = _paired(changes)
            else:
                difference, interval = _apart(here, there)
        per_deal = (
            None if here is None else here.points.per_deal,
            None if there is None else there.points.per_deal,
        )
        yield BotBeside(name, per_deal, difference, interval)


class _Estimate(NamedTuple):
    """A bot's points, and the blocks behind them."""

    points: Points
    blocks: int


def _points(side: Side) -> dict[str, _Estimate]:
    if not side.committed:
        return {}
    scores = block_scores(side.committed, len(side.spec.names))
    found = zip(side.spec.names, points(scores), scores.blocks_of(), strict=True)
    return {
        name: _Estimate(one, int(blocks))
        for name, one, blocks in found
        if one is not None
    }


def _paired(changes: list[float]) -> tuple[float, Interval | None]:
    """The mean change from one run's block to the other's, and its t interval."""
    blocks = len(changes)
    mean = math.fsum(changes) / blocks
    squares = math.fsum((change - mean) ** 2 for change in changes)
    error = math.sqrt(squares / max(1, blocks * (blocks - 1)))
    return mean, around(mean, error, blocks)


def _apart(here: _Estimate, there: _Estimate) -> tuple[float, Interval | None]:
    """The difference of two independent estimates."""
    difference = there.points.versus_field - here.points.versus_field
    error, other = here.points.error, there.points.error
    if error is None or other is None:
        return difference, None
    # Fewer degrees of freedom than there are: the interval is rather too wide.
    blocks = min(here.blocks, there.blocks)
    return difference, around(difference, math.hypot(error, other), blocks)
