"""A whole match: deals, trump, bids, tricks and scores, from commands to events.

Every command is checked completely before anything changes. What is accepted becomes
entries of one log; secret bids and bid cards wait sealed, without an entry, until the
last of them is in. A `Match` sees everything: players see it through `view`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NoReturn, TypeVar

from engine.bidding import (
    Claim,
    bid_cards_value,
    granted_premium,
    legal_bids,
    may_bid,
    refusal_of_amount,
)
from engine.cards import SUITS, TRUMP_UNKNOWN, card_text, is_card
from engine.codec import Log
from engine.deal import Deal
from engine.dealing import deal_out
from engine.errors import Code, Refusal
from engine.events import (
    KIND_NUMBER,
    BidAmended,
    BidCardsLaid,
    BidMade,
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
from engine.legality import CallRule, refusal_of_call, refusal_of_card
from engine.parameters import BidMode, DealKind, Settlement
from engine.phase import Phase
from engine.plan import (
    BID_CARDS,
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

# Members of enumerations are slow to reach: these are asked for at every card.
_PLAYING: Final = Phase.PLAYING
_NO_CALL: Final = JokerCall.NONE

_CALL_MESSAGES: Final = {
    Code.CALL_REQUIRED: "a joker must be called high or low",
    Code.BAD_CALL: "a call is high or low",
    Code.CALL_FIXED: "the value of this joker is fixed, so it is not called",
    Code.CALL_NOT_ALLOWED: "only a joker is called, and only where jokers are",
}


class Match(Position):
    """Its attributes are those of the position after the last command."""

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

    # Commands

    def start(self) -> None:
        """Deals the first cards; a match starts once."""
        if self.phase is not Phase.NOT_STARTED:
            self._refuse(Code.WRONG_PHASE, "the match has started already")
        self._begin_deal(1)

    def bid(self, seat: int, amount: object, cause: Cause = Cause.ANSWER) -> None:
        """A bid, or one in place of the seat's bid where that may be changed."""
        self._check_seat(seat)
        code = self.refusal_of_bidder(seat)
        if code is not None:
            self._refuse(code, self._why_no_bid(code, seat))
        forbidden = self.forbidden_bid_of(seat)
        code = refusal_of_amount(amount, size=self.size, forbidden=forbidden)
        if code is not None or not isinstance(amount, int):
            self._refuse(
                code or Code.BID_NOT_INTEGER,
                self._why_no_amount(amount, forbidden),
                legal_bids=legal_bids(self.size, forbidden),
            )
        if self.rules.bid_mode is BidMode.SIMULTANEOUS:
            self._seal(seat, SealedBid(amount, (), Claim.NONE, cause))
        elif self.deal.bids[seat] is None:
            self.deal.bid(amount)
            self._open_bid(seat, amount)
            self._append(cause, BidMade(seat, amount))
            if not self.deal.to_bid:
                self._begin_play()
        else:
            self.deal.amend_bid(seat, amount)
            self._open_bid(seat, amount)
            self._append(cause, BidAmended(seat, amount))

    def lay(
        self,
        seat: int,
        cards: Sequence[int],
        claim: object = None,
        cause: Cause = Cause.ANSWER,
    ) -> None:
        """Three bid cards, with a `Claim`; None claims nothing."""
        self._check_seat(seat)
        if self.phase is not Phase.BIDDING:
            self._refuse_phase("bid cards are laid before the play")
        if self.rules.bid_mode is not BidMode.BID_CARDS:
            self._refuse(Code.WRONG_BID_MODE, "bids are numbers at this table")
        if seat in self.sealed:
            self._refuse(Code.BID_LOCKED, "bid cards once laid are final")
        if len(cards) != BID_CARDS:
            self._refuse(
                Code.BAD_BID_CARDS, f"{len(cards)} cards; a bid is {BID_CARDS} cards"
            )
        hand = self.hands[seat][:]
        for card in cards:
            if card not in hand:
                self._refuse_not_held(card)
            hand.remove(card)
        granted = _claim(claim)
        if granted is None:
            self._refuse(
                Code.BAD_CLAIM, f"{claim!r} is no claim: nothing, declare or reveal"
            )
        bid = bid_cards_value(cards)
        self._seal(seat, SealedBid(bid, tuple(cards), granted, cause))

    def restore_sealed(self, sealed: Mapping[int, SealedBid]) -> None:
        """Takes secret bids that were accepted before, as `sealed_bids` gave them."""
        for seat, secret in sealed.items():
            if secret.cards:
                self.lay(seat, secret.cards, secret.claim, secret.cause)
            else:
                self.bid(seat, secret.bid, secret.cause)

    def choose_trump(
        self, seat: int, suit: object, cause: Cause = Cause.ANSWER
    ) -> None:
        """The dealer names one of the four suits."""
        self._check_seat(seat)
        if self.phase is not Phase.TRUMP_CHOICE:
            self._refuse_phase("the trump is not to be named")
        if seat != self.dealer:
            self._refuse_turn(f"seat {self.dealer}, the dealer, names the trump")
        if type(suit) is not int or suit not in SUITS:
            self._refuse(
                Code.BAD_TRUMP_CHOICE,
                f"{suit!r} is none of the four suits",
                legal_suits=SUITS,
            )
        self._make_trump(suit, seat=seat, cause=cause)
        self._begin_bidding()

    def play(
        self,
        seat: int,
        card: int | None,
        call: object = None,
        cause: Cause = Cause.ANSWER,
    ) -> None:
        """A card, with a `JokerCall` where a joker needs one.

        In a forehead deal the card is None, for the seat may not see it. Its call,
        where jokers are called, is for the case that the card is one.
        """
        if not self.forehead:
            self.play_face_up(seat, card, call, cause)
            return
        self._check_player(seat)
        if card is not None:
            self._refuse(
                Code.CARD_HIDDEN, "the seat may not see its card, so it names none"
            )
        self._check_call(self.joker_rule, call)
        hidden = self.hands[seat][0]
        value = self._call_in_force(call) if self.is_called(hidden) else _NO_CALL
        self._put_down(seat, hidden, value, cause)

    def play_face_up(
        self,
        seat: int,
        card: int | None,
        call: object = None,
        cause: Cause = Cause.ANSWER,
    ) -> None:
        """As `play`, for one who sees all cards: hidden ones are named as well."""
        self._check_player(seat)
        shared = self.shared
        bit = shared.bit.get(card, 0) if type(card) is int else 0
        if card is None or not (self._legal or self.legal_kinds()) & bit:
            self._refuse_card(seat, card, bit)
        value = _NO_CALL
        if bit & shared.duties.called_mask:
            self._check_call(self.joker_rule, call)
            value = self._call_in_force(call)
        elif call is not None and call is not _NO_CALL:
            self._check_call(CallRule.NONE, call)
        self._put_down(seat, card, value, cause)

    # What follows from commands

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
        if self.kind.is_misere:
            self.deal.open_bids([0] * self.players)
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

    # Checks

    def _check_seat(self, seat: object) -> None:
        if type(seat) is not int or not 0 <= seat < self.players:
            self._refuse(
                Code.BAD_SEAT, f"{seat!r} is no seat: seats are 0..{self.players - 1}"
            )

    def _check_player(self, seat: int) -> None:
        if seat == self.deal.turn and self.phase is _PLAYING and type(seat) is int:
            return
        self._check_seat(seat)
        if self.phase is not Phase.PLAYING:
            self._refuse_phase("no card is due")
        self._refuse_turn(f"seat {self.deal.turn} plays now")

    def _check_call(self, rule: CallRule, call: object) -> None:
        code = refusal_of_call(rule, call)
        if code is not None:
            self._refuse(code, _CALL_MESSAGES[code], call_rule=rule.name)

    # Refusals

    def _refuse(self, code: Code, message: str, **details: object) -> NoReturn:
        raise Refusal(code, message, details)

    def _refuse_phase(self, message: str) -> NoReturn:
        self._refuse(Code.WRONG_PHASE, message, phase=self.phase.name)

    def _refuse_turn(self, message: str) -> NoReturn:
        self._refuse(Code.NOT_YOUR_TURN, message, to_act=self.to_act())

    def _refuse_not_held(self, card: object) -> NoReturn:
        name = card_text(card) if type(card) is int and is_card(card) else repr(card)
        self._refuse(Code.CARD_NOT_HELD, f"{name} is not in the hand")

    def _refuse_card(self, seat: int, card: int | None, bit: int) -> NoReturn:
        deal = self.deal
        if card is None or not deal.held[seat] & bit:
            self._refuse_not_held(card)
        code = Code.OUT_OF_ORDER
        if deal.orders is None:
            code = refusal_of_card(
                self.shared.duties,
                deal.held[seat],
                self.shared.pack.kind[card],
                trump=deal.trump,
                suit=deal.suit,
            )
        legal = [card_text(other) for other in self.legal_cards(seat)]
        self._refuse(
            code,
            f"{card_text(card)} may not be played; legal: {' '.join(legal)}",
            legal_cards=legal,
        )

    def _why_no_bid(self, code: Code, seat: int) -> str:
        match code:
            case Code.WRONG_PHASE:
                return "no bid is due"
            case Code.WRONG_BID_MODE:
                return "bids are made with cards at this table"
            case Code.NOT_BIDDING:
                return f"seat {seat} takes no part in this bidding"
            case Code.BID_LOCKED:
                return f"the bid of seat {seat} cannot be changed any more"
            case _:
                return f"seat {self.deal.turn} bids now"

    def _why_no_amount(self, amount: object, forbidden: int | None) -> str:
        if type(amount) is int and amount == forbidden:
            return f"the last bidder may not bid {amount}: the bids would add up"
        return f"{amount!r} is no bid: whole numbers from 0 to {self.size}"


def _claim(value: object) -> Claim | None:
    """None for what is no claim."""
    if value is None:
        return Claim.NONE
    return value if isinstance(value, Claim) else None


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The same by seat, with another value for one."""
    return (*values[:seat], value, *values[seat + 1 :])
