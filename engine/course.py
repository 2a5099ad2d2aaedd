"""The course of a match: what follows from each command, entry by entry.

Deals, trump, the opening of secret bids, tricks, scores and the end. Whatever reaches
this module has been checked; `match` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from engine.bidding import Claim, granted_premium, may_bid
from engine.cards import TRUMP_UNKNOWN
from engine.codec import Log
from engine.deal import Deal
from engine.dealing import deal_out
from engine.events import (
    KIND_NUMBER,
    BidCardsLaid,
    BidsOpened,
    BidState,
    CardPlayed,
    CardsShown,
    Cause,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    ShownWhy,
    TrumpMade,
    joined,
)
from engine.parameters import BidMode, DealKind, Settlement
from engine.phase import Phase
from engine.plan import (
    cards_dealt,
    dealer_of,
    is_forced_no_trump,
    is_forehead,
    kind_of,
)
from engine.position import Position, Result, SealedBid
from engine.rules import Rules
from engine.scoring import successes
from engine.settlement import exact_shares, whole_shares
from engine.totals import Next, new_total, next_after, ranks, winners
from engine.trick import JokerCall
from engine.trump import decide_trump
from engine.visibility import hides_only_hands

T = TypeVar("T")

Decks = Callable[[int], Sequence[int]]


class Course(Position):
    """A position that goes on, and the log of how it came about."""

    __slots__ = ("_decks", "_log")

    def __init__(
        self, rules: Rules, players: int, *, first_dealer: int, decks: Decks
    ) -> None:
        """Rules must be legal for the players.

        `decks` gives the whole pack of a deal as card codes, the first one dealt first.
        """
        super().__init__(rules, players, first_dealer)
        self._decks = decks
        self._log = Log()

    @property
    def log(self) -> Log:
        return self._log

    def entry(self, seq: int) -> Entry:
        """IndexError for a number that is not there."""
        return self._log.entry(seq)

    def entries(self, after: int = 0) -> list[Entry]:
        """Those with higher numbers than `after`, in order."""
        return list(self._log.entries(after))

    def use_decks(self, decks: Decks) -> None:
        """Takes later deals from somewhere else."""
        self._decks = decks

    def _append(self, cause: Cause, event: Event) -> None:
        self._log.append(cause, event)
        self.seq += 1

    def _begin_deal(self, number: int) -> None:
        rules = self.rules
        self.deal_no = number
        self.size = self.plan.size(number)
        self.kind = kind_of(rules, self.plan, number)
        self.kind_number = KIND_NUMBER[self.kind]
        self.dealer = dealer_of(
            number, first_dealer=self.first_dealer, players=self.players
        )
        self.extra = self.plan.is_extra(number)
        self.forehead = is_forehead(rules, self.plan, number)
        self.hides_only_hands = hides_only_hands(
            self.kind, rules.bid_mode, forehead=self.forehead
        )
        deck = self._decks(number)
        if sorted(deck) != self.shared.deck:
            raise ValueError(
                f"the deck of deal {number} is not the pack {self.shared.pack.name}"
            )
        self._clear()
        self._deal_out(deck)
        if not self._hides_upcard:
            self._announce_trump()
        if self.phase is not Phase.TRUMP_CHOICE:
            self._begin_bidding()

    def _deal_out(self, deck: Sequence[int]) -> None:
        rules = self.rules
        pack = self.shared.pack
        dealt, undealt = deal_out(
            deck,
            dealer=self.dealer,
            players=self.players,
            size=cards_dealt(rules, self.size),
        )
        self.decision = decide_trump(
            rules,
            deal=self.deal_no,
            forced_no_trump=is_forced_no_trump(rules, self.plan, self.deal_no),
            successes=self.successes,
            undealt=undealt,
            last_dealt=dealt[self.dealer][-1],
        )
        in_order = self.kind is DealKind.BLIND_IN_ORDER
        if pack.twice_mask:
            masks = [pack.hand(hand) for hand in dealt]
        else:
            # The same without a look at every card: the deck is known to be the pack.
            bit = self.shared.bit
            masks = [(sum([bit[card] for card in hand]), 0) for hand in dealt]
        self.deal = Deal.begin(
            self.shared,
            [held for held, _ in masks],
            [twice for _, twice in masks],
            size=self.size,
            dealer=self.dealer,
            trump=TRUMP_UNKNOWN,
            bidders=self._bidders(),
        )
        if self.kind.is_misere:
            self.deal.open_bids([0] * self.players)
        if in_order:
            self.hands = [list(hand) for hand in dealt]
            self.deal.orders = [[pack.kind[card] for card in hand] for hand in dealt]
        else:
            # Kinds are numbered by strength.
            self.hands = [sorted(hand, key=pack.kind.__getitem__) for hand in dealt]
        self.phase = Phase.BIDDING
        self._append(
            Cause.RULES,
            Dealt(
                self.deal_no,
                self.kind_number,
                self.dealer,
                self.size,
                self.extra,
                self.forehead,
                *joined(dealt),
            ),
        )

    def _bidders(self) -> list[int]:
        order = self.shared.bid_orders[self.dealer]
        if self.kind.is_misere:
            self.bid_states = (BidState.MISERE,) * self.players
            return []
        bidders = [s for s in order if may_bid(self.rules, self.scores[s])]
        if len(bidders) < self.players:
            self.bid_states = tuple(
                [
                    BidState.NOT_YET if seat in bidders else BidState.NO_PART
                    for seat in range(self.players)
                ]
            )
        return bidders

    @property
    def _hides_upcard(self) -> bool:
        return self.kind.hides_upcard and self.decision.upcard is not None

    def _announce_trump(self) -> None:
        decision = self.decision
        if decision.shown is not None:
            self.shown_card = decision.shown
            self._show_hands(ShownWhy.DEALER_LAST_CARD, {self.dealer: [decision.shown]})
        self.upcard = decision.upcard or 0
        if decision.dealer_names:
            self.phase = Phase.TRUMP_CHOICE
        self._make_trump(decision.trump, seat=None, cause=Cause.RULES)

    def _make_trump(self, trump: int, *, seat: int | None, cause: Cause) -> None:
        self.trump = trump
        self.deal.trump = trump
        self._append(cause, TrumpMade(trump, self.upcard, seat))

    def _show_hands(self, why: ShownWhy, cards: Mapping[int, Iterable[int]]) -> None:
        by_seat = [tuple(cards.get(seat, ())) for seat in range(self.players)]
        self._append(Cause.RULES, CardsShown(why, *joined(by_seat)))

    def _begin_bidding(self) -> None:
        self.phase = Phase.BIDDING
        if not self.deal.bidders:
            self._begin_play()

    def _open_bid(self, seat: int, amount: int) -> None:
        self.amounts = _with(self.amounts, seat, amount)
        self.bid_states = _with(self.bid_states, seat, BidState.OPEN)

    def _seal(self, seat: int, secret: SealedBid) -> None:
        self.sealed[seat] = secret
        if secret.cards:
            self.laid[seat] = secret.cards
            self.claims[seat] = secret.claim
            for card in secret.cards:
                self.hands[seat].remove(card)
                self.deal.remove(seat, self.shared.pack.kind[card])
        self.bid_states = _with(self.bid_states, seat, BidState.HIDDEN)
        if len(self.sealed) == len(self.deal.bidders):
            self._open_sealed()

    def _open_sealed(self) -> None:
        secrets = self.sealed
        self.sealed = {}
        # Whoever came last, the entry says if one of them did not answer.
        cause = max([secret.cause for secret in secrets.values()])
        self.deal.open_bids(
            [
                secrets[seat].bid if seat in secrets else None
                for seat in range(self.players)
            ]
        )
        if self.rules.bid_mode is BidMode.SIMULTANEOUS:
            for seat, secret in secrets.items():
                self._open_bid(seat, secret.bid)
            self._append(cause, BidsOpened(self.amounts, self.bid_states))
        else:
            self._grant_premium(cause)
        self._begin_play()

    def _grant_premium(self, cause: Cause) -> None:
        premium = granted_premium(self.claims, dealer=self.dealer)
        self.premium = premium
        claims = tuple([int(claim) for claim in self.claims])
        seat = None if premium is None else premium.seat
        kind = Claim.NONE if seat is None else self.claims[seat]
        self._append(cause, BidCardsLaid(*joined(self.laid), seat, kind, claims))
        if seat is None:
            return
        self._open_bid(seat, self.deal.bids[seat] or 0)
        if kind is Claim.REVEAL:
            self._show_hands(ShownWhy.REVEAL, {seat: self.hands[seat]})

    def _begin_play(self) -> None:
        if self._hides_upcard:
            self._announce_trump()
        if self.kind.hides_hands:
            why = ShownWhy.FOREHEAD if self.forehead else ShownWhy.BIDS_IN
            self._show_hands(why, dict(enumerate(self.hands)))
        self.phase = Phase.PLAYING
        self.leaders = (self.deal.turn,)
        self._note_what_lies_open()

    def _note_what_lies_open(self) -> None:
        self.lies_open = bool(
            self.forehead or self.premium is not None or self.shown_card
        )

    def _put_down(self, seat: int, card: int, value: JokerCall, cause: Cause) -> None:
        """Whatever is asked of a play has been checked."""
        deal = self.deal
        deal.play(self.shared.pack.kind[card], value)
        self._legal = 0
        self.hands[seat].remove(card)
        self.played.append(card)
        if value:
            self.joker_calls += (value,)
            self._append(cause, CardPlayed(seat, card, value))
        else:
            self._log.append_play(cause, seat, card)
            self.seq += 1
        if card == self.shown_card and seat == self.dealer:
            self.shown_card = 0
            self._note_what_lies_open()
        if not deal.on_table:
            self._end_trick()

    def _end_trick(self) -> None:
        deal = self.deal
        self.tricks = tuple(deal.tricks)
        self._log.append_trick(Cause.RULES, deal.turn)
        self.seq += 1
        if deal.left:
            self.leaders += (deal.turn,)
        else:
            self._score_deal()

    def _call_in_force(self, call: object) -> JokerCall:
        """Of a joker: the call made for it, or what an earlier call leaves."""
        if isinstance(call, JokerCall) and call is not JokerCall.NONE:
            return call
        return self.deal.called.opposite

    def _score_deal(self) -> None:
        deal = self.deal
        points = deal.points(self.premium)
        self.successes = successes(deal.bids, deal.tricks)
        self.scores = tuple(
            [
                new_total(self.rules, old, gained)
                for old, gained in zip(self.scores, points, strict=True)
            ]
        )
        self._append(Cause.RULES, DealScored(self.tricks, tuple(points), self.scores))
        if next_after(self.rules, self.plan, self.deal_no, self.scores) is Next.OVER:
            self._end_match()
        else:
            self._begin_deal(self.deal_no + 1)

    def _end_match(self) -> None:
        rules = self.rules
        self.phase = Phase.OVER
        self.result = Result(
            self.scores, winners(rules, self.scores), ranks(rules, self.scores)
        )
        exact: tuple[str, ...] = ()
        whole: tuple[int, ...] = ()
        if rules.settlement is not Settlement.NONE:
            stake = rules.stake_per_point
            exact = tuple([str(share) for share in exact_shares(self.scores, stake)])
            whole = tuple(whole_shares(self.scores, stake))
        self._append(Cause.RULES, MatchEnded(*self.result, exact, whole))


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The same by seat, with another value for one."""
    return (*values[:seat], value, *values[seat + 1 :])
