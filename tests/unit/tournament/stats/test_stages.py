"""Final ranks taken apart all at once, against taking them apart one by one."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.stages import stages
from tournament.stats.stages import (
    Ranking,
    distinct_sets,
    observed_counts,
    taken_apart,
)

BLOCKS = 3


@st.composite
def matches(draw: st.DrawFn) -> list[Ranking]:
    """Tables of several sizes, with and without ties; some bots have high numbers."""
    found = []
    for _ in range(draw(st.integers(0, 12))):
        seats = draw(st.integers(2, 7))
        numbers = st.integers(0, 9) | st.integers(900, 999)
        bots = draw(st.lists(numbers, min_size=seats, max_size=seats, unique=True))
        ranks = draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
        block = draw(st.integers(0, BLOCKS - 1))
        found.append(Ranking(block, tuple(bots), tuple(ranks)))
    return found


def test_ranks_fall_into_stages_and_the_last_bot_left_is_none() -> None:
    taken = taken_apart([Ranking(0, (5, 2, 7, 1), (2, 1, 2, 4))])
    assert [(same.remaining.tolist(), same.best.tolist()) for same in taken.stages] == [
        ([[1, 2, 5, 7]], [1]),
        ([[1, 5, 7]], [2]),
    ]


@given(matches())
def test_every_stage_is_found_with_its_block(played: list[Ranking]) -> None:
    expected = Counter(
        (match.block, stage.remaining)
        for match in played
        for stage in stages(match.bots, match.ranks)
    )
    sets = distinct_sets(taken_apart(played).stages)
    rows = [tuple(row) for same in sets.by_size for row in same.tolist()]
    found = zip(sets.blocks.tolist(), sets.of_stage.tolist(), strict=True)
    assert len(set(rows)) == len(rows)
    assert Counter((block, rows[place]) for block, place in found) == expected


@given(matches())
def test_what_was_observed_is_counted_by_block(played: list[Ranking]) -> None:
    expected: defaultdict[tuple[int, int], float] = defaultdict(float)
    seen = [
        (match.block, stage)
        for match in played
        for stage in stages(match.bots, match.ranks)
    ]
    ties = sorted({len(stage.best) for _, stage in seen} - {1})
    for block, (_, best) in seen:
        for bot in best:
            expected[block, bot] += 1 / len(best)
        if len(best) > 1:
            expected[block, 1000 + ties.index(len(best))] += 1
    observed, sizes = observed_counts(taken_apart(played), blocks=BLOCKS, bots=1000)
    assert sizes == ties
    places = [(int(b), int(column)) for b, column in np.argwhere(observed)]
    assert {p: observed[p] for p in places} == pytest.approx(dict(expected))
