"""The interval that may be looked at after every block."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import pytest

from tournament.stats.anytime import FEWEST, WEIGHT, Running
from tournament.stats.intervals import Interval

BLOCKS = 300
RUNS = 400


def running(values: Sequence[float]) -> Running:
    found = Running()
    for value in values:
        found.add(value)
    return found


def e_value(values: Sequence[float], mean: float) -> float:
    """As it is defined, by a sum over possible effects: the prior is normal.

    With t = S / sqrt(V), the integral over the deviation leaves a function of t alone.
    """
    n = len(values)
    total = math.fsum(value - mean for value in values)
    squares = math.fsum((value - mean) ** 2 for value in values)

    def weight(effect: float, deviation: float) -> float:
        distance = squares - 2 * effect * deviation * total
        distance += n * (effect * deviation) ** 2
        return math.exp(-distance / (2 * deviation**2)) / deviation ** (n + 1)

    scale = math.sqrt(squares / n)
    deviations = [scale * math.exp(step / 40) for step in range(-80, 81)]
    effects = [step / 25 / math.sqrt(WEIGHT) for step in range(-150, 151)]
    prior = [math.exp(-(effect**2) * WEIGHT / 2) for effect in effects]
    # Steps of the logarithm: each deviation counts for its own size.
    null = math.fsum(weight(0.0, one) * one for one in deviations)
    alternative = math.fsum(
        chance * weight(effect, one) * one
        for effect, chance in zip(effects, prior, strict=True)
        for one in deviations
    )
    return alternative / math.fsum(prior) / null


@pytest.mark.parametrize("blocks", [FEWEST, 30])
def test_at_both_ends_the_odds_against_the_mean_are_20_to_1(blocks: int) -> None:
    random = Random(blocks)  # noqa: S311 - repeatable
    values = [random.gauss(1.0, 3.0) for _ in range(blocks)]
    interval = running(values).interval()
    assert interval is not None
    for end in interval:
        assert e_value(values, end) == pytest.approx(20, rel=1e-3)
    assert e_value(values, sum(values) / blocks) < 1


def decided(draw: Callable[[Random], float], seed: int) -> int | None:
    """After how many blocks 0 is excluded, watched after each."""
    random, seen = Random(seed), Running()  # noqa: S311 - repeatable
    for block in range(1, BLOCKS + 1):
        seen.add(draw(random))
        interval = seen.interval()
        if interval is not None and not interval.lo <= 0 <= interval.hi:
            return block
    return None


def test_bots_that_are_equal_are_hardly_ever_told_apart_however_often_one_looks() -> (
    None
):
    wrong = [decided(lambda random: random.gauss(0, 3), seed) for seed in range(RUNS)]
    assert sum(one is not None for one in wrong) / RUNS < 0.05
    skewed = [
        decided(lambda random: random.expovariate(1) - 1, seed) for seed in range(RUNS)
    ]
    assert sum(one is not None for one in skewed) / RUNS < 0.08


def test_a_difference_is_found_the_sooner_the_larger_it_is() -> None:
    def usual(mean: float) -> int:
        found = [
            decided(lambda random: random.gauss(mean, 3.2), seed) for seed in range(41)
        ]
        return sorted(one if one is not None else BLOCKS for one in found)[20]

    assert usual(1.5) < usual(1.0) < BLOCKS // 2


def test_few_values_have_no_interval_and_equal_ones_no_width() -> None:
    assert running([1.0] * (FEWEST - 1)).interval() is None
    assert running([1.0] * FEWEST).interval() == Interval(1.0, 1.0)


def test_there_is_an_interval_as_soon_as_any_mean_is_refuted() -> None:
    far = [1e6 + value for value in range(FEWEST)]
    assert e_value(far[1:], 0.0) < 20 < e_value(far, 0.0)
