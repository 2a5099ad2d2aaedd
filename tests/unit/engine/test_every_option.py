"""Each parameter changes what happens: an option without an effect is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.bidding import Claim
from engine.cards import card_suit
from engine.events import Cause, Entry
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard, act
from engine.legality import CallRule
from engine.match import Match
from engine.phase import Ask, Phase
from engine.rules import PARAMETER_NAMES, Rules
from engine.shuffle import SeededDecks
from engine.trick import JokerCall
from engine.view import View, view


class Option(NamedTuple):
    """Rules that differ in one parameter alone, and a number of players."""

    preset: str
    players: int
    one: object
    other: object
    also: Mapping[str, Any] = {}


SMALL = {"deal_shape": "list", "deal_list": [3, 2]}
ONE_CARD = {"deal_shape": "list", "deal_list": [1, 1]}
STEPS = {"deal_low": 1, "deal_high": 4}
JOKERS = {"deal_shape": "fixed", "deal_high": 5, "deal_count": 1}
FULL = {"deal_shape": "list", "deal_list": [13]}
TARGET = {**SMALL, "deal_list": [3, 3, 3], "target_score": 12}

OPTIONS = {
    "pack": Option("pagat_standard", 4, "std52", "top48", SMALL),
    "duplicate_winner": Option("bust", 6, "last", "first", {"deal_list": [13], **FULL}),
    "deal_shape": Option("pagat_standard", 4, "up", "down", STEPS),
    "deal_low": Option("pagat_standard", 4, 1, 2, {"deal_high": 4}),
    "deal_high": Option("pagat_standard", 4, 3, 4),
    "deal_step": Option("pagat_standard", 4, 1, 2, STEPS),
    "turn_repeat": Option("pagat_standard", 4, 1, "players", STEPS),
    "end_repeat": Option("pagat_standard", 4, 1, 2, STEPS),
    "deal_list": Option("pagat_standard", 4, [2], [2, 1], {"deal_shape": "list"}),
    "deal_count": Option("blackout_jokers", 5, 1, 2, {"deal_high": 2}),
    "deal_kinds": Option("pagat_standard", 4, None, {"1": "no_trump"}, SMALL),
    "trump_method": Option("oh_shit", 4, "fixed", "none", SMALL),
    "trump_suit": Option("oh_shit", 4, "S", "C", SMALL),
    "trump_sequence": Option("kachuful", 4, ["S", "H"], ["S", "D"], SMALL),
    "turnup_min_rank": Option("coulon", 4, 7, None, SMALL),
    "turnup_joker": Option("jokers_suit", 4, "joker_suit_trump", "redraw", SMALL),
    "no_trump_deals": Option("pagat_standard", 4, "none", "last", SMALL),
    "full_pack_trump": Option("pagat_standard", 4, "none", "dealer_last_card", FULL),
    "bid_mode": Option("no_hook", 4, "turn", "simultaneous", SMALL),
    "hook": Option("pagat_standard", 4, True, False, SMALL),
    "hook_min_cards": Option("pagat_standard", 4, 1, 4, SMALL),
    "bid_amend": Option("pagat_standard", 4, "none", "until_next_bid", SMALL),
    "last_bid_amend": Option("pagat_standard", 4, "none", "until_first_lead", SMALL),
    "no_bid_at_score": Option("pagat_standard", 4, None, 10, SMALL),
    "forehead": Option("pagat_standard", 4, "none", "last_one_card", ONE_CARD),
    "first_leader": Option("pagat_standard", 4, "eldest", "dealer", SMALL),
    "must_trump": Option("pagat_standard", 4, False, True, SMALL),
    "must_overtrump": Option("wurry", 4, False, True, {**FULL, "deal_list": [12]}),
    "must_head": Option("pagat_standard", 4, False, True, FULL),
    "joker_mode": Option("blackout_jokers", 5, "high_low", "suit", JOKERS),
    "joker_opposite_scope": Option("blackout_jokers", 5, "deal", "trick", JOKERS),
    "scoring": Option("pagat_standard", 4, "standard", "square", SMALL),
    "end": Option("pagat_standard", 4, "all_deals", "target_reached", TARGET),
    "target_score": Option(
        "boerenbridge", 4, 10, 20, {**SMALL, "no_bid_at_score": None}
    ),
    "overshoot": Option("pagat_standard", 4, "none", "bounce", TARGET),
    "tie_policy": Option("pagat_standard", 4, "shared", "extra_max_deals", ONE_CARD),
    "settlement": Option("pagat_standard", 4, "none", "mean_difference", SMALL),
    "stake_per_point": Option("stakes", 4, 1, 2, SMALL),
    "max_deals": Option("pagat_standard", 4, None, 1, SMALL),
}

# These say who sits where or what goes together; nothing of it is decided in a match.
OF_THE_TABLE = {
    "players": "which numbers of players the rules are for",
    "direction": "seats are numbered in the direction of play",
    "first_dealer": "a match is told its first dealer",
    "rank_order": "follows from the pack",
}


def command(seen: View, rng: Random) -> Command:
    match seen.ask:
        case Ask.BID:
            return PlaceBid(rng.choice(seen.legal_bids))
        case Ask.TRUMP:
            return ChooseTrump(rng.choice(seen.legal_suits))
        case Ask.BID_CARDS:
            return Lay(tuple(rng.sample(seen.hand, 3)), Claim.NONE)
        case _:
            return play(seen, rng)


def play(seen: View, rng: Random) -> PlayCard:
    card = rng.choice(seen.legal_cards) if seen.legal_cards else None
    called = seen.call == CallRule.REQUIRED and (card is None or card_suit(card) == 5)
    call = rng.choice([JokerCall.HIGH, JokerCall.LOW]) if called else JokerCall.NONE
    return PlayCard(card, call)


def played(option: Option, changed: dict[str, object], seed: int) -> list[Entry]:
    """Everything that happens when all choices are made by the same draws."""
    rules = Rules.of(option.preset, {**option.also, **changed}, players=option.players)
    decks = SeededDecks(seed.to_bytes(32), rules, option.players)
    match = Match(rules, option.players, first_dealer=0, decks=decks)
    match.start()
    rng = Random(seed)  # noqa: S311 - choices in a test
    while match.phase is not Phase.OVER and match.deal_no < 12:
        for seat in range(match.players):
            amounts = view(match, seat).amend_bids
            if amounts and rng.random() < 0.5:
                match.bid(seat, rng.choice(amounts))
        seat = match.to_act()[0]
        act(match, seat, command(view(match, seat), rng), Cause.ANSWER)
    return match.entries()


@pytest.mark.parametrize("name", OPTIONS)
def test_both_values_of_an_option_lead_to_different_matches(name: str) -> None:
    option = OPTIONS[name]
    assert any(
        played(option, {name: option.one}, seed)
        != played(option, {name: option.other}, seed)
        for seed in range(60)
    )


def test_every_parameter_is_tried_or_said_to_be_of_the_table() -> None:
    assert {*OPTIONS} | {*OF_THE_TABLE} == {*PARAMETER_NAMES}
