"""Where a match stands, and what may be done there.

A position knows everything about the present deal; it answers questions and changes
nothing. `match` moves it on, and `view` tells players their part of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engine.bidding import Claim, forbidden_bid, legal_bids, may_replace_bid
from engine.cards import SUITS, TRUMP_UNKNOWN
from engine.deal import Deal, deal_rules
from engine.errors import Code
from engine.events import BidState, Cause
from engine.legality import CallRule, call_rule
from engine.parameters import MAX_PLAYERS, BidMode, DealKind
from engine.phase import Phase
from engine.plan import deal_plan
from engine.rules import Rules
from engine.scoring import Premium
from engine.trick import JokerCall
from engine.trump import TrumpDecision

# Members of enumerations are slow to reach: these are asked for at every command.
_PLAYING: Final = Phase.PLAYING
_BIDDING: Final = Phase.BIDDING
_IN_TURN: Final = BidMode.TURN
_WITH_CARDS: Final = BidMode.BID_CARDS
_NO_CALL: Final = CallRule.NONE

_ALONE: Final = tuple([(seat,) for seat in range(MAX_PLAYERS)])

# Matches under the same rules share their plan.
_plan_of = lru_cache(maxsize=128)(deal_plan)


class Result(NamedTuple):
    """Totals, the winners' seats, and places by seat from 1, equal ones shared."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    ranks: tuple[int, ...]


class SealedBid(NamedTuple):
    """A secret bid that is not open yet; `cards` and `claim` where cards are laid."""

    bid: int
    cards: tuple[int, ...]
    claim: Claim
    cause: Cause


class Position:
    """Seats are 0..players-1, cards are codes, deals count from 1.

    `trump` is unknown and `upcard` zero until they are known to all; `decision` has
    them from the start. `hands` are by strength, or in playing order where the deal
    asks for it. `plays` and `leaders` cover the deal. `amounts` are the open bids: one
    counts where `bid_states` says so. What views hand on as it is, is kept in tuples:
    all views share them until something changes.
    """

    __slots__ = (
        "_legal",
        "amounts",
        "bid_states",
        "claims",
        "deal",
        "deal_no",
        "dealer",
        "decision",
        "extra",
        "first_dealer",
        "forehead",
        "hands",
        "hides_only_hands",
        "joker_calls",
        "kind",
        "kind_number",
        "laid",
        "leaders",
        "lies_open",
        "phase",
        "plan",
        "played",
        "players",
        "premium",
        "result",
        "rules",
        "scores",
        "sealed",
        "seq",
        "shared",
        "shown_card",
        "size",
        "successes",
        "tricks",
        "trump",
        "upcard",
    )

    def __init__(self, rules: Rules, players: int, first_dealer: int) -> None:
        """Before the first deal."""
        if not 0 <= first_dealer < players:
            raise ValueError(f"first dealer {first_dealer}: seats are 0..{players - 1}")
        self.rules: Final = rules
        self.players: Final = players
        self.first_dealer: Final = first_dealer
        self.plan: Final = _plan_of(rules, players)
        self.shared: Final = deal_rules(rules, players)
        # Number of the last entry.
        self.seq = 0
        self.phase = Phase.NOT_STARTED
        self.scores = (0,) * players
        self.result: Result | None = None
        self.deal_no = 0
        self.size = 0
        self.kind = DealKind.NORMAL
        # As on the wire; zero before the first deal.
        self.kind_number = 0
        self.dealer = first_dealer
        self.extra = False
        self.forehead = False
        # Whether each seat sees its own hand and everything that is no hand.
        self.hides_only_hands = True
        # Of the deal before, where there was one.
        self.successes: int | None = None
        nothing = [0] * players
        self.deal = Deal.begin(
            self.shared, nothing, nothing, size=0, dealer=first_dealer, trump=0
        )
        self._clear()

    def _clear(self) -> None:
        players = self.players
        self.decision = TrumpDecision(TRUMP_UNKNOWN)
        self.trump = TRUMP_UNKNOWN
        self.upcard = 0
        # The dealer's last card while it lies open.
        self.shown_card = 0
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.amounts = (0,) * players
        self.bid_states = (BidState.NOT_YET,) * players
        self.sealed: dict[int, SealedBid] = {}
        self.laid: list[tuple[int, ...]] = [()] * players
        self.claims = [Claim.NONE] * players
        self.premium: Premium | None = None
        self.tricks = (0,) * players
        # Card codes; as bytes, because it grows with every card.
        self.played = bytearray()
        self.leaders: tuple[int, ...] = ()
        self.joker_calls: tuple[JokerCall, ...] = ()
        # Whether cards that are still held are seen by others, during the play.
        self.lies_open = False
        # What `legal_kinds` has found out about the card that is due; zero: not asked.
        self._legal = 0

    @property
    def plays(self) -> tuple[int, ...]:
        """The cards of the deal in order."""
        return tuple(self.played)

    def to_act(self) -> tuple[int, ...]:
        """Seats that owe a command, ascending."""
        phase = self.phase
        if phase is _PLAYING:
            return _ALONE[self.deal.turn]
        if phase is _BIDDING:
            if self.rules.bid_mode is _IN_TURN:
                return _ALONE[self.deal.turn]
            waiting = set(self.deal.bidders) - self.sealed.keys()
            return tuple(sorted(waiting))
        return _ALONE[self.dealer] if phase is Phase.TRUMP_CHOICE else ()

    def legal_bids(self, seat: int) -> list[int]:
        """Amounts that the seat may send now, as its bid or in place of its bid."""
        if self.refusal_of_bidder(seat) is not None:
            return []
        return legal_bids(self.size, self.forbidden_bid_of(seat))

    def amendable(self, seat: int) -> bool:
        """Whether the seat has bid and may bid again."""
        return self.has_bid(seat) and self.refusal_of_bidder(seat) is None

    def legal_kinds(self) -> int:
        """Kinds that the seat on turn may play, found out once for each turn."""
        legal = self._legal
        if not legal:
            legal = self._legal = self.deal.legal_cards()
        return legal

    def legal_cards(self, seat: int) -> tuple[int, ...]:
        """Cards that the seat may play now; one held twice appears two times."""
        deal = self.deal
        if self.phase is not _PLAYING or seat != deal.turn:
            return ()
        legal = self.legal_kinds()
        hand = self.hands[seat]
        if deal.orders is not None:
            return (hand[0],)
        if legal == deal.held[seat]:
            return tuple(hand)
        bit = self.shared.bit
        return tuple([card for card in hand if legal & bit[card]])

    def legal_suits(self, seat: int) -> tuple[int, ...]:
        """Suits that the seat may name as trump now."""
        chooses = self.phase is Phase.TRUMP_CHOICE and seat == self.dealer
        return SUITS if chooses else ()

    def call_rule_for(self, legal: Iterable[int]) -> CallRule:
        """What a joker among these cards needs; NONE if there is none."""
        if self.shared.duties.called_mask and any(map(self.is_called, legal)):
            return self.joker_rule
        return _NO_CALL

    @property
    def joker_rule(self) -> CallRule:
        """What any joker would need that is played now."""
        return call_rule(self.shared.duties, self.deal.called)

    def has_bid(self, seat: int) -> bool:
        return seat in self.sealed or self.deal.bids[seat] is not None

    def bid_of(self, seat: int) -> int:
        """The seat's bid, open or not; zero for a seat that has none."""
        if seat in self.sealed:
            return self.sealed[seat].bid
        return self.deal.bids[seat] or 0

    def sealed_bids(self) -> dict[int, SealedBid]:
        """Secret bids, or bid cards, that are in but not open, by seat."""
        return dict(self.sealed)

    def table(self) -> tuple[int, ...]:
        """Cards of the unfinished trick."""
        return tuple(self.played[len(self.played) - self.deal.on_table :])

    def digest(self) -> str:
        """Changes whenever anything does; SHA-256 in hexadecimal digits."""
        deal = self.deal
        state = (
            *(self.seq, self.phase, self.deal_no, self.scores),
            *(self.trump, self.upcard, self.shown_card, self.decision, self.premium),
            *(self.hands, self.amounts, self.bid_states, sorted(self.sealed.items())),
            *(self.laid, self.claims, self.plays, self.leaders, self.joker_calls),
            *(deal.held, deal.twice, deal.bids, deal.bid_sum, deal.to_bid, deal.turn),
            *(deal.tricks, deal.left, deal.suit, deal.beats, deal.winner, deal.called),
            *(deal.orders, deal.on_table, deal.bidders, deal.trump, self.successes),
        )
        return hashlib.sha256(repr(state).encode()).hexdigest()

    def refusal_of_bidder(self, seat: int) -> Code | None:
        """Why a seat may not send any number now."""
        mode = self.rules.bid_mode
        if self.phase is not _BIDDING:
            early = self.phase is _PLAYING and not self.played
            if not early or mode is _WITH_CARDS:
                return Code.WRONG_PHASE
        if mode is _WITH_CARDS:
            return Code.WRONG_BID_MODE
        if seat not in self.deal.bidders:
            return Code.NOT_BIDDING
        if self.has_bid(seat):
            return None if self._may_replace_bid(seat) else Code.BID_LOCKED
        if mode is _IN_TURN and seat != self.deal.turn:
            return Code.NOT_YOUR_TURN
        return None

    def _may_replace_bid(self, seat: int) -> bool:
        bidders = self.deal.bidders
        return may_replace_bid(
            self.rules,
            kind=self.kind,
            bidders=bidders,
            made=len(self.sealed) or len(bidders) - self.deal.to_bid,
            seat=seat,
            card_played=bool(self.played),
        )

    def forbidden_bid_of(self, seat: int) -> int | None:
        own = self.deal.bids[seat]
        if own is None:
            return self.deal.forbidden_bid()
        return forbidden_bid(
            self.rules,
            size=self.size,
            others=self.deal.bid_sum - own,
            is_last=not self.deal.to_bid,
        )

    def is_called(self, card: int) -> bool:
        called = self.shared.duties.called_mask
        return bool(called) and bool(called & self.shared.bit[card])
