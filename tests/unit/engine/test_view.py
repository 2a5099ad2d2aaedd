"""What each viewer is told, deal kind by deal kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.bidding import Claim
from engine.cards import CLUBS, NO_TRUMP, TRUMP_UNKNOWN, card_code, cards_from
from engine.events import (
    BidCardsLaid,
    BidState,
    CardPlayed,
    CardsShown,
    Cause,
    Dealt,
    Event,
    ShownWhy,
    TrumpMade,
)
from engine.legality import CallRule
from engine.match import Match
from engine.phase import Ask, Phase
from engine.rules import Rules
from engine.shuffle import SeededDecks
from engine.trick import JokerCall
from engine.view import View, moving, project, view
from engine.visibility import REFEREE, SPECTATOR, Viewer

SEED = bytes(range(32))


def started(
    preset: str, players: int, deck: str | None = None, **overrides: object
) -> Match:
    rules = Rules.of(preset, overrides, players=players)
    decks: Callable[[int], Sequence[int]] = SeededDecks(SEED, rules, players)
    if deck is not None:
        top = cards_from(deck)
        rest = [*rules.pack_for(players).codes()]
        for card in top:
            rest.remove(card)
        decks = lambda _: [*top, *rest]  # noqa: E731
    match = Match(rules, players, first_dealer=0, decks=decks)
    match.start()
    return match


def listed(*sizes: int) -> dict[str, Any]:
    return {"deal_shape": "list", "deal_list": [*sizes]}


def bid_all(match: Match) -> None:
    while match.phase is Phase.BIDDING:
        seat = match.to_act()[0]
        match.bid(seat, match.legal_bids(seat)[0])


def shown(seen: View, seat: int) -> list[int]:
    start = sum(seen.shown_counts[:seat])
    return [*seen.shown_cards[start : start + seen.shown_counts[seat]]]


def projected(match: Match, kind: type[Event], viewer: Viewer) -> list[Event]:
    found = [entry for entry in match.entries() if isinstance(entry.event, kind)]
    return [project(entry, viewer).event for entry in found]


ORDINARY = "KC 2D 9H AC 3D TH 5S"


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    match = started("pagat_standard", 3, ORDINARY, **listed(2))
    for seat, hand in ((1, "KC AC"), (2, "2D 3D"), (0, "9H TH")):
        seen = view(match, seat)
        assert [*seen.hand] == cards_from(hand)
        assert seen.shown_cards == ()
        (dealt,) = projected(match, Dealt, seat)
        assert isinstance(dealt, Dealt)
        assert sorted(dealt.cards) == cards_from(hand)
        assert dealt.counts[seat] == sum(dealt.counts) == 2


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_view_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match=r"seats are 0\.\.2"):
        view(started("pagat_standard", 3), seat)


def test_a_spectator_sees_no_hand_and_the_referee_all() -> None:
    match = started("pagat_standard", 3, ORDINARY, **listed(2))
    seen = view(match, SPECTATOR)
    assert (seen.seat, seen.hand, seen.shown_cards) == (None, (), ())
    assert projected(match, Dealt, SPECTATOR) == [
        Dealt(1, 1, 0, 2, False, False, (), (0, 0, 0))
    ]
    seen = view(match, REFEREE)
    assert [shown(seen, seat) for seat in range(3)] == [
        cards_from("9H TH"),
        cards_from("KC AC"),
        cards_from("2D 3D"),
    ]


def test_a_view_of_a_seat_on_turn_is_a_prompt() -> None:
    match = started("pagat_standard", 3, ORDINARY, **listed(2))
    seen = view(match, 1)
    assert (seen.ask, seen.phase, seen.to_act) == (Ask.BID, Phase.BIDDING, (1,))
    assert seen.legal_bids == (0, 1, 2)
    assert (seen.deal, seen.dealer, seen.size, seen.deal_kind) == (1, 0, 2, 1)
    assert (seen.trump, seen.upcard) == (4, card_code("5S"))
    assert seen.seq == match.seq
    waiting = view(match, 2)
    assert (waiting.ask, waiting.legal_bids, waiting.call) == (Ask.NOTHING, (), 0)


def test_a_view_while_playing_tells_every_card_and_leader_of_the_deal() -> None:
    match = started("pagat_standard", 3, ORDINARY, **listed(2))
    bid_all(match)
    for card in ["KC", "2D", "9H", "AC"]:
        match.play(match.to_act()[0], card_code(card))
    seen = view(match, 2)
    assert seen.ask == Ask.PLAY
    assert [*seen.plays] == cards_from("KC 2D 9H AC")
    assert seen.leaders == (1, 1)
    assert seen.tricks == (0, 1, 0)
    assert [*seen.legal_cards] == [*seen.hand] == cards_from("3D")
    assert seen.bid_states == (BidState.OPEN,) * 3
    assert seen.call == CallRule.NONE


def test_the_unseen_cards_of_a_seat_are_exactly_the_pack_less_what_it_has_seen() -> (
    None
):
    match = started("pagat_standard", 4)
    bid_all(match)
    for _ in range(5):
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
    own = [card for card in match.plays if card in range(1, 53)]
    for seat in range(4):
        seen = view(match, seat)
        known = {*seen.hand, *seen.plays, seen.upcard}
        assert len(known) == len(seen.hand) + len(own) + 1
        unseen = {*range(1, 53)} - known
        others = {c for s in range(4) if s != seat for c in match.hands[s]}
        assert others <= unseen
        assert len(unseen) == 52 - len(seen.hand) - 5 - 1


def test_no_trump_can_be_told_from_clubs_and_from_not_known() -> None:
    match = started("simple_standard", 4, **listed(13))
    seen = view(match, 0)
    assert (seen.trump, seen.upcard) == (NO_TRUMP, 0)
    assert len({NO_TRUMP, CLUBS, TRUMP_UNKNOWN}) == 3


def test_a_bid_that_may_be_changed_is_offered_as_such() -> None:
    match = started("pagat_standard", 3, **listed(2))
    match.bid(1, 1)
    assert view(match, 1).amend_bids == (0, 1, 2)
    assert view(match, 2).amend_bids == ()
    match.bid(2, 1)
    assert view(match, 1).amend_bids == ()


# Secret bids


def test_secret_bids_are_known_as_placed_and_open_all_at_once() -> None:
    match = started("simultaneous", 3, **listed(2))
    match.bid(0, 2)
    own, other = view(match, 0), view(match, 1)
    assert (own.bids[0], own.bid_states[0]) == (2, BidState.OPEN)
    assert other.bids == (0, 0, 0)
    assert other.bid_states == (BidState.HIDDEN, BidState.NOT_YET, BidState.NOT_YET)
    assert view(match, SPECTATOR).bid_states == other.bid_states
    assert view(match, REFEREE).bids == (2, 0, 0)
    assert own.amend_bids == (0, 1, 2)
    match.bid(1, 0)
    match.bid(2, 1)
    for viewer in (0, 1, 2, SPECTATOR):
        assert view(match, viewer).bids == (2, 0, 1)
        assert view(match, viewer).bid_states == (BidState.OPEN,) * 3


# Forehead


def test_in_a_forehead_deal_each_seat_sees_every_card_but_its_own() -> None:
    match = started("devils_bridge", 3, "5S KH 2D", **listed(1))
    bid_all(match)
    seen = view(match, 1)
    assert seen.forehead
    assert (seen.hand, seen.legal_cards) == ((), ())
    assert (seen.ask, seen.call) == (Ask.PLAY, CallRule.NONE)
    assert shown(seen, 2) == cards_from("KH")
    assert shown(seen, 0) == cards_from("2D")
    assert seen.shown_counts == (1, 0, 1)
    assert seen.shown_why == (ShownWhy.FOREHEAD, ShownWhy.NOTHING, ShownWhy.FOREHEAD)
    assert view(match, SPECTATOR).shown_cards == ()
    (dealt,) = projected(match, Dealt, 1)
    assert isinstance(dealt, Dealt)
    assert [*dealt.cards] == cards_from("2D KH")


def test_a_played_forehead_card_is_no_longer_shown_as_held() -> None:
    match = started("devils_bridge", 3, "5S KH 2D", **listed(1))
    bid_all(match)
    match.play(1, None)
    assert [*view(match, 0).shown_cards] == cards_from("KH")
    assert [*view(match, 0).plays] == cards_from("5S")


def test_a_hidden_card_needs_a_call_whether_it_is_a_joker_or_not() -> None:
    one: dict[str, Any] = {"deal_shape": "fixed", "deal_high": 1, "deal_count": 1}
    for first in ("X1", "7C"):
        match = started(
            "blackout_jokers",
            5,
            f"{first} 3C 4C 5C 6C",
            forehead="all_one_card",
            **one,
        )
        bid_all(match)
        assert view(match, 1).call == CallRule.REQUIRED


# Late upcards and blind deals


@pytest.mark.parametrize("kind", ["guess_trump", "blind", "blind_in_order"])
def test_a_late_upcard_is_unknown_to_all_until_the_bids_are_in(kind: str) -> None:
    match = started("clag_short", 3, ORDINARY, **listed(2), deal_kinds={"1": kind})
    for viewer in (0, 1, 2, SPECTATOR):
        seen = view(match, viewer)
        assert (seen.trump, seen.upcard) == (TRUMP_UNKNOWN, 0)
    referee = view(match, REFEREE)
    assert (referee.trump, referee.upcard) == (4, card_code("5S"))
    assert projected(match, TrumpMade, REFEREE) == []
    bid_all(match)
    assert view(match, SPECTATOR).upcard == card_code("5S")
    assert projected(match, TrumpMade, 1) == [TrumpMade(4, card_code("5S"), None)]


def test_in_a_blind_deal_nobody_sees_a_card_before_the_bids_are_in() -> None:
    blind: dict[str, Any] = {"deal_kinds": {"1": "blind"}}
    match = started("clag_short", 3, ORDINARY, **listed(2), **blind)
    assert all(view(match, seat).hand == () for seat in range(3))
    for dealt in projected(match, Dealt, 1):
        assert isinstance(dealt, Dealt)
        assert (dealt.cards, dealt.counts) == ((), (0, 0, 0))
    bid_all(match)
    assert [*view(match, 1).hand] == cards_from("KC AC")
    assert projected(match, CardsShown, 1) == [
        CardsShown(ShownWhy.BIDS_IN, tuple(cards_from("KC AC")), (0, 2, 0))
    ]
    assert projected(match, CardsShown, SPECTATOR) == [
        CardsShown(ShownWhy.BIDS_IN, (), (0, 0, 0))
    ]


def test_a_hand_to_be_played_in_order_is_seen_in_that_order() -> None:
    in_order: dict[str, Any] = {"deal_kinds": {"1": "blind_in_order"}}
    match = started(
        "clag_short", 3, "KC 2D 9H AC 3D TH 2C 4D 8H", **listed(3), **in_order
    )
    bid_all(match)
    assert [*view(match, 1).hand] == cards_from("KC AC 2C")
    assert [*view(match, 1).legal_cards] == cards_from("KC")


def test_a_blind_forehead_deal_shows_the_others_cards_after_the_bids() -> None:
    both: dict[str, Any] = {"forehead": "all_one_card", "deal_kinds": {"1": "blind"}}
    match = started("up_down", 3, "5S KH 2D", **both)
    assert all(view(match, seat).shown_cards == () for seat in range(3))
    bid_all(match)
    seen = view(match, 0)
    assert (seen.hand, [*seen.shown_cards]) == ((), cards_from("5S KH"))
    (event,) = projected(match, CardsShown, 0)
    assert isinstance(event, CardsShown)
    assert (event.why, [*event.cards]) == (ShownWhy.FOREHEAD, cards_from("5S KH"))


# The dealer's last card


def last_card(deal_kinds: dict[str, str] | None = None) -> Match:
    """A deal of all 40 cards, so that the dealer's last one decides the trump."""
    return started("la_pocha", 4, deal_kinds=deal_kinds, **listed(10))


def test_the_dealers_last_card_is_shown_until_it_is_played() -> None:
    match = last_card()
    card = match.decision.shown
    assert card is not None
    assert shown(view(match, 1), 0) == [card]
    assert view(match, 1).shown_why[0] == ShownWhy.DEALER_LAST_CARD
    assert view(match, 0).shown_cards == ()
    assert card in view(match, 0).hand
    assert view(match, 1).upcard == 0
    assert projected(match, CardsShown, SPECTATOR) == [
        CardsShown(ShownWhy.DEALER_LAST_CARD, (card,), (1, 0, 0, 0))
    ]
    bid_all(match)
    while card not in match.plays:
        assert shown(view(match, SPECTATOR), 0) == [card]
        seat = match.to_act()[0]
        legal = match.legal_cards(seat)
        match.play(seat, card if card in legal else legal[0])
    assert view(match, SPECTATOR).shown_cards == ()


def test_a_bid_that_may_be_changed_until_the_first_card_is_no_part_that_stays() -> None:
    match = started("pagat_standard", 3, ORDINARY, **listed(2))
    bid_all(match)
    assert moving(match, 1) is None
    match.play(1, card_code("KC"))
    assert moving(match, 2) is not None
    assert moving(match, 0) is None


def test_a_prompt_moves_by_more_than_its_hand_while_a_card_of_another_lies_open() -> (
    None
):
    match = last_card()
    bid_all(match)
    while match.shown_card:
        seat = match.to_act()[0]
        assert moving(match, seat) is None
        legal = match.legal_cards(seat)
        shown_now = match.shown_card in legal
        match.play(seat, match.shown_card if shown_now else legal[0])
    assert moving(match, match.to_act()[0]) is not None


def test_in_a_blind_deal_even_the_dealer_sees_only_its_last_card() -> None:
    match = last_card(deal_kinds={"1": "blind"})
    seen = view(match, 0)
    assert (seen.hand, seen.shown_cards) == ((), (match.decision.shown,))
    assert seen.trump == match.trump != TRUMP_UNKNOWN


# Bid cards


def laid_with(claims: Sequence[Claim]) -> Match:
    match = started("ninety_nine", 3)
    for seat in (2, 0, 1):
        match.lay(seat, match.hands[seat][:3], claims[seat])
    return match


def test_bid_cards_stay_face_down() -> None:
    match = started("ninety_nine", 3)
    match.lay(1, match.hands[1][:3], Claim.DECLARE)
    seen = view(match, 0)
    assert (seen.ask, len(seen.hand)) == (Ask.BID_CARDS, 12)
    assert seen.bid_states == (BidState.NOT_YET, BidState.HIDDEN, BidState.NOT_YET)
    own = view(match, 1)
    assert (own.bid_cards, own.claim) == (match.laid[1], Claim.DECLARE)
    assert (own.bid_states[1], own.bids[1]) == (BidState.OPEN, match.bid_of(1))
    assert len(own.hand) == 9


def test_a_granted_claim_opens_what_it_promised_and_an_outranked_one_nothing() -> None:
    match = laid_with([Claim.DECLARE, Claim.NONE, Claim.REVEAL])
    seen = view(match, 1)
    assert (seen.premium_seat, seen.premium_kind) == (2, Claim.REVEAL)
    assert shown(seen, 2) == [*match.laid[2], *match.hands[2]]
    assert shown(seen, 0) == []
    assert seen.shown_why == (ShownWhy.NOTHING, ShownWhy.NOTHING, ShownWhy.REVEAL)
    assert seen.bid_states == (BidState.HIDDEN, BidState.OPEN, BidState.OPEN)
    assert seen.bids[2] == match.bid_of(2)
    (laid,) = projected(match, BidCardsLaid, SPECTATOR)
    assert laid == BidCardsLaid(match.laid[2], (0, 0, 3), 2, Claim.REVEAL, ())
    assert projected(match, CardsShown, SPECTATOR) == [
        CardsShown(ShownWhy.REVEAL, tuple(match.hands[2]), (0, 0, 9))
    ]


def test_a_declaration_opens_the_bid_cards_alone() -> None:
    match = laid_with([Claim.DECLARE, Claim.NONE, Claim.NONE])
    seen = view(match, SPECTATOR)
    assert shown(seen, 0) == [*match.laid[0]]
    assert seen.shown_why[0] == ShownWhy.DECLARE
    assert projected(match, CardsShown, SPECTATOR) == []


# Jokers, trump choice, causes


def test_a_joker_that_may_be_played_tells_what_it_needs() -> None:
    match = started(
        "blackout_jokers",
        5,
        "X1 3C 4C 5C X2",
        deal_shape="fixed",
        deal_high=1,
        deal_count=1,
    )
    bid_all(match)
    assert view(match, 1).call == CallRule.REQUIRED
    match.play(1, card_code("X1"), JokerCall.LOW)
    assert view(match, 2).call == CallRule.NONE
    for seat in (2, 3, 4):
        match.play(seat, match.hands[seat][0])
    assert view(match, 0).call == CallRule.FIXED_HIGH
    match.play(0, card_code("X2"))
    calls = [e.event for e in match.entries() if isinstance(e.event, CardPlayed)]
    assert [played.call for played in calls] == [2, 0, 0, 0, 1]


def test_the_dealer_is_asked_for_the_trump_and_all_see_why() -> None:
    match = started("wizard", 4, "2C 3C 4C 5C W1", **listed(1))
    seen = view(match, 0)
    assert (seen.ask, seen.legal_suits) == (Ask.TRUMP, (1, 2, 3, 4))
    for viewer in (1, SPECTATOR):
        assert view(match, viewer).upcard == card_code("W1")
        assert view(match, viewer).trump == TRUMP_UNKNOWN


def test_only_the_referee_learns_causes() -> None:
    match = started("pagat_standard", 3, **listed(2))
    match.bid(1, 0, Cause.FALLBACK)
    entry = match.entry(match.seq)
    assert project(entry, REFEREE).cause is Cause.FALLBACK
    assert project(entry, 1).cause is Cause.UNTOLD
    assert project(entry, SPECTATOR).cause is Cause.UNTOLD


def test_no_number_in_a_view_or_entry_is_larger_than_the_game_needs() -> None:
    """A seed has no place to hide: every field is a small number or a list of them."""
    match = started("pagat_standard", 4)
    while match.phase is not Phase.OVER:
        for viewer in (*range(4), SPECTATOR):
            for value in view(match, viewer):
                numbers = value if isinstance(value, tuple) else (value or 0,)
                assert all(abs(number) < 2_000 for number in numbers)
        seat = match.to_act()[0]
        if match.phase is Phase.BIDDING:
            match.bid(seat, match.legal_bids(seat)[0])
        else:
            match.play(seat, match.legal_cards(seat)[0])


def test_before_the_start_and_after_the_end_nothing_is_asked() -> None:
    rules = Rules.of("pagat_standard", listed(1), players=3)
    match = Match(rules, 3, first_dealer=0, decks=SeededDecks(SEED, rules, 3))
    seen = view(match, 0)
    assert (seen.phase, seen.deal, seen.deal_kind, seen.ask) == (0, 0, 0, 0)
    match.start()
    bid_all(match)
    while match.phase is not Phase.OVER:
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
    seen = view(match, 0)
    assert (seen.ask, seen.to_act, seen.hand) == (Ask.NOTHING, (), ())
    assert seen.scores == match.scores
