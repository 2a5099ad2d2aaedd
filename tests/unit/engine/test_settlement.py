from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.settlement import exact_shares, whole_shares

totals = st.lists(st.integers(-500, 500), min_size=2, max_size=10)
stakes = st.integers(0, 1_000)


def test_shares_are_distances_from_the_mean() -> None:
    assert exact_shares([10, 0, 0], 1) == [
        Fraction(20, 3),
        Fraction(-10, 3),
        Fraction(-10, 3),
    ]


def test_missing_units_go_to_the_lowest_seats() -> None:
    assert whole_shares([0, 0, 0, 1], 1) == [0, 0, 0, 0]
    assert whole_shares([-7, -7, -6], 1) == [0, 0, 0]


@given(totals, stakes)
def test_nothing_is_lost_and_whole_units_differ_by_less_than_one(
    scores: list[int], stake: int
) -> None:
    exact, whole = exact_shares(scores, stake), whole_shares(scores, stake)
    assert sum(exact) == sum(whole) == 0
    pairs = zip(exact, whole, strict=True)
    assert all(-1 < share - unit < 1 for share, unit in pairs)
