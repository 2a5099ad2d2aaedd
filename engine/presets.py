"""Named rule sets, each as its differences from the one it extends.

`pagat_standard` holds every parameter and is what a new preset starts from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple


class Preset(NamedTuple):
    """`set` replaces parameters of `extends` as a whole; `title` is for people."""

    title: str
    extends: str | None
    set: Mapping[str, object]


CAP10: Final = {"3": 10, "4": 10, "5": 10, "6": 8, "7": 7}
CAP15: Final = {"3": 15, "4": 13, "5": 10, "6": 8, "7": 7}
CAP17: Final = {"3": 17, "4": 13, "5": 10, "6": 8, "7": 7}

PRESETS: Final[Mapping[str, Preset]] = {
    "pagat_standard": Preset(
        "Oh Hell as most commonly described: down to one card and up again",
        None,
        {
            "players": [3, 4, 5, 6, 7],
            "direction": "clockwise",
            "pack": "std52",
            "rank_order": "A_high",
            "deal_shape": "down_up",
            "deal_low": 1,
            "deal_high": CAP10,
            "deal_step": 1,
            "turn_repeat": 1,
            "end_repeat": 1,
            "deal_list": None,
            "deal_count": None,
            "deal_kinds": None,
            "first_dealer": "draw_high",
            "trump_method": "turn_up",
            "trump_suit": None,
            "trump_sequence": None,
            "turnup_min_rank": None,
            "turnup_joker": "not_applicable",
            "no_trump_deals": "none",
            "full_pack_trump": "none",
            "bid_mode": "turn",
            "hook": True,
            "hook_min_cards": 1,
            "bid_amend": "until_next_bid",
            "last_bid_amend": "none",
            "no_bid_at_score": None,
            "forehead": "none",
            "first_leader": "eldest",
            "must_trump": False,
            "must_overtrump": False,
            "must_head": False,
            "joker_mode": "none",
            "joker_opposite_scope": "deal",
            "duplicate_winner": "last",
            "scoring": "standard",
            "end": "all_deals",
            "target_score": None,
            "overshoot": "none",
            "tie_policy": "shared",
            "settlement": "none",
            "stake_per_point": 0,
            "max_deals": None,
        },
    ),
    "blackout": Preset(
        "Points only for exact bids",
        "pagat_standard",
        {
            "scoring": "blackout",
        },
    ),
    "simple_standard": Preset(
        "Short game: up from one card, the last deal without trump",
        None,
        {
            "players": [3, 4, 5, 6, 7],
            "direction": "clockwise",
            "pack": "std52",
            "rank_order": "A_high",
            "deal_shape": "up",
            "deal_low": 1,
            "deal_high": CAP15,
            "deal_step": 1,
            "turn_repeat": 1,
            "end_repeat": 1,
            "deal_list": None,
            "deal_count": None,
            "deal_kinds": None,
            "first_dealer": "draw_high",
            "trump_method": "turn_up",
            "trump_suit": None,
            "trump_sequence": None,
            "turnup_min_rank": None,
            "turnup_joker": "not_applicable",
            "no_trump_deals": "last",
            "full_pack_trump": "none",
            "bid_mode": "turn",
            "hook": False,
            "hook_min_cards": 1,
            "bid_amend": "none",
            "last_bid_amend": "none",
            "no_bid_at_score": None,
            "forehead": "none",
            "first_leader": "eldest",
            "must_trump": False,
            "must_overtrump": False,
            "must_head": False,
            "joker_mode": "none",
            "joker_opposite_scope": "deal",
            "duplicate_winner": "last",
            "scoring": "blackout",
            "end": "all_deals",
            "target_score": None,
            "overshoot": "none",
            "tie_policy": "shared",
            "settlement": "none",
            "stake_per_point": 0,
            "max_deals": None,
        },
    ),
    "simple_reverse": Preset(
        "Short game from the largest hand down to one card",
        "simple_standard",
        {
            "deal_shape": "down",
            "no_trump_deals": "largest",
        },
    ),
    "simple_up_down": Preset(
        "Short game up to the largest hand and down again",
        "simple_standard",
        {
            "deal_shape": "up_down",
            "no_trump_deals": "largest",
        },
    ),
    "simple_down_up": Preset(
        "Short game down to one card and up again",
        "simple_standard",
        {
            "deal_shape": "down_up",
            "no_trump_deals": "largest",
        },
    ),
    "simple_hook": Preset(
        "Short game in which the total of the bids may not fit",
        "simple_standard",
        {
            "hook": True,
        },
    ),
    "simple_simultaneous": Preset(
        "Short game with secret bids",
        "simple_standard",
        {
            "bid_mode": "simultaneous",
        },
    ),
    "simple_must_trump": Preset(
        "Short game in which a void player must trump",
        "simple_standard",
        {
            "must_trump": True,
        },
    ),
    "simple_miss_points": Preset(
        "Short game with a point a trick for missed bids",
        "simple_standard",
        {
            "scoring": "standard",
        },
    ),
    "simple_zero5plus": Preset(
        "Short game in which a made zero is worth 5 and the hand size",
        "simple_standard",
        {
            "scoring": "blackout_zero5plus",
        },
    ),
    "up_down": Preset(
        "Up to the largest hand and down again",
        "pagat_standard",
        {
            "deal_shape": "up_down",
        },
    ),
    "down_only": Preset(
        "From the largest hand down to one card",
        "pagat_standard",
        {
            "deal_shape": "down",
        },
    ),
    "up_only": Preset(
        "From one card up to the largest hand",
        "pagat_standard",
        {
            "deal_shape": "up",
        },
    ),
    "down_up_double_one": Preset(
        "Two one-card deals in the middle",
        "pagat_standard",
        {
            "turn_repeat": 2,
        },
    ),
    "up_down_double_max": Preset(
        "Two largest deals in the middle",
        "pagat_standard",
        {
            "deal_shape": "up_down",
            "turn_repeat": 2,
        },
    ),
    "max_full": Preset(
        "Hands as large as the pack allows",
        "pagat_standard",
        {
            "deal_high": CAP17,
        },
    ),
    "max7": Preset(
        "Seven cards at most, however many players",
        "pagat_standard",
        {
            "deal_high": 7,
        },
    ),
    "devils_bridge": Preset(
        "In the last deal each sees every card but the own one",
        "pagat_standard",
        {
            "deal_shape": "up_down",
            "forehead": "last_one_card",
        },
    ),
    "bust": Preset(
        "Packs with low cards doubled or left out, always from 13 cards",
        "pagat_standard",
        {
            "players": [3, 4, 5, 6],
            "pack": {"3": "bust39", "4": "std52", "5": "bust65", "6": "bust78"},
            "deal_high": 13,
        },
    ),
    "largest_no_trump": Preset(
        "Largest deals without trump",
        "pagat_standard",
        {
            "no_trump_deals": "largest",
        },
    ),
    "rotating_trump": Preset(
        "Trump suits in a fixed rotation",
        "pagat_standard",
        {
            "trump_method": "rotation",
            "trump_sequence": ["H", "C", "D", "S"],
            "full_pack_trump": "rotation",
        },
    ),
    "rotating_trump_nt": Preset(
        "Rotation with a no-trump deal as its fifth step",
        "rotating_trump",
        {
            "trump_sequence": ["H", "C", "D", "S", "NT"],
        },
    ),
    "kachuful": Preset(
        "Trump rotates spades, diamonds, clubs, hearts",
        "pagat_standard",
        {
            "trump_method": "rotation",
            "trump_sequence": ["S", "D", "C", "H"],
            "full_pack_trump": "rotation",
        },
    ),
    "oh_shit": Preset(
        "Spades are always trump",
        "pagat_standard",
        {
            "trump_method": "fixed",
            "trump_suit": "S",
            "full_pack_trump": "fixed",
        },
    ),
    "coulon": Preset(
        "A turned-up card below seven means no trump",
        "pagat_standard",
        {
            "turnup_min_rank": 7,
        },
    ),
    "no_hook": Preset(
        "The last bidder may bid anything",
        "pagat_standard",
        {
            "hook": False,
        },
    ),
    "simultaneous": Preset(
        "Secret bids shown all at once",
        "pagat_standard",
        {
            "bid_mode": "simultaneous",
            "hook": False,
            "bid_amend": "none",
        },
    ),
    "dealer_leads": Preset(
        "The dealer leads to the first trick",
        "pagat_standard",
        {
            "first_leader": "dealer",
        },
    ),
    "wurry": Preset(
        "A void player must trump",
        "pagat_standard",
        {
            "must_trump": True,
        },
    ),
    "jokers_suit": Preset(
        "Two jokers as a fifth suit",
        "pagat_standard",
        {
            "pack": "std54",
            "joker_mode": "suit",
            "turnup_joker": "joker_suit_trump",
        },
    ),
    "blackout_jokers": Preset(
        "All cards dealt, jokers called high or low",
        "pagat_standard",
        {
            "players": [5, 6],
            "pack": {"5": "atk50", "6": "std54"},
            "deal_shape": "fixed",
            "deal_high": {"5": 10, "6": 9},
            "deal_count": {"5": 20, "6": 12},
            "trump_method": "rotation",
            "trump_sequence": ["H", "C", "D", "S"],
            "full_pack_trump": "rotation",
            "joker_mode": "high_low",
            "scoring": "blackout",
        },
    ),
    "score_zero5": Preset(
        "A made zero is worth 5",
        "pagat_standard",
        {
            "scoring": "standard_zero5",
        },
    ),
    "score_zero5plus": Preset(
        "A made zero is worth 5 and the hand size",
        "pagat_standard",
        {
            "scoring": "standard_zero5plus",
        },
    ),
    "score_ten_per_trick": Preset(
        "Ten a trick, and ten off for each trick missed by",
        "pagat_standard",
        {
            "scoring": "ten_per_trick",
        },
    ),
    "score_five_ten": Preset(
        "Five and ten a trick, and fives off for a miss",
        "pagat_standard",
        {
            "scoring": "five_ten",
        },
    ),
    "score_square": Preset(
        "Squares of the bid and of the miss",
        "pagat_standard",
        {
            "scoring": "square",
        },
    ),
    "single_winner": Preset(
        "Further largest deals until one player leads",
        "pagat_standard",
        {
            "tie_policy": "extra_max_deals",
        },
    ),
    "stakes": Preset(
        "Money by the distance from the mean score",
        "pagat_standard",
        {
            "settlement": "mean_difference",
            "stake_per_point": 1,
        },
    ),
    "boerenbridge": Preset(
        "To exactly 100, bouncing back from above",
        "pagat_standard",
        {
            "players": [4],
            "deal_shape": "fixed",
            "deal_high": 13,
            "bid_mode": "simultaneous",
            "hook": False,
            "bid_amend": "none",
            "no_bid_at_score": 80,
            "scoring": "boerenbridge",
            "end": "exact_target",
            "target_score": 100,
            "overshoot": "bounce",
            "max_deals": 500,
        },
    ),
    "seven_truf": Preset(
        "Indonesian game with 32 cards and 22 deals",
        "pagat_standard",
        {
            "players": [4],
            "pack": "top32",
            "deal_shape": "list",
            "deal_list": [
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                8,
                8,
                8,
                7,
                6,
                5,
                4,
                3,
                2,
                1,
                8,
                8,
                8,
                8,
            ],
            "scoring": "seven_truf",
        },
    ),
    "ten_op_en_neer": Preset(
        "Ten up and down, for three to five",
        "pagat_standard",
        {
            "players": [3, 4, 5],
            "deal_shape": "up_down",
            "deal_high": 10,
            "hook": False,
            "scoring": "blackout",
        },
    ),
    "german_bridge": Preset(
        "Square scoring, as commonly described",
        "pagat_standard",
        {
            "scoring": "square",
        },
    ),
    "german_bridge_hk": Preset(
        "Square scoring, four players, 1 to 13 cards",
        "german_bridge",
        {
            "players": [4],
            "deal_shape": "up",
            "deal_high": 13,
        },
    ),
    "la_podrida": Preset(
        "Spanish-language Oh Hell with the duty to trump", "wurry", {}
    ),
    "la_podrida_es": Preset(
        "Spanish club rules, as many one-card deals as players",
        "pagat_standard",
        {
            "direction": "counterclockwise",
            "deal_high": CAP17,
            "turn_repeat": "players",
            "scoring": "podrida_es",
        },
    ),
    "la_podrida_fidepo": Preset(
        "Argentine federation plan, down to four cards",
        "wurry",
        {
            "players": [3, 4, 5, 6],
            "deal_low": 4,
            "deal_high": {"3": 17, "4": 13, "5": 10, "6": 8},
            "turn_repeat": "players",
        },
    ),
    "la_pocha": Preset(
        "Spain: 40 cards, duty to head and to trump",
        "pagat_standard",
        {
            "players": [4, 5, 6],
            "direction": "counterclockwise",
            "pack": "spanish40",
            "rank_order": "spanish_A3",
            "deal_shape": "up_down",
            "deal_high": {"4": 10, "5": 8, "6": 6},
            "turn_repeat": "players",
            "end_repeat": "players",
            "full_pack_trump": "dealer_last_card",
            "must_trump": True,
            "must_head": True,
            "scoring": "pocha",
        },
    ),
    "romanian_whist": Preset(
        "Eight cards a player in the pack, 1-8-1",
        "pagat_standard",
        {
            "players": [3, 4, 5, 6],
            "pack": {"3": "top24", "4": "top32", "5": "top40", "6": "top48"},
            "deal_shape": "up_down",
            "deal_high": 8,
            "turn_repeat": "players",
            "end_repeat": "players",
            "bid_amend": "none",
            "must_trump": True,
            "scoring": "romanian",
        },
    ),
    "romanian_whist_818": Preset(
        "Eight cards a player in the pack, 8-1-8",
        "romanian_whist",
        {
            "deal_shape": "down_up",
        },
    ),
    "ninety_nine": Preset(
        "Three players bid with three of their cards",
        "pagat_standard",
        {
            "players": [3],
            "pack": "top36",
            "deal_shape": "fixed",
            "deal_high": 9,
            "trump_method": "previous_successes",
            "bid_mode": "bid_cards",
            "hook": False,
            "bid_amend": "none",
            "scoring": "ninety_nine",
            "end": "target_reached",
            "target_score": 100,
            "max_deals": 100,
        },
    ),
    "clag": Preset(
        "Special deals in the middle: no trump, misère, guess, blind",
        "pagat_standard",
        {
            "players": [4, 5, 6, 7],
            "deal_shape": "up_down",
            "deal_high": 7,
            "turn_repeat": 10,
            "deal_kinds": {
                "8": "no_trump",
                "9": "misere_trump",
                "10": "guess_trump",
                "11": "blind",
            },
        },
    ),
    "clag_short": Preset(
        "Twenty deals with six special ones",
        "clag",
        {
            "players": [3, 4, 5, 6, 7],
            "turn_repeat": 8,
            "deal_kinds": {
                "8": "no_trump",
                "9": "guess_trump",
                "10": "blind",
                "11": "blind_in_order",
                "12": "misere_trump",
                "13": "misere_no_trump",
            },
            "scoring": "clag2",
        },
    ),
    "wizard": Preset(
        "Sixty cards with wizards and jesters",
        "pagat_standard",
        {
            "players": [3, 4, 5, 6],
            "pack": "wiz60",
            "deal_shape": "up",
            "deal_high": {"3": 20, "4": 15, "5": 12, "6": 10},
            "hook": False,
            "bid_amend": "none",
            "joker_mode": "wizard",
            "turnup_joker": "wizard_rules",
            "scoring": "wizard",
        },
    ),
}

# Names used in various countries, as people may type them: letters and digits only.
ALIASES: Final[Mapping[str, str]] = {
    "blob": "blackout",
    "judgement": "kachuful",
    "judgment": "kachuful",
    "oh_hell": "pagat_standard",
    "oh_pshaw": "pagat_standard",
    "oh_well": "pagat_standard",
    "elevator": "pagat_standard",
    "ascenseur": "pagat_standard",
    "up_and_down_the_river": "pagat_standard",
    "contract_whist": "pagat_standard",
    "nomination_whist": "pagat_standard",
    "765": "pagat_standard",
}


def preset_names() -> tuple[str, ...]:
    return tuple(PRESETS)


def preset_parameters(name: str) -> dict[str, object]:
    """All parameters of a preset; KeyError for a name that is none and no alias."""
    preset = PRESETS[ALIASES.get(name, name)]
    inherited = preset_parameters(preset.extends) if preset.extends else {}
    return {**inherited, **preset.set}


def preset_called(name: str) -> str | None:
    """The preset of that name or alias, in any spelling; None where there is none.

    Capitals, and whatever stands between the words, do not matter.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    plain = ALIASES.get(plain, plain)
    return plain if plain in PRESETS else None


def find_presets(words: str) -> tuple[str, ...]:
    """Presets whose name, alias or title contains every word, in table order."""
    wanted = words.lower().replace("_", " ").split()
    found = []
    for name, preset in PRESETS.items():
        known_as = [name, *(alias for alias, of in ALIASES.items() if of == name)]
        text = " ".join([*known_as, preset.title]).lower().replace("_", " ")
        if all(word in text for word in wanted):
            found.append(name)
    return tuple(found)
