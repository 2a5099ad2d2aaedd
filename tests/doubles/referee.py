"""The rules of what is refused, and with which code, said once more in plain loops.

Nothing here uses the engine's sets of bits, tables or questions about legality: only
the cards that lie where, and the text of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.bidding import Claim
from engine.cards import card_suit, card_text, is_card
from engine.errors import Code
from engine.events import BidState
from engine.match import Match
from engine.phase import Phase
from engine.trick import JokerCall

SPANISH = ("2", "4", "5", "6", "7", "S", "C", "R", "3", "A")
FRENCH = "23456789TJQKA"
HAS_BID = (BidState.HIDDEN, BidState.OPEN)


class Played(NamedTuple):
    """A card on the table; the call is that of a joker where jokers are called."""

    card: int
    call: JokerCall


class Referee:
    """Judges commands to a match by the text of its rules."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rules = match.rules
        # Seats that bid, in order.
        seats = [(match.dealer + 1 + i) % match.players for i in range(match.players)]
        states = match.bid_states
        silent = (BidState.NO_PART, BidState.MISERE)
        self.order = [seat for seat in seats if states[seat] not in silent]
        self.made = [seat for seat in self.order if states[seat] in HAS_BID]
        self.trick = self._trick()

    def _trick(self) -> list[Played]:
        """The cards of the unfinished trick."""
        match = self.match
        calls = [*match.joker_calls]
        shown = [
            Played(card, calls.pop(0) if self.is_called(card) else JokerCall.NONE)
            for card in match.plays
        ]
        return shown[max(len(match.leaders) - 1, 0) * match.players :]

    # Kinds of cards

    def is_called(self, card: int) -> bool:
        return self.rules.joker_mode == "high_low" and card_text(card)[0] == "X"

    def is_special(self, card: int) -> bool:
        """Whether it stands outside the suits that are followed."""
        return self.is_called(card) or card_suit(card) == 0

    def strength(self, card: int) -> int:
        rank = card_text(card)[0]
        if card_suit(card) == 5:
            return 0
        spanish = self.rules.rank_order == "spanish_A3"
        return SPANISH.index(rank) if spanish else FRENCH.index(rank)

    # Tricks

    def led_suit(self, trick: Sequence[Played]) -> int | None:
        """None while nothing is to be followed."""
        for card, _ in trick:
            if card_text(card)[0] == "W":
                return None
            if not self.is_special(card):
                return card_suit(card)
        return None

    def winner(self, trick: Sequence[Played]) -> int:
        """Place of the card that takes the trick."""
        texts = [card_text(card) for card, _ in trick]
        for place, text in enumerate(texts):
            if text[0] == "W" or trick[place].call is JokerCall.HIGH:
                return place
        suited = [i for i, (card, _) in enumerate(trick) if not self.is_special(card)]
        if not suited:
            return 0  # the first of low jokers or jesters
        trumps = [i for i in suited if card_suit(trick[i].card) == self.match.trump]
        led = self.led_suit(trick)
        best = trumps or [i for i in suited if card_suit(trick[i].card) == led]
        most = max(self.strength(trick[i].card) for i in best)
        top = [i for i in best if self.strength(trick[i].card) == most]
        jokers = card_suit(trick[top[0]].card) == 5
        last = self.rules.duplicate_winner == "last" and not jokers
        return top[-1] if last else top[0]

    def beats_the_table(self, card: int) -> bool:
        now = [*self.trick, Played(card, JokerCall.NONE)]
        return self.winner(now) == len(now) - 1

    def why_not_playable(self, seat: int, card: int) -> Code | None:
        """Of a card that is held."""
        hand = self.match.hands[seat]
        if self.match.kind == "blind_in_order":
            return None if card == hand[0] else Code.OUT_OF_ORDER
        suited = [held for held in hand if not self.is_special(held)]
        if self.is_special(card):
            early = len(self.match.leaders) == 1 or not self.trick
            if self.is_called(card) and suited and early:
                return Code.JOKER_NOT_ALLOWED
            return None
        led = self.led_suit(self.trick)
        if led is None:
            return None
        follow = [held for held in suited if card_suit(held) == led]
        if follow:
            if card_suit(card) != led:
                return Code.MUST_FOLLOW
            able = self.rules.must_head and any(map(self.beats_the_table, follow))
            return Code.MUST_HEAD if able and not self.beats_the_table(card) else None
        trumps = [held for held in suited if card_suit(held) == self.match.trump]
        if not (self.rules.must_trump and trumps):
            return None
        if card not in trumps:
            return Code.MUST_TRUMP
        able = self.rules.must_overtrump and any(map(self.beats_the_table, trumps))
        return Code.MUST_OVERTRUMP if able and not self.beats_the_table(card) else None

    def why_not_called(self, *, is_joker: bool, call: object) -> Code | None:
        made = call is not None and call is not JokerCall.NONE
        if not is_joker:
            return Code.CALL_NOT_ALLOWED if made else None
        whole_deal = self.rules.joker_opposite_scope == "deal"
        in_trick = any(self.is_called(card) for card, _ in self.trick)
        if in_trick or (whole_deal and self.match.joker_calls):
            return Code.CALL_FIXED if made else None
        if not made:
            return Code.CALL_REQUIRED
        return None if isinstance(call, JokerCall) else Code.BAD_CALL

    # Commands

    def is_seat(self, seat: object) -> bool:
        return type(seat) is int and 0 <= seat < self.match.players

    def bid(self, seat: int, amount: object) -> Code | None:
        match, rules = self.match, self.rules
        with_cards = rules.bid_mode == "bid_cards"
        before_lead = match.phase is Phase.PLAYING and not match.plays
        if not self.is_seat(seat):
            return Code.BAD_SEAT
        if match.phase is not Phase.BIDDING and (with_cards or not before_lead):
            return Code.WRONG_PHASE
        if with_cards:
            return Code.WRONG_BID_MODE
        if seat not in self.order:
            return Code.NOT_BIDDING
        in_turn = rules.bid_mode == "turn"
        if seat in self.made and not self.may_replace(seat):
            return Code.BID_LOCKED
        if seat not in self.made and in_turn and seat != self.order[len(self.made)]:
            return Code.NOT_YOUR_TURN
        if type(amount) is not int:
            return Code.BID_NOT_INTEGER
        if not 0 <= amount <= match.size:
            return Code.BID_OUT_OF_RANGE
        others = sum(match.amounts[other] for other in self.made if other != seat)
        hooked = rules.hook and in_turn and match.size >= rules.hook_min_cards
        if hooked and seat == self.order[-1] and others + amount == match.size:
            return Code.BID_HOOKED
        return None

    def may_replace(self, seat: int) -> bool:
        if self.rules.bid_mode == "simultaneous":
            return len(self.made) < len(self.order)
        if seat != self.made[-1]:
            return False
        if len(self.made) < len(self.order):
            return self.rules.bid_amend == "until_next_bid"
        late = self.match.kind in ("guess_trump", "blind", "blind_in_order")
        return self.rules.last_bid_amend == "until_first_lead" and not late

    def lay(self, seat: int, cards: Sequence[int], claim: object) -> Code | None:
        match = self.match
        if not self.is_seat(seat):
            return Code.BAD_SEAT
        if match.phase is not Phase.BIDDING:
            return Code.WRONG_PHASE
        if self.rules.bid_mode != "bid_cards":
            return Code.WRONG_BID_MODE
        if seat in self.made:
            return Code.BID_LOCKED
        if len(cards) != 3:
            return Code.BAD_BID_CARDS
        hand = match.hands[seat]
        if any([*cards].count(card) > hand.count(card) for card in cards):
            return Code.CARD_NOT_HELD
        is_claim = claim is None or isinstance(claim, Claim)
        return None if is_claim else Code.BAD_CLAIM

    def choose_trump(self, seat: int, suit: object) -> Code | None:
        if not self.is_seat(seat):
            return Code.BAD_SEAT
        if self.match.phase is not Phase.TRUMP_CHOICE:
            return Code.WRONG_PHASE
        if seat != self.match.dealer:
            return Code.NOT_YOUR_TURN
        is_suit = type(suit) is int and 1 <= suit <= 4
        return None if is_suit else Code.BAD_TRUMP_CHOICE

    def play(self, seat: int, card: object, call: object) -> Code | None:
        match = self.match
        if not self.is_seat(seat):
            return Code.BAD_SEAT
        if match.phase is not Phase.PLAYING:
            return Code.WRONG_PHASE
        if seat != (match.leaders[-1] + len(self.trick)) % match.players:
            return Code.NOT_YOUR_TURN
        if match.forehead:
            if card is not None:
                return Code.CARD_HIDDEN
            # The call is for the case that the card is a joker.
            jokers = self.rules.joker_mode == "high_low"
            return self.why_not_called(is_joker=jokers, call=call)
        if type(card) is not int or not is_card(card):
            return Code.CARD_NOT_HELD
        if card not in match.hands[seat]:
            return Code.CARD_NOT_HELD
        return self.why_not_playable(seat, card) or self.why_not_called(
            is_joker=self.is_called(card), call=call
        )
