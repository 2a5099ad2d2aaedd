import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules import Rules
from engine.scoring import (
    SCHEMES,
    Coefficients,
    Premium,
    deal_points,
    ninety_nine_points,
    points,
    successes,
)

# Points in a deal of five cards: made 3, made 0, bid 2 and took 4, bid 3 and took 0.
FIVE_CARDS = {
    "blackout": (13, 10, 0, 0),
    "standard": (13, 10, 4, 0),
    "standard_zero5": (13, 5, 4, 0),
    "blackout_zero5": (13, 5, 0, 0),
    "standard_zero5plus": (13, 10, 4, 0),
    "blackout_zero5plus": (13, 10, 0, 0),
    "ten_per_trick": (30, 10, -20, -30),
    "five_ten": (35, 5, -15, -20),
    "square": (19, 10, -4, -9),
    "boerenbridge": (13, 20, 4, 0),
    "seven_truf": (30, 25, 4, 0),
    "romanian": (8, 5, -2, -3),
    "podrida_es": (19, 10, -6, -9),
    "pocha": (25, 10, -10, -15),
    "clag2": (16, 10, 0, 0),
    "wizard": (50, 20, -20, -30),
}


@pytest.mark.parametrize(("scheme", "expected"), FIVE_CARDS.items())
def test_schemes_pay_as_their_rules_say(
    scheme: str, expected: tuple[int, int, int, int]
) -> None:
    pairs = ((3, 3), (0, 0), (2, 4), (3, 0))
    paid = [points(SCHEMES[scheme], bid=b, won=t, size=5) for b, t in pairs]
    assert tuple(paid) == expected


def test_every_scheme_is_worked_out_here() -> None:
    assert set(FIVE_CARDS) == set(SCHEMES)


small = st.integers(-9, 9)


@given(st.builds(Coefficients, *[small] * 9), st.integers(0, 13), st.integers(0, 13))
def test_the_formula_is_the_one_written_down(
    k: Coefficients, bid: int, won: int
) -> None:
    d = abs(won - bid)
    made = k.A + k.B * bid + k.Q * bid**2 if bid else k.Z0 + k.Zc * 13
    missed = k.M0 + k.Mt * won + k.Md * d + k.Mq * d**2
    assert points(k, bid=bid, won=won, size=13) == (missed if d else made)


def test_a_seat_without_a_bid_gets_its_tricks_in_every_scheme() -> None:
    for scheme in SCHEMES:
        rules = Rules.of("bust", {"scoring": scheme})
        paid = deal_points(rules, bids=[None, 1], won=[4, 1], size=5, premium=None)
        assert paid[0] == 4


def test_three_successes_pay_ten_two_twenty_and_one_thirty() -> None:
    assert ninety_nine_points([3, 3, 3], [3, 3, 3], None) == [13, 13, 13]
    assert ninety_nine_points([2, 4, 5], [2, 4, 3], None) == [22, 24, 3]
    assert ninety_nine_points([9, 1, 1], [9, 0, 0], None) == [39, 0, 0]


def test_a_premium_goes_to_its_holder_or_to_both_opponents() -> None:
    assert ninety_nine_points([9, 1, 1], [9, 0, 0], Premium(0, 60)) == [99, 0, 0]
    assert ninety_nine_points([9, 1, 1], [8, 1, 0], Premium(0, 60)) == [8, 91, 60]


def test_only_bids_made_are_successes() -> None:
    assert successes([1, None, 0], [1, 0, 0]) == 2


def test_rules_pick_the_scheme_of_the_deal() -> None:
    ninety_nine = Rules.of("ninety_nine")
    paid = deal_points(
        ninety_nine, bids=[2, 4, 5], won=[2, 4, 3], size=9, premium=Premium(2, 30)
    )
    assert paid == [52, 54, 3]
