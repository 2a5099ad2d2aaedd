"""Schedules keep their promises for any size, index and stream of draws."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.schedule import UnplayableField, design, round_robin

FIELDS = [(4, 3), (5, 3), (4, 4), (6, 4), (9, 4), (5, 5), (8, 5), (6, 6), (8, 7)]


def streams(seed: int) -> Callable[[int], Callable[[int], int]]:
    """Give every block index its own reproducible stream, as its key would."""
    return lambda index: Random(f"{seed}/{index}").randrange  # noqa: S311 - no secret


@given(
    field=st.sampled_from(FIELDS), seed=st.integers(0, 99), index=st.integers(0, 999)
)
def test_a_block_seats_as_many_different_bots_as_there_are_seats(
    field: tuple[int, int], seed: int, index: int
) -> None:
    bots, seats = field
    block = round_robin(bots, seats, streams(seed)).block(index)
    assert block.index == index
    assert len(set(block.seating)) == len(block.seating) == seats
    assert set(block.seating) <= set(range(bots))


@given(
    field=st.sampled_from(FIELDS), seed=st.integers(0, 99), index=st.integers(0, 999)
)
def test_a_block_depends_on_its_index_alone(
    field: tuple[int, int], seed: int, index: int
) -> None:
    bots, seats = field
    fresh = round_robin(bots, seats, streams(seed)).block(index)
    used = round_robin(bots, seats, streams(seed))
    for other in (index + 5, 0, index // 2):
        used.block(other)
    assert used.block(index) == fresh


@given(
    field=st.sampled_from(FIELDS), seed=st.integers(0, 99), played=st.integers(1, 130)
)
def test_nobody_is_ahead_by_more_than_the_design_says(
    field: tuple[int, int], seed: int, played: int
) -> None:
    bots, seats = field
    schedule = round_robin(bots, seats, streams(seed))
    tables = Counter(b for i in range(played) for b in schedule.block(i).seating)
    counts = [tables[bot] for bot in range(bots)]
    assert max(counts) - min(counts) <= design(bots, seats).balance().prefix


@given(field=st.sampled_from([(4, 4), (5, 5), (7, 3), (9, 4)]), seed=st.integers(0, 99))
def test_relabelling_and_turning_keep_who_sits_left_of_whom_balanced(
    field: tuple[int, int], seed: int
) -> None:
    bots, seats = field
    schedule = round_robin(bots, seats, streams(seed))
    left: Counter[tuple[int, int, int]] = Counter()
    cycle = len(schedule.design.tables)
    for index in range(cycle, 2 * cycle):
        seating = schedule.block(index).seating
        for place, bot in enumerate(seating):
            for offset in range(1, seats):
                left[offset, bot, seating[(place + offset) % seats]] += 1
    assert len(left) == bots * (bots - 1) * (seats - 1)
    assert len(set(left.values())) == 1


@given(bots=st.integers(-1, 8), seats=st.integers(-1, 12))
def test_a_field_is_either_scheduled_or_refused_with_its_numbers(
    bots: int, seats: int
) -> None:
    if 3 <= seats <= 7 and bots >= seats:
        assert design(bots, seats).tables
    else:
        with pytest.raises(UnplayableField, match=str(seats)):
            design(bots, seats)
