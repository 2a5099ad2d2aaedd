"""A whole match: deals, trump, bids, tricks and scores, from commands to events.

Every command is checked completely before anything changes. What is accepted becomes
entries of one log; secret bids and bid cards wait sealed, without an entry, until the
last of them is in. A `Match` sees everything: players see it through `view`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from engine.bidding import (
    Claim,
    bid_cards_value,
    legal_bids,
    refusal_of_amount,
)
from engine.cards import SUITS, card_text, is_card
from engine.course import Course
from engine.errors import Code, Refusal
from engine.events import BidAmended, BidMade, Cause
from engine.legality import CallRule, refusal_of_call, refusal_of_card
from engine.parameters import BidMode
from engine.phase import Phase
from engine.plan import BID_CARDS
from engine.position import SealedBid
from engine.trick import JokerCall

# Members of enumerations are slow to reach: these are asked for at every card.
_PLAYING: Final = Phase.PLAYING
_NO_CALL: Final = JokerCall.NONE

_CALL_MESSAGES: Final = {
    Code.CALL_REQUIRED: "a joker must be called high or low",
    Code.BAD_CALL: "a call is high or low",
    Code.CALL_FIXED: "the value of this joker is fixed, so it is not called",
    Code.CALL_NOT_ALLOWED: "only a joker is called, and only where jokers are",
}


class Match(Course):
    """Its attributes are those of the position after the last command."""

    __slots__ = ()

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
            if type(card) is not int or card not in hand:
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
        if card is None:
            self._refuse(Code.CARD_NOT_HELD, "no card is named, and this hand is open")
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
