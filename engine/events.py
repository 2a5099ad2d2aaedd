"""What happens in a match: the entries of its log.

Field names and numbers are those of the wire. Events in a log hold everything; what a
viewer may see of them is decided in `view`. Cards of several seats stand in one tuple,
those of seat 0 first, with the number of cards of each seat beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from engine.parameters import DealKind

# Numbers of the deal kinds on the wire; zero is no deal.
KIND_NUMBER: Final = {kind: number for number, kind in enumerate(DealKind, start=1)}
KIND_OF_NUMBER: Final = {number: kind for kind, number in KIND_NUMBER.items()}


class Cause(IntEnum):
    """Who made an entry happen; players are never told (UNTOLD)."""

    UNTOLD = 0
    ANSWER = 1
    FALLBACK = 2
    RULES = 3
    OPERATOR = 4


class BidState(IntEnum):
    """What is known of a seat's bid; only OPEN makes the amount count."""

    NOT_YET = 1
    HIDDEN = 2
    OPEN = 3
    NO_PART = 4
    MISERE = 5


class ShownWhy(IntEnum):
    """Why cards that are normally hidden are open."""

    NOTHING = 0
    FOREHEAD = 1
    BIDS_IN = 2
    DECLARE = 3
    REVEAL = 4
    DEALER_LAST_CARD = 5


class Dealt(NamedTuple):
    """Each hand in the order in which it was dealt."""

    deal: int
    deal_kind: int
    dealer: int
    size: int
    extra: bool
    forehead: bool
    cards: tuple[int, ...]
    counts: tuple[int, ...]


class TrumpMade(NamedTuple):
    """Trump is unknown where the upcard leaves it to the dealer, who follows up."""

    trump: int
    upcard: int
    seat: int | None


class BidMade(NamedTuple):
    seat: int
    bid: int


class BidsOpened(NamedTuple):
    """Secret bids by seat; one counts where its state is OPEN."""

    bids: tuple[int, ...]
    bid_states: tuple[int, ...]


class BidCardsLaid(NamedTuple):
    """`claims` by seat are the referee's; the others see only what was granted."""

    cards: tuple[int, ...]
    counts: tuple[int, ...]
    premium_seat: int | None
    premium_kind: int
    claims: tuple[int, ...]


class BidAmended(NamedTuple):
    seat: int
    bid: int


class CardsShown(NamedTuple):
    why: int
    cards: tuple[int, ...]
    counts: tuple[int, ...]


class CardPlayed(NamedTuple):
    """`call` is the value in force of a joker that has one."""

    seat: int
    card: int
    call: int


class TrickTaken(NamedTuple):
    seat: int


class DealScored(NamedTuple):
    """By seat: tricks, points before and totals after any bounce."""

    tricks: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


class MatchEnded(NamedTuple):
    """Fractions are text in lowest terms; both settlements are empty without money."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ranks: tuple[int, ...]
    settlement_exact: tuple[str, ...]
    settlement_whole: tuple[int, ...]


Event = (
    Dealt
    | TrumpMade
    | BidMade
    | BidsOpened
    | BidCardsLaid
    | BidAmended
    | CardsShown
    | CardPlayed
    | TrickTaken
    | DealScored
    | MatchEnded
)


class Entry(NamedTuple):
    """An event with its number in the match, from 1, without gaps."""

    seq: int
    cause: Cause
    event: Event


def joined(
    by_seat: Sequence[Sequence[int]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cards of all seats one after the other, and how many each has."""
    cards = tuple([card for hand in by_seat for card in hand])
    return cards, tuple([len(hand) for hand in by_seat])


def split_by_seat(cards: Sequence[int], counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Takes apart the cards of an event."""
    hands = []
    start = 0
    for number in counts:
        hands.append(tuple(cards[start : start + number]))
        start += number
    return hands
