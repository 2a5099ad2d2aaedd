"""What is done for a seat that does not act: dull, deterministic, and open to check.

It knows no more than the seat: a bid is an even share of the tricks, a card the lowest
one that is legal, the trump the longest suit, bid cards the three lowest, a joker low.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.bidding import Claim
from engine.cards import JESTERS, JOKERS, SUITS, WIZARDS, card_suit
from engine.events import Cause
from engine.legality import CallRule
from engine.match import Match
from engine.pack import Pack
from engine.phase import Ask
from engine.plan import BID_CARDS
from engine.trick import JokerCall
from engine.view import View, view


class PlaceBid(NamedTuple):
    bid: int


class PlayCard(NamedTuple):
    """No card where the seat may not see its card."""

    card: int | None
    call: JokerCall


class ChooseTrump(NamedTuple):
    suit: int


class Lay(NamedTuple):
    cards: tuple[int, ...]
    claim: Claim


Command = PlaceBid | PlayCard | ChooseTrump | Lay


def fallback(match: Match, seat: int) -> Command:
    """For a seat that owes a command; ValueError for any other."""
    seen = view(match, seat)
    pack = match.shared.pack
    match seen.ask:
        case Ask.BID:
            return PlaceBid(even_bid(seen.legal_bids, seen.size, match.players))
        case Ask.PLAY:
            return lowest_play(seen, pack)
        case Ask.TRUMP:
            return ChooseTrump(longest_suit(seen.hand))
        case Ask.BID_CARDS:
            return Lay(tuple(by_strength(seen.hand, pack)[:BID_CARDS]), Claim.NONE)
        case _:
            raise ValueError(f"seat {seat} owes nothing")


def act(match: Match, seat: int, command: Command, cause: Cause) -> None:
    """Sends a command to a match."""
    match command:
        case PlayCard():
            match.play(seat, command.card, command.call, cause)
        case PlaceBid():
            match.bid(seat, command.bid, cause)
        case ChooseTrump(suit):
            match.choose_trump(seat, suit, cause)
        case Lay(cards, claim):
            match.lay(seat, cards, claim, cause)


def even_bid(legal: Sequence[int], size: int, players: int) -> int:
    """The legal bid nearest to size / players, halves rounded up; lower on ties."""
    share = (2 * size + players) // (2 * players)
    return min(legal, key=lambda bid: (abs(bid - share), bid))


def lowest_play(seen: View, pack: Pack) -> PlayCard:
    """The lowest legal card; a joker that needs a call is low."""
    if not seen.legal_cards:
        needed = seen.call == CallRule.REQUIRED
        return PlayCard(None, JokerCall.LOW if needed else JokerCall.NONE)
    card = by_strength(seen.legal_cards, pack)[0]
    needed = seen.call == CallRule.REQUIRED and card in JOKERS
    return PlayCard(card, JokerCall.LOW if needed else JokerCall.NONE)


def longest_suit(hand: Sequence[int]) -> int:
    """Ties go to the first of C D H S."""
    suits = [card_suit(card) for card in hand]
    return max(SUITS, key=lambda suit: (suits.count(suit), -suit))


def by_strength(cards: Sequence[int], pack: Pack) -> list[int]:
    """Lowest first: jesters, then ranks in the pack's order, then jokers and wizards.

    Equal ranks are in the order of their codes.
    """

    def key(card: int) -> tuple[int, int, int]:
        if card in JESTERS:
            return 0, 0, card
        if card in JOKERS or card in WIZARDS:
            return 2, 0, card
        # The same rank has as many higher ones in every suit of any pack.
        return 1, -pack.higher[pack.kind[card]].bit_count(), card

    return sorted(cards, key=key)
