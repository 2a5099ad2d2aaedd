"""How far one seat of a match can be ahead of another."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.presets import PRESETS
from engine.rules import Rules
from tournament.leads import widest_lead


def lead(
    preset: str, players: int, overrides: Mapping[str, object] | None = None
) -> float:
    return widest_lead(Rules.of(preset, overrides, players=players), players)


def test_it_is_the_mean_over_a_plan_that_is_always_played_as_it_stands() -> None:
    # All tricks made against a miss without a trick: 10 and one for each trick. For a
    # single card it is 11 against 0, or against 10 for a made zero.
    sizes = [*range(1, 11), *range(9, 0, -1)]
    assert lead("up_down", 4) == pytest.approx(sum(10 + c for c in sizes) / len(sizes))


@pytest.mark.parametrize(
    ("overrides", "widest"),
    [
        ({"tie_policy": "extra_max_deals"}, 20),
        ({"max_deals": 3}, 20),
        ({"end": "target_reached", "target_score": 50}, 20),
    ],
)
def test_it_is_that_of_the_widest_deal_where_the_number_of_deals_may_vary(
    overrides: Mapping[str, object], widest: float
) -> None:
    assert lead("up_down", 4, overrides) == widest


def test_a_miss_that_costs_points_widens_it() -> None:
    # 10 + 3 squared for all three tricks, and a bid of three missed by three.
    fixed = {"deal_shape": "fixed", "deal_high": 3, "deal_count": 5}
    assert lead("score_square", 4, fixed) == 19 + 9


def test_what_a_bounce_takes_off_counts_for_as_much_as_it_would_have_added() -> None:
    fixed = {"deal_shape": "fixed", "deal_high": 2, "deal_count": 5}
    straight = {**fixed, "overshoot": "none"}
    # A made zero is worth 20, two made tricks 12, and two of one player's no tricks
    # leave the other with none: 20 - 0; bounced, one loses 20 and the other gains 20.
    assert lead("boerenbridge", 4, straight) == 20
    assert lead("boerenbridge", 4, fixed) == 40


def test_in_ninety_nine_the_only_success_has_the_premium_as_well() -> None:
    assert lead("ninety_nine", 3) == 9 + 30 + 60


def test_seats_that_do_not_bid_get_their_tricks() -> None:
    overrides = {
        "deal_shape": "fixed",
        "deal_high": 2,
        "deal_count": 5,
        "no_bid_at_score": 5,
        "scoring": {"A": 1, "B": 0, "M0": 0},
    }
    assert lead("up_down", 4, overrides) == 2
    assert lead("up_down", 4, {**overrides, "no_bid_at_score": None}) == 1


def test_every_preset_has_one() -> None:
    for preset in PRESETS:
        for players in Rules.of(preset).players:
            assert lead(preset, players) > 0
