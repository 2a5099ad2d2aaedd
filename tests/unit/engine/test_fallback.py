"""What is done for a seat that does not act."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bidding import Claim
from engine.cards import cards_from, cards_text
from engine.events import Cause
from engine.fallback import (
    ChooseTrump,
    Lay,
    PlaceBid,
    PlayCard,
    act,
    by_strength,
    even_bid,
    fallback,
    longest_suit,
)
from engine.match import Match
from engine.pack import pack_of
from engine.phase import Phase
from engine.presets import preset_names
from engine.rules import Rules
from engine.shuffle import SeededDecks
from engine.trick import JokerCall

SEED = bytes(range(32))


def started(preset: str, players: int, **overrides: object) -> Match:
    rules = Rules.of(preset, overrides, players=players)
    match = Match(
        rules, players, first_dealer=0, decks=SeededDecks(SEED, rules, players)
    )
    match.start()
    return match


@pytest.mark.parametrize(
    ("legal", "size", "players", "bid"),
    [
        ([0, 1, 2, 3, 4], 4, 4, 1),
        ([0, 2, 3, 4], 4, 4, 0),
        ([0, 1, 2], 2, 4, 1),
        ([0, 2], 2, 4, 0),
        ([0, 1], 1, 3, 0),
        ([1], 1, 3, 1),
        ([*range(18)], 17, 3, 6),
        ([*range(11)], 10, 4, 3),
    ],
)
def test_the_bid_is_an_even_share_and_lower_on_ties(
    legal: list[int], size: int, players: int, bid: int
) -> None:
    assert even_bid(legal, size, players) == bid


@pytest.mark.parametrize(
    ("pack", "cards", "ordered"),
    [
        ("std52", "AC 2S TD 2C", "2C 2S TD AC"),
        ("spanish40", "AC 3D RC 2S", "2S RC 3D AC"),
        ("wiz60", "W1 2C F2 F1 AS", "F1 F2 2C AS W1"),
        ("std54", "X2 AS X1 2C", "2C AS X1 X2"),
        ("bust39", "6C 5D 6D", "5D 6C 6D"),
    ],
)
def test_cards_are_ordered_by_strength_then_code(
    pack: str, cards: str, ordered: str
) -> None:
    assert cards_text(by_strength(cards_from(cards), pack_of(pack))) == ordered


def test_the_longest_suit_is_trump_and_clubs_come_first() -> None:
    assert longest_suit(cards_from("2C 3H 4H W1")) == 3
    assert longest_suit(cards_from("2S 3D 4S 5D")) == 2
    assert longest_suit(cards_from("W1 F1")) == 1


def test_each_question_has_its_answer() -> None:
    match = started("ninety_nine", 3)
    command = fallback(match, 0)
    lowest = by_strength(match.hands[0], match.shared.pack)[:3]
    assert command == Lay(tuple(lowest), Claim.NONE)
    assert isinstance(fallback(started("pagat_standard", 3), 1), PlaceBid)
    with pytest.raises(ValueError, match="seat 2 owes nothing"):
        fallback(started("pagat_standard", 3), 2)


def test_a_joker_that_must_be_called_is_low() -> None:
    one: dict[str, Any] = {"deal_shape": "fixed", "deal_high": 1, "deal_count": 1}
    rules = Rules.of("blackout_jokers", one, players=5)
    deck = [53, *[card for card in rules.pack_for(5).codes() if card != 53]]
    match = Match(rules, 5, first_dealer=0, decks=lambda _: deck)
    match.start()
    while match.phase is Phase.BIDDING:
        act(match, match.to_act()[0], fallback(match, match.to_act()[0]), Cause.ANSWER)
    assert fallback(match, 1) == PlayCard(53, JokerCall.LOW)


def test_a_hidden_card_is_not_named() -> None:
    match = started("devils_bridge", 3, deal_shape="list", deal_list=[1])
    while match.phase is Phase.BIDDING:
        act(match, match.to_act()[0], fallback(match, match.to_act()[0]), Cause.ANSWER)
    assert fallback(match, 1) == PlayCard(None, JokerCall.NONE)


def test_the_trump_is_chosen_from_the_hand() -> None:
    rules = Rules.of("wizard", {"deal_shape": "list", "deal_list": [1]}, players=3)
    top = cards_from("2C 3C 4D W1")
    deck = [*top, *[c for c in rules.pack_for(3).codes() if c not in top]]
    match = Match(rules, 3, first_dealer=0, decks=lambda _: deck)
    match.start()
    assert fallback(match, 0) == ChooseTrump(2)


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_is_played_to_its_end_by_fallback_alone(preset: str) -> None:
    rules = Rules.of(preset)
    for players in (rules.players[0], rules.players[-1]):
        match = started(preset, players, **SHORTER.get(preset, {}))
        while match.phase is not Phase.OVER:
            seat = match.to_act()[-1]
            act(match, seat, fallback(match, seat), Cause.FALLBACK)
        assert match.result is not None
        causes = {entry.cause for entry in match.log.entries()}
        assert causes == {Cause.FALLBACK, Cause.RULES}


# Targets may be far away for players without ambition.
SHORTER: dict[str, dict[str, Any]] = {
    "boerenbridge": {"max_deals": 6},
    "ninety_nine": {"max_deals": 6},
}
