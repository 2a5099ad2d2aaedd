from hypothesis import given
from hypothesis import strategies as st

from engine.bidding import (
    Claim,
    bid_cards_value,
    bid_order,
    first_leader,
    forbidden_bid,
    granted_premium,
    legal_bids,
    may_bid,
    may_replace_bid,
    refusal_of_amount,
)
from engine.cards import cards_from
from engine.errors import Code
from engine.parameters import DealKind
from engine.rules import Rules
from engine.scoring import Premium

HOOKED = Rules.of("pagat_standard")


def last_amounts(size: int, others: int, rules: Rules = HOOKED) -> list[int]:
    taken = forbidden_bid(rules, size=size, others=others, is_last=True)
    return legal_bids(size, taken)


def test_the_last_bidder_may_not_make_the_total_fit() -> None:
    assert last_amounts(5, 4) == [0, 2, 3, 4, 5]
    assert last_amounts(1, 0) == [0]
    assert last_amounts(1, 1) == [1]
    assert last_amounts(2, 3) == [0, 1, 2]


def test_only_the_last_bidder_is_hooked_and_only_where_the_rules_say_so() -> None:
    assert forbidden_bid(HOOKED, size=5, others=4, is_last=False) is None
    assert last_amounts(2, 1, Rules.of("no_hook")) == [0, 1, 2]
    from_four = Rules.of("bust", {"hook_min_cards": 4})
    assert last_amounts(3, 1, from_four) == [0, 1, 2, 3]
    assert last_amounts(4, 1, from_four) == [0, 1, 2, 4]


@given(size=st.integers(1, 39), others=st.integers(0, 400))
def test_the_last_bidder_always_has_a_bid_and_never_makes_the_total_fit(
    size: int, others: int
) -> None:
    amounts = last_amounts(size, others)
    assert amounts
    assert size not in {others + amount for amount in amounts}
    assert len(amounts) == size + (others > size)


def test_amounts_are_refused_for_the_first_reason_that_holds() -> None:
    reasons = [
        refusal_of_amount(amount, size=3, forbidden=2)
        for amount in (1.0, "1", True, None, -1, 4, 2, 0, 3)
    ]
    whole = Code.BID_NOT_INTEGER
    outside = Code.BID_OUT_OF_RANGE
    assert reasons == [*[whole] * 4, outside, outside, Code.BID_HOOKED, None, None]


def test_bidding_goes_from_eldest_to_dealer_whoever_leads() -> None:
    assert bid_order(2, 4) == (3, 0, 1, 2)
    assert first_leader(HOOKED, dealer=3, players=4) == 0
    assert first_leader(Rules.of("dealer_leads"), dealer=3, players=4) == 3


def test_a_seat_at_the_limit_takes_no_part() -> None:
    boerenbridge = Rules.of("boerenbridge")
    assert [may_bid(boerenbridge, total) for total in (-5, 79, 80, 100)] == [
        True,
        True,
        False,
        False,
    ]
    assert may_bid(HOOKED, 10**6)


def replaceable(
    rules: Rules,
    *,
    made: int,
    kind: DealKind = DealKind.NORMAL,
    card_played: bool = False,
) -> list[int]:
    """Of the seats 1, 2, 0 that bid in this order."""
    bidders = (1, 2, 0)
    return [
        seat
        for seat in bidders[:made]
        if may_replace_bid(
            rules,
            kind=kind,
            bidders=bidders,
            made=made,
            seat=seat,
            card_played=card_played,
        )
    ]


def test_a_bid_stands_once_the_next_seat_has_bid_and_the_last_at_once() -> None:
    assert [replaceable(HOOKED, made=made) for made in (1, 2, 3)] == [[1], [2], []]
    final = Rules.of("romanian_whist")
    assert [replaceable(final, made=made) for made in (1, 2, 3)] == [[], [], []]


def test_the_last_bid_may_be_open_until_the_first_lead() -> None:
    rules = Rules.of("bust", {"last_bid_amend": "until_first_lead"})
    assert replaceable(rules, made=3) == [0]
    assert replaceable(rules, made=3, card_played=True) == []
    assert replaceable(rules, made=3, kind=DealKind.NO_TRUMP) == [0]
    for kind in (DealKind.GUESS_TRUMP, DealKind.BLIND, DealKind.BLIND_IN_ORDER):
        assert replaceable(rules, made=3, kind=kind) == []
        assert replaceable(rules, made=1, kind=kind) == [1]


def test_secret_bids_are_open_until_all_are_in_and_bid_cards_never() -> None:
    secret = Rules.of("simultaneous")
    assert [replaceable(secret, made=made) for made in (1, 2, 3)] == [[1], [1, 2], []]
    assert replaceable(Rules.of("ninety_nine"), made=2) == []


def test_bid_cards_once_laid_are_final() -> None:
    final = may_replace_bid(
        Rules.of("ninety_nine"),
        kind=DealKind.NORMAL,
        bidders=(1, 2, 0),
        made=1,
        seat=1,
        card_played=False,
    )
    assert final is False


def test_bid_cards_count_by_suit() -> None:
    assert bid_cards_value(cards_from("AC KH 6S")) == 6
    assert bid_cards_value(cards_from("AD KD QD")) == 0


def test_the_higher_claim_wins_and_among_equals_the_first_after_the_dealer() -> None:
    none, declare, reveal = Claim
    assert granted_premium([none, none, none], dealer=0) is None
    assert granted_premium([declare, none, declare], dealer=0) == Premium(2, 30)
    assert granted_premium([declare, none, declare], dealer=2) == Premium(0, 30)
    assert granted_premium([declare, reveal, declare], dealer=0) == Premium(1, 60)
