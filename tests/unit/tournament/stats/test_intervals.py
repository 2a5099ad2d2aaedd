"""Quantiles and intervals against scipy and against their closed forms."""

import math

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has none

from tournament.stats.intervals import (
    Interval,
    around,
    around_share,
    percentile,
    percentile_levels,
    t_quantile,
)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 10, 29, 30, 99, 199, 200, 1000])
def test_students_t_agrees_with_scipy(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


def test_an_interval_needs_two_blocks() -> None:
    assert around(3.0, 1.0, 1) is None
    assert around_share(0.5, 0.1, 1) is None
    assert around(3.0, 0.0, 2) == Interval(3.0, 3.0)


def test_an_interval_reaches_t_errors_to_both_sides() -> None:
    found = around(3.0, 2.0, 2)
    assert found is not None
    assert found.hi - 3.0 == pytest.approx(2 * math.tan(0.475 * math.pi))


def test_a_share_of_independent_trials_gets_wilsons_interval() -> None:
    trials, share = 5000, 0.1
    error = math.sqrt(share * (1 - share) / trials)
    found = around_share(share, error, trials)
    wilson = stats.binomtest(500, trials).proportion_ci(method="wilson")
    assert found == pytest.approx((wilson.low, wilson.high), abs=5e-6)


@pytest.mark.parametrize(("share", "ends"), [(0.0, 0), (1.0, 1)])
def test_a_share_that_never_varied_still_has_a_width(share: float, ends: int) -> None:
    found = around_share(share, 0.0, 12)
    assert found is not None
    assert found[ends] == pytest.approx(share)
    assert 0.2 < found.hi - found.lo < 0.4


def test_percentile_levels_are_wider_for_few_blocks() -> None:
    assert percentile_levels(10**6).lo == pytest.approx(0.025, abs=1e-5)
    assert percentile_levels(5).lo < 0.002
    assert percentile_levels(2).lo + percentile_levels(2).hi == 1


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([1.0, 2.0, 4.0], 0.75) == 3.0
    assert percentile([1.0, 2.0, 4.0], 1.0) == 4.0
    assert percentile([7.0], 0.3) == 7.0
