"""Points per deal against the field: the primary number of a standing.

Model: a bot's score in a block is block effect + bot effect + noise. Every bot of a
block sits in every position of the same deals, so the block effect carries the luck
of the deals and of the positions, and least squares reduces to the block means: with
shared_ij blocks in common, L theta = g, where L = diag(blocks) - shared / k and g sums
each bot's distance from its block's mean. Who met weak opponents is thereby corrected.

The interval is cluster-robust by block: theta-hat is a sum of one influence per block,
the sum of their squares is its variance, and Student's t with one degree less than the
bot's blocks allows for few of them. For a field that always plays together this is the
paired t interval exactly. It is preferred to a bootstrap here because it needs no
chance and keeps its coverage for few blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tournament.stats.groups import meeting_groups
from tournament.stats.intervals import Interval, around
from tournament.stats.scores import BlockScores, Floats


class Points(NamedTuple):
    """Points per deal of one bot.

    `versus_field` is its bot effect: the field's is 0. `per_deal` adds the mean score
    of the blocks of its field, and `interval` is about `per_deal` as seen from that
    mean: it holds the uncertainty of the difference, not the luck all shared. `error`
    is the standard error that the interval rests on, None for fewer than two blocks.
    """

    per_deal: float
    versus_field: float
    interval: Interval | None
    error: float | None


def points(scores: BlockScores) -> list[Points | None]:
    """Estimate every bot's points per deal; None for a bot without a block.

    Bots that no chain of blocks joins are different fields: 0 is each one's mean.
    """
    bots, seated = scores.bots, scores.seated
    _, seats = scores.shape
    blocks = scores.blocks_of()
    shared = scores.shared()
    fields = meeting_groups([set(np.flatnonzero(row).tolist()) for row in shared])

    level = scores.mean.sum(axis=1) / seats
    distance = scores.mean - level[:, None]
    # Adding 1/size within each field fixes its mean at 0 and makes L invertible there.
    matrix = np.diag(blocks.astype(float)) - shared / seats
    for field in fields:
        matrix[np.ix_(field, field)] += 1 / len(field)
    inverse = _inverse(matrix)
    pull = np.bincount(seated.ravel(), weights=distance.ravel(), minlength=bots)
    effect = (inverse * pull).sum(axis=1)

    own = effect[seated]
    residual = distance - (own - (own.sum(axis=1) / seats)[:, None])
    influence = np.zeros((len(seated), bots))
    for place in range(seats):
        influence += inverse[seated[:, place]] * residual[:, place, None]
    variance = (influence * influence).sum(axis=0)

    answers: list[Points | None] = [None] * bots
    for field in fields:
        in_field = np.isin(seated[:, 0], field)
        if not in_field.any():
            continue
        mean = float(level[in_field].sum() / in_field.sum())
        for bot in field:
            count = int(blocks[bot])
            small = count / (count - 1) if count > 1 else 1.0
            error = float(np.sqrt(variance[bot] * small))
            per_deal = mean + float(effect[bot])
            answers[bot] = Points(
                per_deal,
                float(effect[bot]),
                around(per_deal, error, count),
                error if count > 1 else None,
            )
    return answers


def _inverse(matrix: Floats) -> Floats:
    """Invert a positive definite matrix by elimination in a fixed order.

    Points are ratios of small integers, so they do fall on the boundary where rounding
    decides; a linear algebra library sums in an order of its own on each processor.
    """
    size = len(matrix)
    work = np.hstack([matrix, np.eye(size)])
    for i in range(size):
        work[i] /= work[i, i]
        factors = work[:, i].copy()
        factors[i] = 0
        work -= factors[:, None] * work[i]
    return work[:, size:]
