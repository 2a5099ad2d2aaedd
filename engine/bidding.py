"""Who bids when, what may be bid, and until when a bid may be replaced."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from engine.cards import CLUBS, DIAMONDS, HEARTS, SPADES, card_suit
from engine.errors import Code
from engine.parameters import BidAmend, BidMode, DealKind, FirstLeader, LastBidAmend
from engine.scoring import Premium

if TYPE_CHECKING:
    from engine.rules import Rules

_BID_CARD_VALUE: Final = {CLUBS: 3, HEARTS: 2, SPADES: 1, DIAMONDS: 0}


class Claim(IntEnum):
    """What a seat offers to show with its bid cards; the higher one outranks."""

    NONE = 0
    DECLARE = 1
    REVEAL = 2


_CLAIM_WORTH: Final = {Claim.DECLARE: 30, Claim.REVEAL: 60}


def seats_from(seat: int, players: int) -> tuple[int, ...]:
    """All seats in direction of play."""
    return tuple([(seat + i) % players for i in range(players)])


def bid_order(dealer: int, players: int) -> tuple[int, ...]:
    """Eldest first, the dealer last; seats that take no part are among them."""
    return seats_from((dealer + 1) % players, players)


def first_leader(rules: Rules, *, dealer: int, players: int) -> int:
    """Who leads the first trick; the order of bidding does not depend on it."""
    if rules.first_leader is FirstLeader.DEALER:
        return dealer
    return (dealer + 1) % players


def may_bid(rules: Rules, total: int) -> bool:
    """Whether a seat with this total when a deal begins takes part in its bidding."""
    return rules.no_bid_at_score is None or total < rules.no_bid_at_score


def forbidden_bid(rules: Rules, *, size: int, others: int, is_last: bool) -> int | None:
    """What the hook takes from the last bidder; `others` is the sum of the bids made.

    None where it takes nothing: earlier bids above the hand size leave no amount that
    would make the total fit.
    """
    if not rules.hook or not is_last or size < rules.hook_min_cards or others > size:
        return None
    return size - others


def legal_bids(size: int, forbidden: int | None = None) -> list[int]:
    """Never empty: the hook takes one of at least two amounts."""
    return [amount for amount in range(size + 1) if amount != forbidden]


def refusal_of_amount(
    amount: object, *, size: int, forbidden: int | None
) -> Code | None:
    """Why an amount is refused; None for a legal one. True is no whole number."""
    if type(amount) is not int:
        return Code.BID_NOT_INTEGER
    if not 0 <= amount <= size:
        return Code.BID_OUT_OF_RANGE
    return Code.BID_HOOKED if amount == forbidden else None


def may_replace_bid(
    rules: Rules,
    *,
    kind: DealKind,
    bidders: Sequence[int],
    made: int,
    seat: int,
    card_played: bool,
) -> bool:
    """Whether a seat that has bid may send its bid again.

    `bidders` are the seats that bid, in order; in turn the first `made` of them have
    done so, with secret bids any of them. The caller knows that `seat` has bid.
    """
    match rules.bid_mode:
        case BidMode.BID_CARDS:
            return False
        case BidMode.SIMULTANEOUS:
            return made < len(bidders)
        case BidMode.TURN:
            if seat != bidders[made - 1]:
                return False
            if made < len(bidders):
                return rules.bid_amend is BidAmend.UNTIL_NEXT_BID
            return (
                rules.last_bid_amend is LastBidAmend.UNTIL_FIRST_LEAD
                and not card_played
                and not kind.hides_upcard
            )


def bid_cards_value(cards: Sequence[int]) -> int:
    """Clubs count 3, hearts 2, spades 1, diamonds nothing; ranks do not matter."""
    return sum([_BID_CARD_VALUE[card_suit(card)] for card in cards])


def granted_premium(claims: Sequence[Claim], *, dealer: int) -> Premium | None:
    """The highest claim by seat; among equals the first in order from the eldest."""
    highest = max(claims)
    if highest is Claim.NONE:
        return None
    order = bid_order(dealer, len(claims))
    holder = next(seat for seat in order if claims[seat] is highest)
    return Premium(holder, _CLAIM_WORTH[highest])
