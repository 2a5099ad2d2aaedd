"""One deal on sets of kinds."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.cards import card_suit, card_text, cards_from, trump_code
from engine.deal import Deal, deal_rules
from engine.pack import kinds_in
from engine.rules import Rules
from engine.trick import JokerCall


def dealt(
    hands: Sequence[str],
    *,
    rules: Rules | None = None,
    dealer: int = 0,
    trump: str = "NT",
    bidders: Sequence[int] | None = None,
) -> Deal:
    shared = deal_rules(rules or Rules.of("pagat_standard"), len(hands))
    masks = [shared.pack.hand(cards_from(hand)) for hand in hands]
    return Deal.begin(
        shared,
        [held for held, _ in masks],
        [twice for _, twice in masks],
        size=len(hands[0].split()),
        dealer=dealer,
        trump=trump_code(trump),
        bidders=bidders,
    )


def amounts(deal: Deal) -> list[int]:
    return [*kinds_in(deal.legal_bids())]


def play(deal: Deal, cards: str, call: JokerCall = JokerCall.NONE) -> None:
    for card in cards_from(cards):
        deal.play(deal.shared.pack.kind[card], call)


def bid(deal: Deal, *bids: int) -> None:
    for amount in bids:
        deal.bid(amount)


JOKERS = Rules.of("blackout_jokers")
HANDS_OF_4 = ("2C 3C 4C 5C", "2D 3D 4D 5D", "2H 3H 4H 5H", "2S 3S 4S 5S")


@pytest.mark.parametrize(
    ("size", "bids", "open_"),
    [
        (4, [1, 1, 2], {1, 2, 3, 4}),
        (10, [1, 1, 2], {*range(11)} - {6}),
        (4, [3, 2, 1], {0, 1, 2, 3, 4}),
    ],
)
def test_the_hook_takes_what_would_make_the_bids_add_up(
    size: int, bids: list[int], open_: set[int]
) -> None:
    cards = deal_rules(Rules.of("pagat_standard"), 4).pack.codes()
    shared = deal_rules(Rules.of("pagat_standard"), 4)
    held = [shared.pack.hand(cards[13 * s : 13 * s + size])[0] for s in range(4)]
    deal = Deal.begin(shared, held, [0] * 4, size=size, dealer=0, trump=6)
    bid(deal, *bids)
    assert set(amounts(deal)) == open_


@pytest.mark.parametrize(
    ("hands", "bids", "open_"),
    [
        (("2C", "2D", "2H"), [1, 0], [1]),
        (("2C", "2D", "2H"), [0, 0], [0]),
        (("2C 3C 4C", "2D 3D 4D", "2H 3H 4H"), [1, 1], [0, 2, 3]),
        (("2C 3C 4C", "2D 3D 4D", "2H 3H 4H"), [0, 0], [0, 1, 2]),
    ],
)
def test_bids_not_made_yet_are_no_zeros(
    hands: Sequence[str], bids: list[int], open_: list[int]
) -> None:
    deal = dealt(hands)
    bid(deal, *bids)
    assert amounts(deal) == open_


@pytest.mark.parametrize("leader", range(4))
def test_the_winner_is_a_seat_whoever_led(leader: int) -> None:
    by_place = ["5S", "KS", "2S", "3S"]
    hands = [by_place[(seat - leader) % 4] for seat in range(4)]
    deal = dealt(hands, dealer=(leader - 1) % 4, trump="H")
    bid(deal, 0, 0, 0, 0)
    assert deal.turn == leader
    play(deal, "5S KS 2S 3S")
    assert deal.tricks[(leader + 1) % 4] == 1


def test_every_trick_has_each_seat_once_and_its_winner_leads_the_next() -> None:
    deal = dealt(("2C AD", "3C KD", "AC 2D", "4C QD"), dealer=1, trump="NT")
    bid(deal, 0, 0, 0, 0)
    seats = []
    for card in ["AC", "4C", "2C", "3C", "2D", "QD", "AD", "KD"]:
        seats.append(deal.turn)
        play(deal, card)
    assert seats == [2, 3, 0, 1, 2, 3, 0, 1]
    assert deal.tricks == [1, 0, 1, 0]
    assert deal.left == 0


def test_playing_one_of_two_identical_cards_keeps_the_other() -> None:
    rules = Rules.of("bust")
    deal = dealt(("2C", "2C", "3C", "3C", "4C", "5C"), rules=rules)
    pack = deal.shared.pack
    deal.held[1], deal.twice[1] = pack.hand(cards_from("2C 2C KS"))
    deal.to_bid = 0
    deal.turn = 1
    play(deal, "2C")
    assert pack.cards(deal.held[1], deal.twice[1]) == cards_from("2C KS")


def test_seats_that_do_not_bid_are_passed_over_and_the_last_that_bids_is_hooked() -> (
    None
):
    deal = dealt(HANDS_OF_4, bidders=[1, 3])
    bid(deal, 1)
    assert deal.turn == 3
    assert amounts(deal) == [0, 1, 2, 4]
    bid(deal, 2)
    assert deal.bids == [None, 1, None, 2]
    assert (deal.to_bid, deal.turn) == (0, 1)


def test_without_bidders_play_begins_at_once_with_the_leader_of_the_rules() -> None:
    assert dealt(HANDS_OF_4, bidders=[]).turn == 1
    dealer_leads = Rules.of("dealer_leads")
    assert dealt(HANDS_OF_4, rules=dealer_leads, bidders=[]).turn == 0


def test_a_copy_lives_a_life_of_its_own() -> None:
    deal = dealt(HANDS_OF_4)
    bid(deal, 0, 1)
    twin = deal.copy()
    bid(twin, 2, 3)
    play(twin, "2D 2H 2S 2C")
    assert (deal.to_bid, deal.turn, deal.bids) == (2, 3, [None, 0, 1, None])
    assert deal.held == dealt(HANDS_OF_4).held
    assert twin.bids == [3, 0, 1, 2]
    bid(deal, 4, 4)
    assert twin.bids == [3, 0, 1, 2]


def test_a_copy_keeps_playing_orders_and_calls() -> None:
    deal = dealt(("5C 3C", "X1 3D", "4H 3H", "6S 3S", "4S 5S"), rules=JOKERS)
    deal.orders = [[*kinds_in(held)] for held in deal.held]
    bid(deal, 0, 0, 0, 0, 0)
    play(deal, "X1", JokerCall.LOW)
    twin = deal.copy()
    play(twin, "4H")
    assert deal.orders is not None
    assert len(deal.orders[2]) == 2
    assert twin.called is JokerCall.LOW


@pytest.mark.parametrize(
    ("scope", "called"), [("deal", JokerCall.HIGH), ("trick", JokerCall.NONE)]
)
def test_a_call_holds_for_the_deal_or_for_the_trick(
    scope: str, called: JokerCall
) -> None:
    rules = JOKERS.with_overrides({"joker_opposite_scope": scope})
    hands = ("X1 3C", "7C 3D", "4C 3H", "5C 3S", "6C 4S")
    deal = dealt(hands, rules=rules, dealer=4)
    bid(deal, 0, 0, 0, 0, 0)
    play(deal, "X1", JokerCall.HIGH)
    assert deal.called is JokerCall.HIGH
    play(deal, "7C 4C 5C 6C")
    assert deal.called is called
    assert deal.tricks == [1, 0, 0, 0, 0]


def test_points_are_those_of_the_rules() -> None:
    deal = dealt(("AC", "KC", "QC"), dealer=2)
    bid(deal, 1, 0, 1)
    play(deal, "AC KC QC")
    assert deal.points() == [11, 10, 0]


def test_random_playouts_take_every_trick_and_follow_suit() -> None:
    shared = deal_rules(Rules.of("pagat_standard"), 4)
    pack = shared.pack
    rng = random.Random(5)  # noqa: S311 - a playout, no secret
    for _ in range(50):
        cards = rng.sample(pack.codes(), 40)
        held = [pack.hand(cards[seat::4])[0] for seat in range(4)]
        deal = Deal.begin(
            shared, held, [0] * 4, size=10, dealer=3, trump=rng.randint(1, 6)
        )
        while deal.to_bid:
            deal.bid(rng.choice(amounts(deal)))
        while deal.left:
            hand, suit = pack.cards(deal.held[deal.turn]), deal.suit
            followers = [card for card in hand if suit and card_suit(card) == suit]
            legal = pack.cards(deal.legal_cards())
            assert legal == (followers or hand)
            play(deal, card_text(rng.choice(legal)))
        assert sum(deal.tricks) == 10
        assert deal.held == [0] * 4
