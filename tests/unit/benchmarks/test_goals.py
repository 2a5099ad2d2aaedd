"""Goals of the benchmarks: what is reached, what is missed, and how it is said."""

from __future__ import annotations

import pytest

from benchmarks.goals import MARK, Goal, report
from benchmarks.rounds import percentile, ratios


def test_a_bound_is_a_least_or_a_most_and_may_be_met_exactly() -> None:
    assert Goal("G", "", 0.5, 0.5).reached
    assert not Goal("G", "", 0.49, 0.5).reached
    assert Goal("G", "", 1.5, 1.5, at_most=True).reached
    assert not Goal("G", "", 1.51, 1.5, at_most=True).reached


def test_all_goals_are_printed_though_the_first_is_missed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    goals = [Goal("G1", "one", 0.1, 0.5), Goal("G2", "two", 0.9, 0.5)]
    assert not report(goals)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(MARK)] == ["G1", "G2"]
    assert [line.split()[-1] for line in lines] == ["MISSED", "reached"]


def test_a_ratio_is_the_median_of_single_rounds_whose_spread_is_told() -> None:
    # A round in which the machine was busy moves neither side alone.
    goal = Goal.of_rounds("G", "", ratios([2, 40, 6], [1, 10, 2]), 3)
    assert goal.ratio == 3
    assert "2.00-4.00" in str(goal)
    assert goal.reached


def test_a_percentile_is_a_value_that_was_seen() -> None:
    values = [float(n) for n in range(101)]
    assert percentile(values[::-1], 0.99) == 99
    assert percentile([7.0], 0.99) == 7
    assert percentile([], 0.99) == 0
