"""Bots against each other, and what playing all rotations of a deal was worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tournament.stats.scores import BlockScores, copy_scores

if TYPE_CHECKING:
    from tournament.outcome import BlockResult


class HeadToHead(NamedTuple):
    """Mean points per deal of one bot minus another's in the blocks that they shared.

    `error` is the standard error by block, None for fewer than two blocks.
    """

    difference: float
    error: float | None
    blocks: int


def head_to_head(scores: BlockScores) -> list[list[HeadToHead | None]]:
    """Give the matrix [bot][other]; None for a bot itself and those it never met."""
    bots = scores.bots
    pairs = scores.seated[:, :, None] * bots + scores.seated[:, None, :]
    ahead = scores.mean[:, :, None] - scores.mean[:, None, :]
    flat, size = pairs.ravel(), bots * bots
    blocks = np.bincount(flat, minlength=size)
    total = np.bincount(flat, weights=ahead.ravel(), minlength=size)
    mean = total / np.maximum(blocks, 1)
    residual = ahead.ravel() - mean[flat]
    squares = np.bincount(flat, weights=residual * residual, minlength=size)
    error = np.sqrt(squares / np.maximum(blocks * (blocks - 1), 1))

    def cell(bot: int, other: int) -> HeadToHead | None:
        at = bot * bots + other
        met = int(blocks[at])
        if bot == other or not met:
            return None
        return HeadToHead(float(mean[at]), float(error[at]) if met > 1 else None, met)

    return [[cell(bot, other) for other in range(bots)] for bot in range(bots)]


def variance_reduction(results: Sequence[BlockResult]) -> float | None:
    """Measure Var(difference in one match) / (k Var(difference over a block)).

    Above 1, a block of k rotations on the same deals says more than k matches on
    fresh deals. Pooled over all pairs of bots; None where no pair met in two blocks
    or block differences do not vary.
    """
    singles: dict[tuple[int, int], list[list[float]]] = {}
    for result in results:
        rows = copy_scores(result)
        for (p, x), (q, y) in combinations(enumerate(result.seating), 2):
            sign = 1 if x < y else -1
            differences = [sign * (row[p] - row[q]) for row in rows]
            singles.setdefault((min(x, y), max(x, y)), []).append(differences)
    freedom = meetings = copies = 0
    between = around = 0.0
    for _, met in sorted(singles.items()):
        means = [sum(one) / len(one) for one in met]
        mean = sum(means) / len(means)
        between += sum((one - mean) ** 2 for one in means)
        around += sum((d - mean) ** 2 for one in met for d in one) / len(met[0])
        freedom += len(met) - 1
        meetings += len(met)
        copies = len(met[0])
    if not freedom or between == 0:
        return None
    of_block = between / freedom
    # The pair's mean was estimated from the same blocks: give its variance back.
    of_match = (around + len(singles) * of_block) / meetings
    return of_match / (copies * of_block)
