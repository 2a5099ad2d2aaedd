"""How parameters must go together: each rule broken alone, and what is said then."""

from typing import NamedTuple

import pytest

from engine.errors import Code, IllegalRules, Violation
from engine.rules import Rules
from engine.validation import RulesWarning, written

NO_END = (
    "deal_count = null is a plan without end: it needs a target (end = exact_target or"
    " target_reached) and max_deals"
)
SUITS = "C, D, H or S"
STEPS = "a list of C, D, H, S, NT"
SPECIAL = "a pack without jokers, wizards and jesters, not std54"


class Case(NamedTuple):
    """Rules for some players that break one combination rule, and what is told."""

    preset: str
    players: int
    overrides: dict[str, object]
    rule: str
    parameter: str
    value: str
    message: str


BROKEN = [
    Case(
        "pagat_standard",
        5,
        {"deal_high": {"3": 5, "4": 5}},
        "1",
        "deal_high",
        '{"3": 5, "4": 5}',
        "deal_high is a map without 5 players: it has 3 4",
    ),
    Case(
        "bust",
        4,
        {"pack": {"3": "bust39"}},
        "1",
        "pack",
        '{"3": "bust39"}',
        "pack is a map without 4 players: it has 3",
    ),
    Case(
        "blackout_jokers",
        5,
        {"deal_count": {"6": 12}},
        "1",
        "deal_count",
        '{"6": 12}',
        "deal_count is a map without 5 players: it has 6",
    ),
    Case(
        "pagat_standard",
        4,
        {"deal_high": 14},
        "2",
        "deal_high",
        "14",
        "deal_high: hands of 14 for 4 players do not fit the pack std52 of 52 cards;"
        " at most 13",
    ),
    Case(
        "ninety_nine",
        3,
        {"deal_high": 10},
        "2",
        "deal_high",
        "10",
        "deal_high: hands of 10 for 3 players do not fit the pack top36 of 36 cards;"
        " at most 9",
    ),
    Case(
        "seven_truf",
        4,
        {"deal_list": [1, 9, 2]},
        "2",
        "deal_list",
        "[1, 9, 2]",
        "deal_list: hands of 9 for 4 players do not fit the pack top32 of 32 cards;"
        " at most 8",
    ),
    Case(
        "pagat_standard",
        4,
        {"deal_low": 4, "deal_high": 4},
        "12",
        "deal_low",
        "4",
        "deal_low = 4 must be below deal_high = 4 for deal_shape = down_up; for one"
        " size use deal_shape = fixed",
    ),
    Case(
        "pagat_standard",
        4,
        {"deal_shape": "list"},
        "domain",
        "deal_list",
        "null",
        "deal_shape = list needs deal_list: a list of sizes",
    ),
    Case(
        "simultaneous",
        4,
        {"hook": True},
        "4",
        "hook",
        "true",
        "hook = true needs bid_mode = turn; with simultaneous nobody is last to bid",
    ),
    Case(
        "coulon",
        4,
        {"trump_method": "none"},
        "5",
        "turnup_min_rank",
        "7",
        "turnup_min_rank needs trump_method = turn_up; otherwise it must be null",
    ),
    Case(
        "la_pocha",
        4,
        {"turnup_min_rank": 7},
        "5",
        "turnup_min_rank",
        "7",
        "turnup_min_rank must be null with the pack spanish40: its ranks have no such"
        " numbers",
    ),
    Case(
        "pagat_standard",
        4,
        {"forehead": "last_one_card"},
        "6",
        "forehead",
        '"last_one_card"',
        "forehead = last_one_card needs a last deal of one card; its size is 10",
    ),
    Case(
        "boerenbridge",
        4,
        {"forehead": "last_one_card", "deal_high": 1},
        "6",
        "forehead",
        '"last_one_card"',
        "forehead = last_one_card needs a last deal of one card; its size is none, for"
        " the plan has no end",
    ),
    Case(
        "boerenbridge",
        4,
        {"forehead": "all_one_card"},
        "6",
        "forehead",
        '"all_one_card"',
        "forehead = all_one_card needs a deal of one card",
    ),
    Case(
        "oh_shit",
        4,
        {"joker_mode": "suit"},
        "7",
        "joker_mode",
        '"suit"',
        "joker_mode = suit does not go with the pack std52: it must be none, or the"
        " pack another",
    ),
    Case(
        "jokers_suit",
        4,
        {"joker_mode": "none"},
        "7",
        "joker_mode",
        '"none"',
        "joker_mode = none does not go with the pack std54: it must be suit or"
        " high_low, or the pack another",
    ),
    Case(
        "wizard",
        4,
        {"joker_mode": "none"},
        "7",
        "joker_mode",
        '"none"',
        "joker_mode = none does not go with the pack wiz60: it must be wizard, or the"
        " pack another",
    ),
    Case(
        "blackout_jokers",
        5,
        {"trump_method": "none"},
        "8",
        "trump_method",
        '"none"',
        "joker_mode = high_low needs trump_method = rotation or fixed, not none",
    ),
    Case(
        "boerenbridge",
        4,
        {"max_deals": None},
        "9",
        "deal_count",
        "null",
        NO_END,
    ),
    Case(
        "boerenbridge",
        4,
        {"end": "all_deals"},
        "9",
        "deal_count",
        "null",
        NO_END,
    ),
    Case(
        "blackout_jokers",
        5,
        {"must_head": True},
        "11",
        "must_head",
        "true",
        "must_head must be false with joker_mode = high_low",
    ),
    Case(
        "blackout_jokers",
        5,
        {"must_overtrump": True},
        "11",
        "must_overtrump",
        "true",
        "must_overtrump must be false with joker_mode = high_low",
    ),
    Case(
        "pagat_standard",
        4,
        {"first_dealer": "seat:4"},
        "domain",
        "first_dealer",
        '"seat:4"',
        "first_dealer = seat:4: seats are 0 to 3",
    ),
    *[
        Case(
            "pagat_standard",
            4,
            {name: "fixed"},
            *(
                "domain",
                "trump_suit",
                "null",
                f"{name} = fixed needs trump_suit: {SUITS}",
            ),
        )
        for name in ("trump_method", "full_pack_trump")
    ],
    *[
        Case(
            "pagat_standard",
            4,
            {name: "rotation"},
            "domain",
            "trump_sequence",
            "null",
            f"{name} = rotation needs trump_sequence: {STEPS}",
        )
        for name in ("trump_method", "full_pack_trump")
    ],
    Case(
        "pagat_standard",
        4,
        {"end": "exact_target"},
        "domain",
        "target_score",
        "null",
        "end = exact_target needs a target_score",
    ),
    Case(
        "pagat_standard",
        4,
        {"overshoot": "bounce"},
        "domain",
        "target_score",
        "null",
        "overshoot = bounce needs a target_score",
    ),
    Case(
        "pagat_standard",
        4,
        {"rank_order": "spanish_A3"},
        "14",
        "rank_order",
        '"spanish_A3"',
        "rank_order must be A_high with the pack std52",
    ),
    Case(
        "la_pocha",
        4,
        {"rank_order": "A_high"},
        "14",
        "rank_order",
        '"A_high"',
        "rank_order must be spanish_A3 with the pack spanish40",
    ),
    Case(
        "jokers_suit",
        4,
        {"turnup_joker": "not_applicable"},
        "15",
        "turnup_joker",
        '"not_applicable"',
        "turnup_joker must be joker_suit_trump or redraw with joker_mode = suit and"
        " trump_method = turn_up",
    ),
    Case(
        "wizard",
        4,
        {"turnup_joker": "redraw"},
        "15",
        "turnup_joker",
        '"redraw"',
        "turnup_joker must be wizard_rules with joker_mode = wizard and trump_method ="
        " turn_up",
    ),
    Case(
        "jokers_suit",
        4,
        {"full_pack_trump": "dealer_last_card"},
        "15",
        "full_pack_trump",
        '"dealer_last_card"',
        f"full_pack_trump = dealer_last_card needs {SPECIAL}",
    ),
    Case(
        "ninety_nine",
        3,
        {"scoring": "standard"},
        "16",
        "scoring",
        '"standard"',
        "scoring must be ninety_nine with bid_mode bid_cards",
    ),
    Case(
        "pagat_standard",
        3,
        {"scoring": "ninety_nine"},
        "16",
        "bid_mode",
        '"turn"',
        "bid_mode must be bid_cards with scoring ninety_nine",
    ),
    Case(
        "ninety_nine",
        4,
        {"players": [4], "pack": "std52", "trump_method": "none"},
        "16",
        "scoring",
        '"ninety_nine"',
        "scoring = ninety_nine is for 3 players",
    ),
    Case(
        "pagat_standard",
        4,
        {"trump_method": "previous_successes"},
        "16",
        "trump_method",
        '"previous_successes"',
        "trump_method = previous_successes is for 3 players",
    ),
    Case(
        "ninety_nine",
        3,
        {
            "pack": "std54",
            "joker_mode": "high_low",
            "trump_method": "fixed",
            "trump_suit": "S",
        },
        "17",
        "pack",
        '"std54"',
        f"bid_mode = bid_cards needs {SPECIAL}",
    ),
    Case(
        "ninety_nine",
        3,
        {"deal_kinds": {"1": "normal", "2": "blind"}},
        "17",
        "deal_kinds",
        '{"1": "normal", "2": "blind"}',
        "bid_mode = bid_cards needs normal deals only; deal 2 is blind",
    ),
    Case(
        "ninety_nine",
        3,
        {"forehead": "all_one_card", "deal_high": 1},
        "17",
        "forehead",
        '"all_one_card"',
        "forehead must be none with bid_mode = bid_cards",
    ),
    Case(
        "ninety_nine",
        3,
        {"no_bid_at_score": 50},
        "17",
        "no_bid_at_score",
        "50",
        "no_bid_at_score must be null with bid_mode = bid_cards",
    ),
    *[
        Case(
            "wizard",
            4,
            {"deal_kinds": {"1": "no_trump", "2": kind}},
            "18",
            "deal_kinds",
            f'{{"1": "no_trump", "2": "{kind}"}}',
            f"deal 2 = {kind} does not go with joker_mode = wizard: the dealer may have"
            " to name the trump before the bids",
        )
        for kind in ("guess_trump", "blind", "blind_in_order")
    ],
]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.message)
def test_a_rule_broken_alone_is_told_alone(case: Case) -> None:
    with pytest.raises(IllegalRules) as error:
        Rules.of(case.preset, case.overrides, players=case.players)
    told = Violation(
        Code.BAD_CONFIG, case.rule, case.parameter, case.value, case.message
    )
    assert error.value.violations == (told,)


@pytest.mark.parametrize(
    ("preset", "players", "overrides"),
    [
        ("pagat_standard", 4, {"deal_high": 13, "deal_low": 12}),
        ("ninety_nine", 3, {"deal_high": 8, "deal_kinds": {"1": "normal"}}),
        ("ninety_nine", 3, {"deal_kinds": {"101": "normal", "1": "normal"}}),
        ("seven_truf", 4, {"deal_list": [8], "deal_low": 9, "deal_high": 9}),
        ("boerenbridge", 4, {"deal_low": 13, "deal_high": 13}),
        ("boerenbridge", 4, {"forehead": "all_one_card", "deal_high": 1}),
        ("boerenbridge", 4, {"deal_count": 3, "max_deals": None}),
        ("boerenbridge", 4, {"end": "target_reached"}),
        ("up_down", 4, {"forehead": "last_one_card"}),
        ("pagat_standard", 4, {"forehead": "all_one_card"}),
        ("coulon", 4, {"turnup_min_rank": 14}),
        ("blackout_jokers", 5, {"trump_method": "fixed", "trump_suit": "H"}),
        ("blackout_jokers", 5, {"must_trump": True, "turnup_joker": "redraw"}),
        ("jokers_suit", 4, {"turnup_joker": "redraw"}),
        ("jokers_suit", 4, {"must_head": True, "must_overtrump": True}),
        ("pagat_standard", 4, {"turnup_joker": "wizard_rules"}),
        ("pagat_standard", 4, {"full_pack_trump": "dealer_last_card"}),
        ("pagat_standard", 4, {"first_dealer": "seat:3"}),
        ("pagat_standard", 4, {"overshoot": "bounce", "target_score": 50}),
        ("pagat_standard", 3, {"trump_method": "previous_successes"}),
        ("simultaneous", 4, {"last_bid_amend": "until_first_lead"}),
        ("wizard", 4, {"deal_kinds": {"1": "misere_trump", "16": "blind"}}),
        ("clag", 4, {"hook": False, "bid_mode": "simultaneous"}),
    ],
)
def test_what_is_next_to_a_broken_rule_is_legal(
    preset: str, players: int, overrides: dict[str, object]
) -> None:
    rules = Rules.of(preset, overrides, players=players)
    assert rules.validate(players) == ()
    assert rules.warnings(players) == ()


def test_sizes_at_fault_leave_the_other_questions() -> None:
    overrides = {
        "deal_high": 14,
        "deal_low": 14,
        "forehead": "last_one_card",
        "bid_mode": "simultaneous",
        "rank_order": "spanish_A3",
    }
    with pytest.raises(IllegalRules) as error:
        Rules.of("pagat_standard", overrides, players=4)
    found = [(v.rule, v.parameter) for v in error.value.violations]
    assert found == [
        *[("2", "deal_high"), ("12", "deal_low")],
        *[("4", "hook"), ("14", "rank_order")],
    ]


def test_a_match_without_trump_is_told_in_a_warning() -> None:
    rules = Rules.of("boerenbridge", {"no_trump_deals": "largest"}, players=4)
    message = (
        "no_trump_deals = largest with deal_shape = fixed: no deal of the match has a"
        " trump (all have 13 cards)"
    )
    assert rules.warnings(4) == (RulesWarning("10", "no_trump_deals", message),)


def test_a_value_is_shown_up_to_120_signs() -> None:
    whole = "a" * 118
    assert written(whole) == f'"{whole}"'
    assert written(whole + "a") == f'"{whole}a...'
    assert written({1, 2}) == '"{1, 2}"'


def test_a_value_that_cannot_be_written_is_named_by_its_type() -> None:
    in_itself: list[object] = []
    in_itself.append(in_itself)
    for value, shown in (
        (2**20_000, "<int>"),
        ({(1, 2): 3}, "<dict>"),
        (in_itself, "<list>"),
    ):
        assert written(value) == shown
        with pytest.raises(IllegalRules, match=f"deal_low = {shown}: must be"):
            Rules.of("pagat_standard", {"deal_low": value})
