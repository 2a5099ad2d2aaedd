"""What each parameter takes, and what is said about anything else."""

import pytest

from engine.errors import Code, IllegalRules, Violation
from engine.parameters import DealKind
from engine.rules import PARAMETER_NAMES, Rules
from engine.scoring import Coefficients

PACKS = (
    "std52, std54, atk50, top24, top32, top36, top40, top48, bust39, bust65, bust78,"
    " spanish40, wiz60"
)
FROM_1 = "a whole number from 1"
FLAG = "true or false"
REPEAT = 'a whole number from 1 to 10000, or "players"'
RIGHT = {
    "players": "a list, not empty, of numbers from 2 to 10",
    "direction": "one of clockwise, counterclockwise",
    "first_dealer": ("draw_high, random, host, or seat:k with k from 0 to players - 1"),
    "pack": f"one of {PACKS}, or a map from number of players to that",
    "rank_order": "one of A_high, spanish_A3",
    "duplicate_winner": "one of last, first",
    "deal_shape": "one of up, down, up_down, down_up, fixed, list",
    "deal_low": FROM_1,
    "deal_high": f"{FROM_1}, or a map from number of players to that",
    "deal_step": FROM_1,
    "turn_repeat": REPEAT,
    "end_repeat": REPEAT,
    "deal_list": "null or a list, not empty, of numbers from 1",
    "deal_count": (
        f"{FROM_1} to 10000, or a map from number of players to that, or null"
    ),
    "deal_kinds": (
        "null or a map from deal number (as text, from 1) to one of normal, no_trump,"
        " misere_trump, misere_no_trump, guess_trump, blind, blind_in_order"
    ),
    "trump_method": "one of turn_up, rotation, fixed, none, previous_successes",
    "trump_suit": "one of C, D, H, S, or null",
    "trump_sequence": "null or a list, not empty, of C, D, H, S, NT",
    "turnup_min_rank": "a whole number from 2 to 14, or null",
    "turnup_joker": "one of not_applicable, joker_suit_trump, redraw, wizard_rules",
    "no_trump_deals": "one of none, last, largest",
    "full_pack_trump": "one of none, rotation, fixed, dealer_last_card",
    "bid_mode": "one of turn, simultaneous, bid_cards",
    "hook": FLAG,
    "hook_min_cards": FROM_1,
    "bid_amend": "one of none, until_next_bid",
    "last_bid_amend": "one of none, until_first_lead",
    "no_bid_at_score": f"{FROM_1}, or null",
    "forehead": "one of none, last_one_card, all_one_card",
    "first_leader": "one of eldest, dealer",
    "must_trump": FLAG,
    "must_overtrump": FLAG,
    "must_head": FLAG,
    "joker_mode": "one of none, suit, high_low, wizard",
    "joker_opposite_scope": "one of deal, trick",
    "scoring": (
        "one of blackout, standard, standard_zero5, blackout_zero5,"
        " standard_zero5plus, blackout_zero5plus, ten_per_trick, five_ten, square,"
        " boerenbridge, seven_truf, romanian, podrida_es, pocha, clag2, wizard,"
        " ninety_nine, or a map from A, B, Q, Z0, Zc, M0, Mt, Md, Mq to whole numbers"
        " from -1000 to 1000"
    ),
    "end": "one of all_deals, exact_target, target_reached",
    "target_score": f"{FROM_1}, or null",
    "overshoot": "one of none, bounce",
    "tie_policy": "one of shared, extra_max_deals",
    "settlement": "one of none, mean_difference",
    "stake_per_point": "a whole number from 0",
    "max_deals": f"{FROM_1}, or null",
}
# Broken combination rule 12; all others are of the value alone.
OF_RULE_12 = ("turn_repeat", "end_repeat")


def violation(parameters: dict[str, object]) -> Violation:
    with pytest.raises(IllegalRules) as error:
        Rules.of_parameters(parameters)
    assert len(error.value.violations) == 1
    return error.value.violations[0]


def refused(parameter: str, value: object) -> Violation:
    return violation({**Rules.of("pagat_standard").parameters(), parameter: value})


def test_every_parameter_is_asked_for_below() -> None:
    assert tuple(RIGHT) == PARAMETER_NAMES


@pytest.mark.parametrize("parameter", PARAMETER_NAMES)
def test_a_missing_parameter_is_named_with_what_is_right(parameter: str) -> None:
    parameters = Rules.of("pagat_standard").parameters()
    del parameters[parameter]
    found = violation(parameters)
    assert found.message == f"{parameter} is missing: it must be {RIGHT[parameter]}"
    assert (found.parameter, found.value) == (parameter, "")
    assert found.code is Code.BAD_CONFIG
    assert found.rule == ("12" if parameter in OF_RULE_12 else "domain")


@pytest.mark.parametrize("parameter", PARAMETER_NAMES)
def test_a_value_of_no_use_is_shown_with_what_is_right(parameter: str) -> None:
    found = refused(parameter, 0.5)
    assert found.message == f"{parameter} = 0.5: must be {RIGHT[parameter]}"
    assert (found.parameter, found.value) == (parameter, "0.5")
    assert found.rule == ("12" if parameter in OF_RULE_12 else "domain")


@pytest.mark.parametrize(
    ("parameter", "value", "right"),
    [
        ("pack", {"4": "std53"}, f"for 4 players one of {PACKS}"),
        ("pack", {"3": 3}, f"for 3 players one of {PACKS}"),
        ("deal_high", {"4": 0, "3": 5}, f"for 4 players {FROM_1}"),
        ("deal_high", {"3": 10**9 + 1}, f"for 3 players {FROM_1} to 1000000000"),
        ("deal_high", 10**9 + 1, f"{FROM_1} to 1000000000, or a map from number of"),
        ("deal_count", {"3": 10_001}, f"for 3 players {FROM_1} to 10000"),
        ("deal_low", 10**9 + 1, f"{FROM_1} to 1000000000"),
        ("max_deals", 10**9 + 1, f"{FROM_1} to 1000000000, or null"),
    ],
)
def test_what_is_said_fits_what_is_wrong(
    parameter: str, value: object, right: str
) -> None:
    assert f": must be {right}" in refused(parameter, value).message


@pytest.mark.parametrize(
    ("parameter", "value", "kept"),
    [
        ("players", [10, 2, 2], (2, 10)),
        ("players", (3, 4), (3, 4)),
        ("first_dealer", "random", "random"),
        ("first_dealer", "seat:0", "seat:0"),
        ("first_dealer", "seat:9", "seat:9"),
        ("pack", {"10": "std54", "2": "top24"}, ((2, "top24"), (10, "std54"))),
        ("deal_low", 1, 1),
        ("deal_high", 1, 1),
        ("deal_low", 10**9, 10**9),
        ("deal_high", {"10": 1, "2": 10**9}, ((2, 10**9), (10, 1))),
        (
            "deal_high",
            {str(n): 1 for n in range(2, 11)},
            tuple((n, 1) for n in range(2, 11)),
        ),
        ("deal_count", None, None),
        ("deal_count", 10_000, 10_000),
        ("deal_count", {"3": 1}, ((3, 1),)),
        ("turn_repeat", "players", "players"),
        ("turn_repeat", 10_000, 10_000),
        ("end_repeat", 1, 1),
        ("deal_list", None, None),
        ("deal_list", [1, 10**9], (1, 10**9)),
        ("deal_list", (2,), (2,)),
        ("deal_kinds", None, None),
        ("deal_kinds", {}, None),
        (
            "deal_kinds",
            {"1234567890": "blind", "2": "normal"},
            ((2, DealKind.NORMAL), (1234567890, DealKind.BLIND)),
        ),
        ("trump_suit", "C", "C"),
        ("trump_suit", "S", "S"),
        ("trump_sequence", ["C", "D", "H", "S", "NT"], ("C", "D", "H", "S", "NT")),
        ("trump_sequence", ("NT",), ("NT",)),
        ("turnup_min_rank", 2, 2),
        ("turnup_min_rank", 14, 14),
        ("no_bid_at_score", 1, 1),
        ("target_score", 1, 1),
        ("max_deals", 1, 1),
        ("stake_per_point", 0, 0),
        ("hook_min_cards", 1, 1),
        ("deal_step", 1, 1),
        ("hook", False, False),
        ("scoring", {"Mq": -1000, "A": 1000}, Coefficients(A=1000, Mq=-1000)),
        ("scoring", "ninety_nine", "ninety_nine"),
    ],
)
def test_values_at_the_limits_are_kept(
    parameter: str, value: object, kept: object
) -> None:
    rules = Rules.of("pagat_standard", {parameter: value})
    assert getattr(rules, parameter) == kept
    assert Rules.of_parameters(rules.parameters()) == rules


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("players", []),
        ("players", [1, 3]),
        ("players", [3, 11]),
        ("players", "34"),
        ("first_dealer", "seat:-1"),
        ("first_dealer", "xhost"),
        ("pack", {"11": "std52"}),
        ("pack", {}),
        ("pack", "std53"),
        ("deal_shape", "flat"),
        ("deal_low", 0),
        ("deal_high", {"1": 5}),
        ("deal_high", {}),
        ("deal_count", {}),
        ("deal_list", []),
        ("deal_list", [1, 0]),
        ("deal_list", "1"),
        ("deal_kinds", {"0": "blind"}),
        ("deal_kinds", {"12345678901": "blind"}),
        ("deal_kinds", {"1": 1}),
        ("deal_kinds", {"1": "Blind"}),
        ("trump_suit", ""),
        ("trump_suit", "CD"),
        ("trump_sequence", []),
        ("trump_sequence", "C"),
        ("trump_sequence", ["C", 1]),
        ("turnup_min_rank", 1),
        ("turnup_min_rank", 15),
        ("no_bid_at_score", 0),
        ("target_score", 0),
        ("stake_per_point", -1),
        ("hook_min_cards", 0),
        ("deal_step", 0),
        ("deal_count", 0),
        ("scoring", {"A": 1001}),
        ("scoring", {"A": -1001}),
        ("scoring", {0: 1}),
        ("scoring", {}),
    ],
)
def test_values_beyond_the_limits_are_refused(parameter: str, value: object) -> None:
    assert refused(parameter, value).message.endswith(f": must be {RIGHT[parameter]}")
