"""Matches: commands, refusals, and the course of deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from engine.bidding import Claim
from engine.cards import CLUBS, HEARTS, NO_TRUMP, SPADES, card_code, cards_from
from engine.errors import Code, Refusal
from engine.events import (
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    Cause,
    DealScored,
    Dealt,
    MatchEnded,
    TrickTaken,
    TrumpMade,
)
from engine.match import Match
from engine.phase import Phase
from engine.rules import Rules
from engine.shuffle import SeededDecks
from engine.trick import JokerCall
from tests.doubles.flavour import IS_COMPILED

SEED = bytes(range(32))


def stacked(rules: Rules, players: int, first: str) -> Callable[[int], Sequence[int]]:
    """Decks that begin with these cards, the rest of the pack after them by code."""
    top = cards_from(first)
    rest = [*rules.pack_for(players).codes()]
    for card in top:
        rest.remove(card)
    return lambda _: [*top, *rest]


def started(
    preset: str = "pagat_standard",
    players: int = 4,
    *,
    deck: str | None = None,
    first_dealer: int = 0,
    **overrides: object,
) -> Match:
    rules = Rules.of(preset, overrides, players=players)
    decks = SeededDecks(SEED, rules, players)
    match = Match(
        rules,
        players,
        first_dealer=first_dealer,
        decks=decks if deck is None else stacked(rules, players, deck),
    )
    match.start()
    return match


def listed(*sizes: int) -> dict[str, Any]:
    return {"deal_shape": "list", "deal_list": [*sizes]}


def refused(command: Callable[[], None], match: Match) -> Refusal:
    """The refusal of a command, which must leave no trace."""
    before = match.digest(), match.entries(), match.to_act()
    with pytest.raises(Refusal) as refusal:
        command()
    assert (match.digest(), match.entries(), match.to_act()) == before
    return refusal.value


def bid_all(match: Match, amount: int = 0) -> None:
    while match.phase is Phase.BIDDING:
        seat = match.to_act()[0]
        legal = match.legal_bids(seat)
        match.bid(seat, amount if amount in legal else legal[0])


def play_out(match: Match) -> None:
    """Bids low and plays the first legal card until the match is over."""
    while match.phase is not Phase.OVER:
        bid_all(match)
        while match.phase is Phase.PLAYING:
            seat = match.to_act()[0]
            match.play(seat, match.legal_cards(seat)[0])


# Bids


@pytest.mark.parametrize("amount", [None, "1", "", "000", 1.0, True, [1]])
def test_a_bid_that_is_no_number_is_refused_and_an_explicit_zero_is_a_bid(
    amount: object,
) -> None:
    match = started(**listed(1))
    refusal = refused(lambda: match.bid(1, amount), match)
    assert refusal.code is Code.BID_NOT_INTEGER
    assert refusal.details["legal_bids"] == [0, 1]
    match.bid(1, 0)
    assert match.deal.bids[1] == 0


@pytest.mark.parametrize("amount", [7, -1, 2])
def test_bids_out_of_range_are_refused(amount: int) -> None:
    match = started(**listed(1))
    assert refused(lambda: match.bid(1, amount), match).code is Code.BID_OUT_OF_RANGE


def test_with_one_card_the_dealers_bid_is_forced() -> None:
    for bids, forced in (([1, 0], 1), ([0, 0], 0)):
        match = started(players=3, **listed(1))
        for seat, bid in zip((1, 2), bids, strict=True):
            match.bid(seat, bid)
        assert match.legal_bids(0) == [forced]
        refusal = refused(lambda m=match, b=1 - forced: m.bid(0, b), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.BID_HOOKED


def test_a_second_bid_of_a_seat_is_refused_and_only_one_is_on_record() -> None:
    match = started("simple_standard", **listed(3))
    match.bid(1, 2)
    assert refused(lambda: match.bid(1, 3), match).code is Code.BID_LOCKED
    assert [e.event for e in match.entries() if isinstance(e.event, BidMade)] == [
        BidMade(1, 2)
    ]


def test_the_next_bidder_already_sees_the_bids_before_its_own() -> None:
    match = started(first_dealer=3, **listed(4))
    match.bid(0, 1)
    match.bid(1, 2)
    match.bid(2, 0)
    assert match.to_act() == (3,)
    assert match.amounts == (1, 2, 0, 0)
    assert match.legal_bids(3) == [0, 2, 3, 4]


def test_a_bid_may_be_changed_until_the_next_seat_has_bid() -> None:
    match = started(**listed(3))
    match.bid(1, 1)
    assert match.amendable(1)
    match.bid(1, 3)
    match.bid(2, 0)
    assert not match.amendable(1)
    match.bid(3, 0)
    assert match.legal_bids(0) == [1, 2, 3]
    match.bid(0, 1)
    assert not match.amendable(0)
    assert refused(lambda: match.bid(0, 2), match).code is Code.BID_LOCKED
    assert match.deal.bids == [1, 3, 0, 0]


def test_the_last_bid_may_be_changed_before_the_first_lead_where_rules_say_so() -> None:
    match = started(**listed(3), last_bid_amend="until_first_lead")
    for seat, bid in ((1, 1), (2, 0), (3, 0), (0, 1)):
        match.bid(seat, bid)
    assert match.phase is Phase.PLAYING
    assert match.legal_bids(0) == [0, 1, 3]
    assert refused(lambda: match.bid(0, 2), match).code is Code.BID_HOOKED
    match.bid(0, 3)
    match.play(1, match.legal_cards(1)[0])
    assert refused(lambda: match.bid(0, 1), match).code is Code.WRONG_PHASE
    assert match.deal.bids == [3, 1, 0, 0]


def test_secret_bids_leave_no_entry_until_the_last_is_in() -> None:
    match = started("simultaneous", players=3, **listed(2))
    before = match.seq
    match.bid(2, 1)
    match.bid(0, 2, Cause.FALLBACK)
    match.bid(0, 1, Cause.FALLBACK)
    assert match.seq == before
    assert match.to_act() == (1,)
    assert match.amendable(0)
    match.bid(1, 0)
    entry = match.entry(before + 1)
    assert entry.event == BidsOpened((1, 0, 1), (BidState.OPEN,) * 3)
    assert entry.cause is Cause.FALLBACK
    assert not match.sealed_bids()


def test_sealed_bids_can_be_taken_again_after_a_restart() -> None:
    match = started("simultaneous", players=3, **listed(2))
    match.bid(2, 1)
    match.bid(0, 2, Cause.FALLBACK)
    again = started("simultaneous", players=3, **listed(2))
    again.restore_sealed(match.sealed_bids())
    assert again.digest() == match.digest()


def test_sealed_bid_cards_can_be_taken_again_after_a_restart() -> None:
    match = started("ninety_nine", players=3)
    match.lay(2, match.hands[2][:3], Claim.REVEAL)
    again = started("ninety_nine", players=3)
    again.restore_sealed(match.sealed_bids())
    assert again.digest() == match.digest()
    assert len(again.hands[2]) == 9


def test_seats_at_the_limit_take_no_part_and_score_their_tricks() -> None:
    match = started(no_bid_at_score=10, hook=False, **listed(1, 1))
    bid_all(match)
    first = match.deal
    while match.deal_no == 1:
        match.play(match.to_act()[0], match.hands[match.to_act()[0]][0])
    (missed,) = [seat for seat in range(4) if first.tricks[seat]]
    assert match.to_act() == (missed,)
    for seat in {*range(4)} - {missed}:
        assert match.bid_states[seat] is BidState.NO_PART
        refusal = refused(lambda seat=seat: match.bid(seat, 0), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.NOT_BIDDING
    second = match.deal
    match.bid(missed, 1)
    assert second.bids.count(None) == 3
    play_out(match)
    points = [
        e.event.points for e in match.entries() if isinstance(e.event, DealScored)
    ]
    for seat in {*range(4)} - {missed}:
        assert points[1][seat] == second.tricks[seat]


# Tricks


def test_an_off_suit_card_is_refused_with_the_legal_ones_until_the_suit_is_gone() -> (
    None
):
    match = started(
        players=3, deck="3H AH 4S 5H 2C 6S", trump_method="none", **listed(2)
    )
    bid_all(match)
    match.play(1, card_code("3H"))
    refusal = refused(lambda: match.play(2, card_code("2C")), match)
    assert refusal.code is Code.MUST_FOLLOW
    assert refusal.details["legal_cards"] == ["AH"]
    match.play(2, card_code("AH"))
    match.play(0, card_code("4S"))
    match.play(2, card_code("2C"))
    assert match.table() == (card_code("2C"),)


def test_two_plays_in_a_row_are_not_the_same_seats_turn() -> None:
    match = started(**listed(3))
    bid_all(match)
    match.play(1, match.legal_cards(1)[0])
    second = match.hands[1][0]
    refusal = refused(lambda: match.play(1, second), match)
    assert refusal.code is Code.NOT_YOUR_TURN
    assert refusal.details["to_act"] == (2,)


@pytest.mark.parametrize("card", [None, 0, 75, -3, card_code("X1")])
def test_what_is_no_card_of_the_hand_is_not_held(card: int | None) -> None:
    match = started(**listed(3))
    bid_all(match)
    assert refused(lambda: match.play(1, card), match).code is Code.CARD_NOT_HELD


# A compiled engine holds its callers to the declared types: a seat is a whole number.
NO_NUMBERS = [] if IS_COMPILED else [True, "1"]


@pytest.mark.parametrize("seat", [-1, 4, 99, *NO_NUMBERS])
def test_no_command_is_taken_for_a_seat_that_is_not_there(seat: int) -> None:
    match = started()
    for command in (
        lambda: match.bid(seat, 0),
        lambda: match.play(seat, 1),
        lambda: match.lay(seat, []),
        lambda: match.choose_trump(seat, CLUBS),
    ):
        assert refused(command, match).code is Code.BAD_SEAT


def test_the_last_trick_goes_to_its_winner() -> None:
    match = started(**listed(5))
    bid_all(match)
    last = match.deal
    play_out(match)
    taken = [e.event.seat for e in match.entries() if isinstance(e.event, TrickTaken)]
    assert len(taken) == sum(last.tricks) == 5
    assert [taken.count(seat) for seat in range(4)] == last.tricks


# Deals


def test_eldest_opens_every_deal_and_the_deal_moves_by_one() -> None:
    match = started()
    play_out(match)
    deals = [e.event for e in match.entries() if isinstance(e.event, Dealt)]
    assert [deal.dealer for deal in deals] == [k % 4 for k in range(19)]
    assert sorted(Counter(deal.dealer for deal in deals).values()) == [4, 5, 5, 5]
    openers = [
        after.event.seat
        for before, after in pairwise(match.entries())
        if isinstance(before.event, TrumpMade) and isinstance(after.event, BidMade)
    ]
    assert openers == [(k + 1) % 4 for k in range(19)]
    assert [deal.size for deal in deals] == [*range(10, 0, -1), *range(2, 11)]


def test_every_deal_uses_the_whole_pack_again() -> None:
    match = started()
    play_out(match)
    dealt = [len(e.event.cards) for e in match.entries() if isinstance(e.event, Dealt)]
    assert sum(dealt) == 436
    for entry in match.entries():
        if isinstance(entry.event, Dealt):
            assert len(set(entry.event.cards)) == len(entry.event.cards)


def test_a_schedule_of_three_deals_ends_with_the_last_trick() -> None:
    match = started(**listed(3, 2, 1))
    while match.deal_no < 3 or len(match.plays) < 3:
        assert match.phase is not Phase.OVER
        assert match.result is None
        bid_all(match)
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
    seat = match.to_act()[0]
    match.play(seat, match.legal_cards(seat)[0])
    assert match.phase is Phase.OVER
    entries = match.entries()
    assert match.entries() == entries
    assert isinstance(entries[-1].event, MatchEnded)
    sizes = [sum(e.event.tricks) for e in entries if isinstance(e.event, DealScored)]
    assert sizes == [3, 2, 1]


def test_with_the_whole_pack_dealt_there_is_no_trump_and_no_upcard() -> None:
    match = started("simple_standard", **listed(13))
    trump = next(e.event for e in match.entries() if isinstance(e.event, TrumpMade))
    assert trump == TrumpMade(NO_TRUMP, 0, None)
    play_out(match)
    assert match.phase is Phase.OVER


def test_a_zero_bid_earns_nothing_before_the_last_trick() -> None:
    match = started(players=3, **listed(3))
    bid_all(match)
    for _ in range(8):
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
        assert match.scores == (0, 0, 0)
    match.play(match.to_act()[0], match.legal_cards(match.to_act()[0])[0])
    assert sum(match.scores) > 0


def test_a_deck_that_is_not_the_pack_is_refused() -> None:
    rules = Rules.of("pagat_standard")
    for deck in ([1] * 52, range(1, 52), range(1, 54)):
        match = Match(rules, 4, first_dealer=0, decks=lambda _, deck=deck: [*deck])  # type: ignore[misc]  # early binding in a loop
        with pytest.raises(ValueError, match="not the pack std52"):
            match.start()


def test_a_match_starts_once() -> None:
    match = started()
    assert refused(match.start, match).code is Code.WRONG_PHASE


def test_the_number_of_an_entry_that_is_not_there_is_an_error() -> None:
    match = started()
    for seq in (0, -1, match.seq + 1):
        with pytest.raises(IndexError):
            match.entry(seq)


# Phases


def in_phase(phase: Phase) -> Match:
    match phase:
        case Phase.NOT_STARTED:
            rules = Rules.of("pagat_standard")
            return Match(rules, 4, first_dealer=0, decks=SeededDecks(SEED, rules, 4))
        case Phase.TRUMP_CHOICE:
            return started("wizard", deck="2C 3C 4C 5C W1", **listed(1))
        case Phase.BIDDING:
            return started(**listed(2))
        case Phase.PLAYING:
            match = started(**listed(2))
            bid_all(match)
            return match
        case Phase.OVER:
            match = started(**listed(1))
            play_out(match)
            return match


COMMANDS: dict[str, Callable[[Match, int], None]] = {
    "bid": lambda match, seat: match.bid(seat, 0),
    "lay": lambda match, seat: match.lay(seat, match.hands[seat][:3]),
    "choose_trump": lambda match, seat: match.choose_trump(seat, CLUBS),
    "play": lambda match, seat: match.play(seat, (match.legal_cards(seat) or [1])[0]),
}
ACCEPTED = {
    (Phase.TRUMP_CHOICE, "choose_trump"),
    (Phase.BIDDING, "bid"),
    (Phase.PLAYING, "play"),
}
OTHER_CODES = {
    (Phase.BIDDING, "lay"): Code.WRONG_BID_MODE,
    (Phase.PLAYING, "bid"): Code.BID_LOCKED,
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("phase", Phase)
def test_every_command_has_one_outcome_in_every_phase(
    phase: Phase, command: str
) -> None:
    match = in_phase(phase)
    assert match.phase is phase
    seat = match.to_act()[0] if match.to_act() else 0
    if (phase, command) in ACCEPTED:
        before = match.seq
        COMMANDS[command](match, seat)
        assert match.seq > before
    else:
        refusal = refused(lambda: COMMANDS[command](match, seat), match)
        expected = OTHER_CODES.get((phase, command), Code.WRONG_PHASE)
        assert refusal.code is expected


# Special deals


@pytest.mark.parametrize(
    ("deck", "trump"),
    [("AC KC QC AD KD QD", HEARTS), ("AC KC QC 2D KD AD", SPADES)],
)
def test_whoever_takes_no_trick_in_a_misere_deal_is_a_success(
    deck: str, trump: int
) -> None:
    match = started(
        players=3,
        deck=deck,
        trump_method="previous_successes",
        deal_kinds={"1": "misere_trump"},
        **listed(2, 2),
    )
    while match.deal_no == 1:
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[-1])
    assert match.trump == trump


def test_a_late_deal_in_which_nobody_bids_hides_nothing() -> None:
    match = started(
        hook=False,
        no_bid_at_score=1,
        deal_kinds={"2": "guess_trump"},
        **listed(1, 1),
    )
    bid_all(match)
    while match.deal_no == 1:
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
    assert match.phase is Phase.PLAYING
    assert match.upcard == match.decision.upcard
    assert match.trump == match.decision.trump


def test_the_dealer_names_the_trump_after_a_wizard() -> None:
    match = started("wizard", deck="2C 3C 4C 5C W1", **listed(1))
    assert match.to_act() == (0,)
    assert refused(lambda: match.choose_trump(1, CLUBS), match).code is (
        Code.NOT_YOUR_TURN
    )
    for suit in (0, 5, 6, "C", None, True):
        refusal = refused(lambda suit=suit: match.choose_trump(0, suit), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.BAD_TRUMP_CHOICE
    match.choose_trump(0, CLUBS)
    assert match.trump == CLUBS
    made = [e.event for e in match.entries() if isinstance(e.event, TrumpMade)]
    w1 = card_code("W1")
    assert made == [TrumpMade(0, w1, None), TrumpMade(CLUBS, w1, 0)]


def test_what_only_equals_a_seat_or_a_card_is_none() -> None:
    match = started(players=3, deck="2C 3C 4C 5C 6C 7C", **listed(2))
    bid_all(match)
    assert match.to_act() == (1,)
    for seat in NO_NUMBERS:
        refusal = refused(lambda seat=seat: match.play(seat, 1), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.BAD_SEAT
    assert card_code("2C") == 1
    for card in (True,) if IS_COMPILED else (True, 1.0):
        refusal = refused(lambda card=card: match.play(1, card), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.CARD_NOT_HELD
    match.play(1, 1)


def test_in_a_forehead_deal_the_only_card_is_played_without_being_named() -> None:
    match = started("devils_bridge", players=3, **listed(1))
    bid_all(match)
    seat = match.to_act()[0]
    card = match.hands[seat][0]
    for named in (card, 1, 99):
        refusal = refused(lambda named=named: match.play(seat, named), match)  # type: ignore[misc]  # early binding in a loop
        assert refusal.code is Code.CARD_HIDDEN
        assert refusal.details == {}
    match.play(seat, None)
    assert match.plays == (card,)


def forehead_with_jokers(first: str = "X1") -> Match:
    match = started(
        "blackout_jokers",
        players=5,
        deck=f"{first} 3C 4C 5C 6C",
        forehead="all_one_card",
        deal_shape="fixed",
        deal_high=1,
        deal_count=1,
    )
    bid_all(match)
    return match


def test_a_hidden_card_is_called_whatever_it_is() -> None:
    match = forehead_with_jokers()
    refusal = refused(lambda: match.play(1, None), match)
    assert refusal.code is Code.CALL_REQUIRED
    match.play(1, None, JokerCall.HIGH)
    assert match.joker_calls == (JokerCall.HIGH,)
    refusal = refused(lambda: match.play(2, None, JokerCall.LOW), match)
    assert refusal.code is Code.CALL_FIXED
    match.play(2, None)
    assert [*match.plays] == cards_from("X1 3C")


def test_the_call_of_a_hidden_card_that_is_no_joker_is_forgotten() -> None:
    match = forehead_with_jokers(first="7C")
    match.play(1, None, JokerCall.HIGH)
    assert [*match.plays] == cards_from("7C")
    assert match.joker_calls == ()
    assert match.entry(match.seq).event == CardPlayed(1, card_code("7C"), 0)


def test_in_misere_nobody_bids_and_all_count_as_zero() -> None:
    match = started(
        "clag_short", players=3, **listed(2), deal_kinds={"1": "misere_trump"}
    )
    assert match.phase is Phase.PLAYING
    assert match.bid_states == (BidState.MISERE,) * 3
    assert refused(lambda: match.bid(1, 0), match).code is Code.NOT_BIDDING
    play_out(match)
    scored = next(e.event for e in match.entries() if isinstance(e.event, DealScored))
    assert [p == 10 for p in scored.points] == [t == 0 for t in scored.tricks]


def test_in_misere_the_zeros_stand_while_the_dealer_names_the_trump() -> None:
    match = started(
        "wizard",
        deck="2C 3C 4C 5C W1",
        **listed(1),
        deal_kinds={"1": "misere_trump"},
    )
    assert match.phase is Phase.TRUMP_CHOICE
    assert match.deal.bids == [0] * 4
    assert refused(lambda: match.bid(0, 0), match).code is Code.WRONG_PHASE
    match.choose_trump(0, CLUBS)
    assert (match.phase, match.to_act()) == (Phase.PLAYING, (1,))


def test_cards_in_order_are_played_in_order() -> None:
    match = started(
        "clag_short",
        players=3,
        deck="9C 2C 3C 4C 5C 6C",
        **listed(2),
        deal_kinds={"1": "blind_in_order"},
    )
    bid_all(match)
    refusal = refused(lambda: match.play(1, card_code("4C")), match)
    assert refusal.code is Code.OUT_OF_ORDER
    match.play(1, card_code("9C"))


@pytest.mark.parametrize(
    ("cards", "claim", "code"),
    [
        ([], None, Code.BAD_BID_CARDS),
        ([1, 2, 3, 4], None, Code.BAD_BID_CARDS),
        (None, "boast", Code.BAD_CLAIM),
        (None, 1, Code.BAD_CLAIM),
    ],
)
def test_wrong_bid_cards_are_refused(
    cards: list[int] | None, claim: object, code: Code
) -> None:
    match = started("ninety_nine", players=3)
    laid = match.hands[0][:3] if cards is None else cards
    assert refused(lambda: match.lay(0, laid, claim), match).code is code
    twice = [match.hands[0][0]] * 3
    assert refused(lambda: match.lay(0, twice), match).code is Code.CARD_NOT_HELD
    match.lay(0, match.hands[0][:3])
    again = refused(lambda: match.lay(0, match.hands[0][:3]), match)
    assert again.code is Code.BID_LOCKED
    assert refused(lambda: match.bid(0, 3), match).code is Code.WRONG_BID_MODE


def test_what_only_equals_a_card_is_no_bid_card() -> None:
    match = started("ninety_nine", players=3)
    first, *others = match.hands[0][:3]
    laid: list[Any] = [float(first), *others]
    if IS_COMPILED:
        # A list of int is one there: nothing else gets as far as the rules.
        with pytest.raises(TypeError):
            match.lay(0, laid)
        assert match.to_act() == (0, 1, 2)
    else:
        assert refused(lambda: match.lay(0, laid), match).code is Code.CARD_NOT_HELD


def test_a_tie_after_the_plan_is_broken_by_largest_deals() -> None:
    match = started("single_winner", **listed(2, 1))
    while match.phase is not Phase.OVER and match.deal_no < 30:
        bid_all(match)
        seat = match.to_act()[0]
        match.play(seat, match.legal_cards(seat)[0])
    deals = [e.event for e in match.entries() if isinstance(e.event, Dealt)]
    assert all((deal.extra, deal.size) == (True, 2) for deal in deals[2:])
    assert match.result is not None
    assert len(match.result.winners) == 1


def test_money_goes_with_the_end() -> None:
    match = started("stakes", players=3, **listed(1))
    play_out(match)
    ended = match.entries()[-1].event
    assert isinstance(ended, MatchEnded)
    assert len(ended.settlement_exact) == 3
    assert sum(ended.settlement_whole) == 0


def test_the_log_takes_a_few_bytes_an_entry() -> None:
    match = started()
    play_out(match)
    assert match.log.size < 6 * match.seq
