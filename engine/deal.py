"""One deal as a small mutable state machine on sets of kinds.

A `Deal` is made for search and simulation as much as for matches: it keeps no history,
copies cheaply and trusts its caller, who plays what `legal_bids` and `legal_cards`
allow. It holds every hand, so it is never shown to a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.bidding import bid_order, first_leader, forbidden_bid
from engine.cards import NO_SUIT
from engine.legality import Duties, legal_kinds
from engine.pack import BIT
from engine.scoring import Premium, deal_points
from engine.trick import JokerCall, trick_tables

if TYPE_CHECKING:
    from mypy_extensions import i64

    from engine.rules import Rules


class DealRules:
    """What all deals under the same rules share; immutable, made by `deal_rules`."""

    __slots__ = (
        "bid_orders",
        "bit",
        "deck",
        "duties",
        "leaders",
        "next_seat",
        "pack",
        "players",
        "rules",
        "tables",
    )

    def __init__(self, rules: Rules, players: int) -> None:
        seats = range(players)
        self.rules: Final = rules
        self.players: Final = players
        self.pack: Final = rules.pack_for(players)
        # Every card by code, as `sorted` gives the cards of a deck.
        self.deck: Final = [*self.pack.codes()]
        # By card code.
        self.bit: Final = {code: BIT[k] for code, k in self.pack.kind.items()}
        self.tables: Final = trick_tables(rules, self.pack)
        self.duties: Final = Duties(rules, self.pack)
        self.next_seat: Final = tuple([(seat + 1) % players for seat in seats])
        # By dealer.
        self.bid_orders: Final = tuple([bid_order(seat, players) for seat in seats])
        self.leaders: Final = tuple(
            [first_leader(rules, dealer=seat, players=players) for seat in seats]
        )


# Bounded: whoever may create tables may make up any number of rule sets.
@lru_cache(maxsize=128)
def deal_rules(rules: Rules, players: int) -> DealRules:
    """For rules that are legal for so many players."""
    return DealRules(rules, players)


class Deal:
    """Hands, bids and tricks. Seats are 0..n-1, cards are kinds of the pack.

    `held` and `twice` are the hands by seat. `bids` is None for a seat that has not
    bid, or takes no part. `to_bid` counts the bids and `left` the tricks still to come;
    while either does, `turn` is the seat on turn. Where hands are played in a fixed
    order, `orders` holds what is left of them.
    """

    __slots__ = (
        "beats",
        "bid_sum",
        "bidders",
        "bids",
        "called",
        "dealer",
        "held",
        "left",
        "on_table",
        "orders",
        "shared",
        "size",
        "suit",
        "to_bid",
        "tricks",
        "trump",
        "turn",
        "twice",
        "winner",
    )

    # No `__init__`: a copy fills a blank deal, and so does `begin`. An `i64` is a
    # machine word where the engine is compiled, and a plain int where it is not.
    shared: DealRules
    held: list[int]
    twice: list[int]
    size: i64
    dealer: i64
    trump: i64
    bidders: tuple[int, ...]
    orders: list[list[int]] | None
    bids: list[int | None]
    bid_sum: i64
    to_bid: i64
    tricks: list[int]
    left: i64
    turn: i64
    winner: i64
    suit: i64
    beats: i64
    on_table: i64
    called: JokerCall

    @classmethod
    def begin(
        cls,
        shared: DealRules,
        held: Sequence[int],
        twice: Sequence[int],
        *,
        size: int,
        dealer: int,
        trump: int,
        bidders: Sequence[int] | None = None,
    ) -> Deal:
        """Before the first bid, or before the first lead where nobody bids.

        `bidders` are the seats that bid, in order; left out, all do.
        """
        deal = cls()
        deal.shared = shared
        deal.held = list(held)
        deal.twice = list(twice)
        deal.size = size
        deal.dealer = dealer
        deal.trump = trump
        deal.bidders = shared.bid_orders[dealer] if bidders is None else tuple(bidders)
        deal.orders = None
        deal.bids = [None] * shared.players
        deal.bid_sum = 0
        deal.to_bid = len(deal.bidders)
        deal.tricks = [0] * shared.players
        deal.left = size
        deal.turn = deal.bidders[0] if deal.bidders else shared.leaders[dealer]
        deal.winner = deal.turn
        deal.suit = NO_SUIT
        deal.beats = shared.pack.all_mask
        deal.on_table = 0
        deal.called = JokerCall.NONE
        return deal

    def copy(self) -> Deal:
        """Independent of this one from now on."""
        twin = Deal()
        twin.shared = self.shared
        twin.held = self.held[:]
        twin.twice = self.twice[:]
        twin.size = self.size
        twin.dealer = self.dealer
        twin.trump = self.trump
        twin.bidders = self.bidders
        twin.orders = self.orders and [order[:] for order in self.orders]
        twin.bids = self.bids[:]
        twin.bid_sum = self.bid_sum
        twin.to_bid = self.to_bid
        twin.tricks = self.tricks[:]
        twin.left = self.left
        twin.turn = self.turn
        twin.winner = self.winner
        twin.suit = self.suit
        twin.beats = self.beats
        twin.on_table = self.on_table
        twin.called = self.called
        return twin

    def legal_bids(self) -> i64:
        """Amounts open to the seat on turn, as a set of bits."""
        amounts = BIT[self.size + 1] - 1
        forbidden = self.forbidden_bid()
        return amounts if forbidden is None else amounts ^ BIT[forbidden]

    def forbidden_bid(self) -> int | None:
        """What the hook takes from the seat on turn."""
        return forbidden_bid(
            self.shared.rules,
            size=self.size,
            others=self.bid_sum,
            is_last=self.to_bid == 1,
        )

    def bid(self, amount: i64) -> None:
        """The seat on turn bids."""
        self.bids[self.turn] = amount
        self.bid_sum += amount
        self.to_bid -= 1
        if self.to_bid:
            self.turn = self.bidders[-self.to_bid]
        else:
            self.turn = self.shared.leaders[self.dealer]

    def amend_bid(self, seat: int, amount: int) -> None:
        """A seat that has bid bids something else."""
        self.bid_sum += amount - (self.bids[seat] or 0)
        self.bids[seat] = amount

    def open_bids(self, bids: Sequence[int | None]) -> None:
        """All bids at once, by seat; None for a seat that takes no part."""
        self.bids[:] = bids
        self.bid_sum = sum([bid or 0 for bid in bids])
        self.to_bid = 0
        self.turn = self.shared.leaders[self.dealer]

    def legal_cards(self) -> i64:
        """Kinds that the seat on turn may play."""
        seat = self.turn
        if self.orders is not None:
            return BIT[self.orders[seat][0]]
        return legal_kinds(
            self.shared.duties,
            self.held[seat],
            self.trump,
            self.suit,
            self.beats,
            self.size + 1 - self.left,
        )

    def play(self, k: i64, call: JokerCall = JokerCall.NONE) -> None:
        """The seat on turn plays; `call` is the value in force of a called joker."""
        seat = self.turn
        shared = self.shared
        bit: i64 = BIT[k]
        hand: i64 = self.held[seat]
        second: i64 = self.twice[seat]
        # The common case of `remove`, without a call: playouts are made of this.
        if second & bit or self.orders is not None:
            self.remove(seat, k)
        else:
            self.held[seat] = hand ^ bit
        if not self.suit:
            self.suit = shared.tables.leads[k]
        if call:
            self.called = call
            if call is JokerCall.HIGH:
                # Nothing takes the trick from it, itself included.
                self.beats = 0
                self.winner = seat
        if self.beats & bit:
            self.beats = shared.tables.beats[self.trump][k]
            self.winner = seat
        self.on_table += 1
        if self.on_table < shared.players:
            self.turn = shared.next_seat[seat]
        else:
            self._end_trick()

    def remove(self, seat: int, k: int) -> None:
        """One copy of a kind leaves a hand."""
        bit = BIT[k]
        if self.twice[seat] & bit:
            self.twice[seat] ^= bit
        else:
            self.held[seat] ^= bit
        if self.orders is not None:
            self.orders[seat].remove(k)

    def _end_trick(self) -> None:
        self.turn = self.winner
        self.tricks[self.winner] += 1
        self.left -= 1
        self.on_table = 0
        self.suit = NO_SUIT
        self.beats = self.shared.pack.all_mask
        if self.called and self.shared.duties.calls_anew:
            self.called = JokerCall.NONE

    def points(self, premium: Premium | None = None) -> list[int]:
        """Points by seat of a deal that is over, before any bounce."""
        return deal_points(
            self.shared.rules,
            bids=self.bids,
            won=self.tricks,
            size=self.size,
            premium=premium,
        )
