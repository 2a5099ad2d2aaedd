"""The same hands in OpenSpiel's oh_hell: whose turn, what is legal, what it scores.

OpenSpiel deals from seat 0 whoever the dealer is, always turns a card up, always has
the hook, and scores one a trick with ten for an exact bid: our `pagat_standard`.
"""

from __future__ import annotations

from random import Random

import pyspiel
import pytest

from engine.cards import card_rank, card_suit, french_card
from engine.deal import Deal, deal_rules
from engine.pack import kinds_in
from engine.rules import Rules

MOST_CARDS = {3: 17, 4: 12, 5: 10, 6: 8, 7: 7}
RULES = Rules.of("pagat_standard")
CARDS = 52


def theirs(card: int) -> int:
    """Their number of a card: by rank, suits C D S H inside a rank."""
    return 4 * (card_rank(card) - 2) + (0, 1, 3, 2)[card_suit(card) - 1]


OURS = {
    theirs(french_card(suit, rank)): french_card(suit, rank)
    for suit in range(1, 5)
    for rank in range(2, 15)
}


def play_both(players: int, size: int, rng: Random) -> None:
    """One hand with the same cards and random choices; asserts at every decision."""
    game = pyspiel.load_game(f"oh_hell(players={players},num_tricks_fixed={size})")
    state = game.new_initial_state()
    dealer = rng.randrange(players)
    deck = rng.sample(sorted(OURS.values()), players * size + 1)
    state.apply_action(size)
    state.apply_action(dealer)
    for card in deck:
        state.apply_action(theirs(card))

    shared = deal_rules(RULES, players)
    pack = shared.pack
    held = [pack.hand(deck[seat:-1:players])[0] for seat in range(players)]
    trump = card_suit(deck[-1])
    deal = Deal.begin(
        shared, held, [0] * players, size=size, dealer=dealer, trump=trump
    )
    while deal.to_bid:
        assert state.current_player() == deal.turn
        bids = [*kinds_in(deal.legal_bids())]
        assert state.legal_actions() == [CARDS + bid for bid in bids]
        bid = rng.choice(bids)
        deal.bid(bid)
        state.apply_action(CARDS + bid)
    while deal.left:
        assert state.current_player() == deal.turn
        cards = pack.cards(deal.legal_cards())
        assert state.legal_actions() == sorted(map(theirs, cards))
        card = rng.choice(cards)
        deal.play(pack.kind[card])
        state.apply_action(theirs(card))
    assert state.is_terminal()
    assert state.returns() == deal.points()


def play_many(hands: int, seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - hands for a test
    for _ in range(hands):
        players = rng.choice(sorted(MOST_CARDS))
        play_both(players, rng.randint(1, MOST_CARDS[players]), rng)


@pytest.mark.parametrize("players", sorted(MOST_CARDS))
def test_the_largest_hands_are_the_same_in_openspiel(players: int) -> None:
    rng = Random(players)  # noqa: S311 - hands for a test
    for _ in range(20):
        play_both(players, MOST_CARDS[players], rng)


def test_ten_thousand_hands_are_the_same_in_openspiel() -> None:
    play_many(10_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_two_hundred_thousand_hands_are_the_same_in_openspiel(part: int) -> None:
    play_many(50_000, seed=100 + part)
