"""Final ranks taken apart into stages: who remained, and who was best of them and left.

Worked out for all matches at once, because a season has millions of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from tournament.stats.scores import Floats, Indices


class Ranking(NamedTuple):
    """Final ranks of one match: `bots[i]` finished at `ranks[i]`, equal where tied."""

    block: int
    bots: tuple[int, ...]
    ranks: tuple[int, ...]


class Stages(NamedTuple):
    """Stages of some matches, all with as many bots remaining.

    `remaining` has a row of bots, ascending, for each; `best` says how many of them
    finished first together; `blocks` are those of the matches.
    """

    blocks: Indices
    remaining: Indices
    best: Indices


class Leavers(NamedTuple):
    """Who was best in some stage, a bot for each item, and with how many together."""

    blocks: Indices
    bots: Indices
    together: Indices


class Taken(NamedTuple):
    """Matches taken apart; the last stage is left out where one bot is left."""

    stages: list[Stages]
    leavers: list[Leavers]


def taken_apart(rankings: Iterable[Ranking]) -> Taken:
    """Take matches apart, tables of one size together."""
    by_seats: defaultdict[int, list[Ranking]] = defaultdict(list)
    for match in rankings:
        by_seats[len(match.bots)].append(match)
    taken = Taken([], [])
    for seats, matches in sorted(by_seats.items()):
        blocks, bots, ranks = (
            np.array([match[field] for match in matches], dtype=np.intp)
            for field in range(3)
        )
        order = np.lexsort((bots, ranks), axis=1)
        bots = np.take_along_axis(bots, order, axis=1)
        ranks = np.take_along_axis(ranks, order, axis=1)
        together = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
        # Place of the first of those with the same rank.
        first = (ranks[:, :, None] > ranks[:, None, :]).sum(axis=2)
        taken.stages.extend(_stages(blocks, bots, first, together))
        leaves = first < seats - 1
        taken.leavers.append(
            Leavers(
                np.repeat(blocks, leaves.sum(axis=1)), bots[leaves], together[leaves]
            )
        )
    return taken


def _stages(
    blocks: Indices, bots: Indices, first: Indices, together: Indices
) -> Iterator[Stages]:
    for place in range(bots.shape[1] - 1):
        begins = first[:, place] == place
        if begins.any():
            remaining = np.sort(bots[begins, place:], axis=1)
            yield Stages(blocks[begins], remaining, together[begins, place])


class Sets(NamedTuple):
    """The distinct sets of remaining bots, by size, and which one each stage is.

    Sets are numbered through, those of `by_size[0]` first.
    """

    by_size: list[Indices]
    of_stage: Indices
    blocks: Indices


def distinct_sets(stages: Iterable[Stages]) -> Sets:
    """Number the sets of remaining bots, the smaller ones first."""
    by_size: defaultdict[int, list[Stages]] = defaultdict(list)
    for same in stages:
        by_size[same.remaining.shape[1]].append(same)
    found = Sets([], np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp))
    known = 0
    of_stage, blocks = [found.of_stage], [found.blocks]
    for _, same_size in sorted(by_size.items()):
        rows = np.concatenate([same.remaining for same in same_size])
        sets, places = _unique_rows(rows)
        found.by_size.append(sets)
        of_stage.append(places + known)
        blocks += [same.blocks for same in same_size]
        known += len(sets)
    return Sets(found.by_size, np.concatenate(of_stage), np.concatenate(blocks))


def _unique_rows(rows: Indices) -> tuple[Indices, Indices]:
    """Give the distinct rows, and the place of each row among them."""
    base = int(rows.max()) + 1
    if base ** rows.shape[1] < 2**62:
        # As one number each: an order of magnitude quicker than comparing rows.
        keys = rows @ (base ** np.arange(rows.shape[1], dtype=np.intp))
        _, where, places = np.unique(keys, return_index=True, return_inverse=True)
        return rows[where], places.astype(np.intp)
    sets, places = np.unique(rows, axis=0, return_inverse=True)
    return sets, places.ravel().astype(np.intp)


def observed_counts(
    taken: Taken, *, blocks: int, bots: int
) -> tuple[Floats, list[int]]:
    """Count by block how often parameters were observed, and the sizes of ties.

    Columns are bots, each with 1/t where it was one of t best, then one for each size
    of tie that occurs, ascending.
    """
    sizes = {int(t) for same in taken.stages for t in np.unique(same.best)}
    ties = sorted(sizes - {1})
    width = bots + len(ties)
    total = np.zeros(blocks * width)
    for leavers in taken.leavers:
        places = leavers.blocks * width + leavers.bots
        total += np.bincount(places, weights=1 / leavers.together, minlength=len(total))
    for same in taken.stages:
        for column, size in enumerate(ties, start=bots):
            tied = same.blocks[same.best == size]
            total += np.bincount(tied * width + column, minlength=len(total))
    return total.reshape(blocks, width), ties
