from itertools import islice

import pytest

from engine.parameters import DealKind
from engine.plan import (
    cards_dealt,
    certain_no_trump_deals,
    deal_plan,
    dealer_of,
    forehead_deals,
    is_certain_no_trump,
    is_forced_no_trump,
    is_forehead,
    kind_of,
    scheduled_deals,
    turns_card_up,
)
from engine.presets import preset_names
from engine.rules import Rules


def sizes(preset: str, players: int, **overrides: object) -> list[int]:
    return list(
        deal_plan(Rules.of(preset, overrides, players=players), players).sizes()
    )


def span(first: int, last: int) -> list[int]:
    step = 1 if first <= last else -1
    return list(range(first, last + step, step))


# Deals, tricks in all, and deals without trump whatever is dealt.
WORKED_OUT = {
    ("pagat_standard", 5): (19, 109, []),
    ("pagat_standard", 7): (13, 55, []),
    ("simple_standard", 3): (15, 120, [15]),
    ("simple_down_up", 4): (25, 181, [1, 25]),
    ("max_full", 3): (33, 305, []),
    ("max7", 4): (13, 55, []),
    ("bust", 6): (25, 181, [1, 25]),
    ("seven_truf", 4): (22, 120, [8, 9, 10, 11, 19, 20, 21, 22]),
    ("la_podrida_es", 4): (28, 184, [1, 28]),
    ("la_podrida_fidepo", 3): (29, 298, []),
    ("la_pocha", 6): (26, 76, []),
    ("romanian_whist", 3): (21, 84, [10, 11, 12]),
    ("romanian_whist_818", 4): (24, 122, [1, 2, 3, 4, 21, 22, 23, 24]),
    ("clag", 7): (22, 112, [8]),
    ("clag_short", 4): (20, 98, [8, 13]),
    ("wizard", 5): (12, 78, [12]),
    ("rotating_trump_nt", 6): (15, 71, [5, 10, 15]),
    ("blackout_jokers", 6): (12, 108, []),
}


@pytest.mark.parametrize(("game", "expected"), WORKED_OUT.items(), ids=str)
def test_plans_come_out_as_worked_out_by_hand(
    game: tuple[str, int], expected: tuple[int, int, list[int]]
) -> None:
    preset, players = game
    rules = Rules.of(preset, players=players)
    plan = deal_plan(rules, players)
    no_trump = list(certain_no_trump_deals(rules, players))
    assert (plan.length, sum(plan.sizes()), no_trump) == expected


@pytest.mark.parametrize("preset", preset_names())
def test_a_plan_tells_the_same_by_number_and_in_a_row(preset: str) -> None:
    rules = Rules.of(preset)
    for players in rules.players:
        plan = deal_plan(rules, players)
        row = list(islice(plan.sizes(), plan.length or 50))
        assert [plan.size(deal) for deal in range(1, len(row) + 1)] == row
        assert max(row) == plan.largest
        assert plan.size((plan.length or 0) + 1) == plan.largest


def test_repeats_are_of_the_turn_and_of_the_ends() -> None:
    overrides: dict[str, object] = {"deal_high": 3, "turn_repeat": 2, "end_repeat": 3}
    up_down = [1, 1, 1, 2, 3, 3, 2, 1, 1, 1]
    assert sizes("up_down", 4, **overrides) == up_down
    assert sizes("pagat_standard", 4, **overrides) == [3, 3, 3, 2, 1, 1, 2, 3, 3, 3]
    assert sizes("up_only", 4, **overrides) == [1, 2, 3]
    assert sizes("down_only", 4, **overrides) == [3, 2, 1]
    overrides["turn_repeat"] = overrides["end_repeat"] = "players"
    assert sizes("up_down", 4, **overrides) == [1] * 4 + [2] + [3] * 4 + [2] + [1] * 4


def test_the_last_step_may_be_shorter() -> None:
    assert sizes("up_only", 4, deal_high=6, deal_step=2) == [1, 3, 5, 6]
    assert sizes("up_down", 4, deal_high=6, deal_step=2) == [1, 3, 5, 6, 5, 3, 1]
    assert sizes("down_only", 4, deal_high=6, deal_step=9) == [6, 1]


def test_a_list_is_played_as_it_stands() -> None:
    assert sizes("seven_truf", 4) == [*span(1, 7), *[8] * 4, *span(7, 1), *[8] * 4]


def test_an_open_ended_plan_goes_on_and_has_no_extra_deals() -> None:
    rules = Rules.of("boerenbridge")
    plan = deal_plan(rules, 4)
    assert (plan.length, plan.last_size, plan.size(10**12)) == (None, None, 13)
    assert not plan.is_extra(10**12)
    assert scheduled_deals(rules, plan) == range(1, 501)
    assert list(forehead_deals(rules, 4)) == []
    assert len(list(certain_no_trump_deals(rules, 4))) == 500


def test_a_plan_of_many_deals_ends_where_it_should() -> None:
    overrides: dict[str, object] = {"deal_shape": "fixed", "deal_count": 10_000}
    plan = deal_plan(Rules.of("bust", overrides, players=4), 4)
    assert plan.size(10_000) == 13
    assert not plan.is_extra(10_000)
    assert plan.is_extra(10_001)


def test_the_dealer_moves_by_one_for_every_deal() -> None:
    dealers = [dealer_of(deal, first_dealer=2, players=3) for deal in range(1, 8)]
    assert dealers == [2, 0, 1, 2, 0, 1, 2]


def test_extra_deals_are_normal_and_no_last_forehead_deals() -> None:
    kinds = {"20": "blind", "21": "blind"}
    overrides: dict[str, object] = {"deal_kinds": kinds, "forehead": "last_one_card"}
    rules = Rules.of("clag_short", overrides, players=4)
    plan = deal_plan(rules, 4)
    assert kind_of(rules, plan, 20) is DealKind.BLIND
    assert kind_of(rules, plan, 21) is DealKind.NORMAL
    assert list(forehead_deals(rules, 4)) == [20]
    ones = Rules.of("bust", {"deal_shape": "fixed", "deal_high": 1, "deal_count": 3})
    last = ones.with_overrides({"forehead": "last_one_card"})
    every = ones.with_overrides({"forehead": "all_one_card"})
    three = deal_plan(ones, 4)
    assert [is_forehead(last, three, deal) for deal in (2, 3, 4)] == [
        False,
        True,
        False,
    ]
    assert [is_forehead(every, three, deal) for deal in (2, 3, 4)] == [True] * 3


def test_last_and_largest_without_trump_hold_in_extra_deals() -> None:
    for no_trump in ("last", "largest"):
        rules = Rules.of("up_only", {"no_trump_deals": no_trump}, players=4)
        plan = deal_plan(rules, 4)
        forced = [is_forced_no_trump(rules, plan, deal) for deal in (9, 10, 11)]
        assert forced == [False, True, True]


def test_no_card_is_turned_up_where_none_can_count() -> None:
    rules = Rules.of("bust", players=5)
    plan = deal_plan(rules, 5)
    turned = [turns_card_up(rules, plan, deal, players=5) for deal in (1, 2, 25)]
    assert turned == [False, True, False]
    one_left = Rules.of("max_full", players=3)
    assert turns_card_up(one_left, deal_plan(one_left, 3), 1, players=3)
    spades = Rules.of("oh_shit", players=4)
    assert not turns_card_up(spades, deal_plan(spades, 4), 1, players=4)
    bid_cards = Rules.of("ninety_nine", players=3)
    assert cards_dealt(bid_cards, 9) == 12


@pytest.mark.parametrize(
    ("overrides", "certain"),
    [
        ({"trump_method": "none"}, [1, 2, 3, 4]),
        (
            {"trump_method": "none", "full_pack_trump": "dealer_last_card"},
            [1, 2, 3, 4],
        ),
        ({"trump_method": "fixed", "trump_suit": "H"}, []),
        (
            {"trump_method": "rotation", "trump_sequence": ["NT", "C", "H"]},
            [1, 4],
        ),
        ({"trump_method": "turn_up"}, [2]),
        ({"trump_method": "turn_up", "full_pack_trump": "dealer_last_card"}, []),
        (
            {
                "trump_method": "turn_up",
                "full_pack_trump": "rotation",
                "trump_sequence": ["C", "NT"],
            },
            [2],
        ),
        (
            {
                "trump_method": "turn_up",
                "full_pack_trump": "rotation",
                "trump_sequence": ["NT", "C"],
            },
            [],
        ),
        (
            {
                "trump_method": "turn_up",
                "full_pack_trump": "fixed",
                "trump_suit": "C",
            },
            [],
        ),
    ],
)
def test_deals_are_without_trump_for_certain_where_no_pack_gives_one(
    overrides: dict[str, object], certain: list[int]
) -> None:
    # The second deal takes the whole pack.
    rules = Rules.of(
        "bust", {"deal_shape": "list", "deal_list": [1, 13, 2, 3], **overrides}
    ).with_overrides({"pack": "std52", "no_trump_deals": "none"})
    plan = deal_plan(rules, 4)
    told = [is_certain_no_trump(rules, plan, deal, players=4) for deal in range(1, 5)]
    assert told == [deal in certain for deal in range(1, 5)]


def test_the_first_deal_has_no_successes_before_it_and_so_no_trump() -> None:
    rules = Rules.of("ninety_nine")
    plan = deal_plan(rules, 3)
    told = [is_certain_no_trump(rules, plan, deal, players=3) for deal in (1, 2, 3)]
    assert told == [True, False, False]


def test_no_deal_is_special_where_the_rules_have_none() -> None:
    rules = Rules.of("pagat_standard", {"no_trump_deals": "none"})
    plan = deal_plan(rules, 4)
    last = plan.length or 0
    assert plan.size(10) == 1
    for deal in (1, 10, last):
        assert is_forehead(rules, plan, deal) is False
        assert is_forced_no_trump(rules, plan, deal) is False
