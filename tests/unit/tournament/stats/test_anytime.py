"""The interval that may be looked at after every block."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

import pytest

from tournament.stats.anytime import BETS, ODDS, BettingInterval

BOUND = 10.0
BLOCKS = 300
RUNS = 300

Draw = Callable[[Random], float]


def running(values: Sequence[float], bound: float = BOUND) -> BettingInterval:
    found = BettingInterval(bound)
    for value in values:
        found.add(value)
    return found


def money(values: Sequence[float], mean: float) -> float:
    """Of those who bet that the mean is above `mean`, as it is defined."""
    return math.fsum(
        begun * math.prod(1 + u * (x - mean) / (mean + BOUND) for x in values)
        for u, begun in BETS
    )


def test_at_both_ends_the_odds_against_the_mean_are_40_to_1() -> None:
    random = Random(1)  # noqa: S311 - repeatable
    values = [random.gauss(1.0, 3.0) for _ in range(60)]
    interval = running(values).interval()
    assert interval is not None
    assert money(values, interval.lo) == pytest.approx(40)
    assert money([-value for value in values], -interval.hi) == pytest.approx(40)


def test_the_bettors_begin_with_1_between_them() -> None:
    assert sum(begun for _, begun in BETS) == 1


@pytest.mark.parametrize("bound", [1.0, 7.0])
def test_equal_values_refute_0_as_soon_as_a_block_that_makes_up_for_them_is_missing(
    bound: float,
) -> None:
    seen = BettingInterval(bound)
    blocks = 0
    while not seen.sign:
        seen.add(bound / 10)
        blocks += 1
    # With the largest bet alone it would be after 46, and 38 blocks without a loss of
    # the bound are still too likely if that is what makes the mean 0.
    assert (10 / 11) ** 38 > 1 / ODDS > (10 / 11) ** 39
    assert 38 < blocks <= 46


def test_0_is_refuted_exactly_where_the_interval_leaves_it_out() -> None:
    for seed, mean in ((1, 1.0), (2, -1.0)):
        random, seen = Random(seed), BettingInterval(BOUND)  # noqa: S311 - repeatable
        signs = []
        for _ in range(BLOCKS):
            seen.add(random.gauss(mean, 3))
            interval = seen.interval()
            assert interval is not None
            signs.append(seen.sign)
            assert seen.sign == (interval.lo > 0) - (interval.hi < 0)
        assert {0, math.copysign(1, mean)} == set(signs)


def decided(draw: Draw, seed: int, blocks: int = BLOCKS) -> int | None:
    """After how many blocks 0 is refuted, watched after each."""
    random, seen = Random(seed), BettingInterval(BOUND)  # noqa: S311 - repeatable
    for block in range(1, blocks + 1):
        seen.add(draw(random))
        if seen.sign:
            return block
    return None


def rarely(random: Random) -> float:
    """Nine small gains, and a loss as large as all of them."""
    return -9.0 if random.random() < 0.1 else 1.0


def hardly_ever(random: Random) -> float:
    """A hundred of them."""
    return -10.0 if random.random() < 1 / 101 else 0.1


EQUAL: dict[str, Draw] = {
    "normal": lambda random: max(-BOUND, min(BOUND, random.gauss(0, 3))),
    "skewed": lambda random: min(BOUND, random.expovariate(1)) - 1 + math.exp(-10),
    "of few values": lambda random: random.choice([-2.0, 0.0, 0.0, 1.0, 1.0]),
    "rare": rarely,
    "rarer": hardly_ever,
    "all or nothing": lambda random: random.choice([-BOUND, BOUND]),
}


@pytest.mark.parametrize("name", EQUAL)
def test_bots_that_are_equal_are_hardly_ever_told_apart_however_often_one_looks(
    name: str,
) -> None:
    wrong = [decided(EQUAL[name], seed) for seed in range(RUNS)]
    assert sum(one is not None for one in wrong) / RUNS < 0.05


def test_of_all_courses_of_a_rare_loss_the_wrong_ones_are_as_rare_as_promised() -> None:
    """No simulation: every number of losses in every order, by their probabilities."""
    chance = Fraction(1, 10)
    undecided: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    wrong = Fraction(0)
    for _ in range(60):
        after: dict[tuple[int, int], Fraction] = {}
        for (gains, losses), weight in undecided.items():
            for course, share in (
                ((gains + 1, losses), 1 - chance),
                ((gains, losses + 1), chance),
            ):
                after[course] = after.get(course, Fraction(0)) + weight * share
        undecided = {}
        for (gains, losses), weight in after.items():
            if running([1.0] * gains + [-9.0] * losses).sign:
                wrong += weight
            else:
                undecided[gains, losses] = weight
    assert Fraction(1, 1000) < wrong < Fraction(5, 100)


def test_a_difference_is_found_the_sooner_the_larger_it_is() -> None:
    def usual(mean: float) -> int:
        found = [
            decided(lambda random: random.gauss(mean, 2), seed) for seed in range(41)
        ]
        return sorted(one if one is not None else BLOCKS for one in found)[20]

    assert usual(2.0) < usual(1.0) < BLOCKS // 3


def test_what_is_possible_at_first_is_everything() -> None:
    assert BettingInterval(BOUND).interval() is None
    first = running([BOUND]).interval()
    assert first is not None
    assert -BOUND < first.lo < -0.9 * BOUND
    assert first.hi == pytest.approx(BOUND)
    worst = running([-BOUND] * 3).interval()
    assert worst is not None
    assert worst.lo == pytest.approx(-BOUND)
    assert worst.hi < BOUND


def test_money_that_has_no_end_and_money_that_is_lost_stay_numbers() -> None:
    seen = running([BOUND] * 3000)
    assert seen.sign == 1
    seen.add(-BOUND)
    interval = seen.interval()
    assert interval is not None
    assert 0 < interval.lo < interval.hi <= BOUND
