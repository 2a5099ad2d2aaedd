"""What a view says about cards it does not show.

Every place that holds unseen cards, with the room it has and the kinds that cannot be
there; every unseen card, with the places open to it; and the deal as far as it is
known. All of it follows from one view and the rules: earlier views add nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import TRUMP_UNKNOWN, cards_text
from engine.deal import Deal, deal_rules
from engine.errors import EngineError, NotationError
from engine.events import KIND_OF_NUMBER, BidState, split_by_seat
from engine.pack import BIT
from engine.parameters import BidMode, DealKind, TurnupJoker
from engine.phase import Phase
from engine.plan import BID_CARDS, cards_dealt, deal_plan, turns_card_up
from engine.rules import Rules
from engine.trick import JokerCall
from engine.view import View
from engine.worlds.inference import ruled_out

_DEAL_IS_ON: Final = (Phase.TRUMP_CHOICE, Phase.BIDDING, Phase.PLAYING)


class NoWorld(EngineError):
    """No cards could lie as the view says; the message names the contradiction."""


class Place(NamedTuple):
    """`room` is for unseen cards; `known` are the codes that are certain to be there.

    `never` are the kinds that cannot be among the unseen ones.
    """

    room: int
    never: int
    known: tuple[int, ...]


class Knowledge:
    """Of one view, under the rules of its match; NoWorld where they disagree.

    `places` are the hands by seat, the bid cards laid by seat, the card turned up and
    the stock, in this order. `unseen` are kinds, one for each card. `pinned` is the
    dealer's last card where it lies open and either in its hand or among its bid cards.
    """

    def __init__(self, rules: Rules, view: View) -> None:
        if view.phase not in _DEAL_IS_ON:
            raise ValueError("worlds are those of a deal that is being played")
        self.rules: Final = rules
        self.view: Final = view
        self.players: Final = len(view.tricks)
        self.shared: Final = deal_rules(rules, self.players)
        self.pack: Final = self.shared.pack
        self.kind: Final = KIND_OF_NUMBER[view.deal_kind]
        self.in_order: Final = self.kind is DealKind.BLIND_IN_ORDER
        self.has_laid: Final = [self._laid(seat) for seat in range(self.players)]
        self.never: Final = [0] * self.players
        try:
            self.deal: Final = self._played()
            hands, laid, self.pinned = self._open_cards()
            self.turns_up: Final = self._turns_up()
            self.places: Final = self._places(hands, laid)
            self.unseen: Final = self._unseen()
        except NotationError as error:
            raise NoWorld(str(error)) from None

    # Names of places

    def hand(self, seat: int) -> int:
        return seat

    def laid(self, seat: int) -> int:
        return self.players + seat

    @property
    def upcard(self) -> int:
        return 2 * self.players

    @property
    def stock(self) -> int:
        return 2 * self.players + 1

    # The deal so far

    def _laid(self, seat: int) -> bool:
        return self.rules.bid_mode is BidMode.BID_CARDS and (
            self.view.bid_states[seat] in (BidState.HIDDEN, BidState.OPEN)
        )

    def _played(self) -> Deal:
        """The deal as it stands, but in every hand only what was played from it."""
        view = self.view
        kind = self.pack.kind
        by_seat = self._plays_by_seat()
        masks = [self.pack.hand(cards) for cards in by_seat]
        deal = Deal.begin(
            self.shared,
            [held for held, _ in masks],
            [twice for _, twice in masks],
            size=view.size,
            dealer=view.dealer,
            trump=view.trump,
            bidders=self._bidders(),
        )
        if self.in_order:
            deal.orders = [[kind[card] for card in cards] for cards in by_seat]
        self._bid(deal)
        calls = iter(view.joker_calls)
        for card in view.plays:
            self._play(deal, card, calls)
        if tuple(deal.tricks) != view.tricks:
            raise NoWorld(f"the tricks are {deal.tricks}, the view says {view.tricks}")
        return deal

    def _plays_by_seat(self) -> list[list[int]]:
        view = self.view
        by_seat: list[list[int]] = [[] for _ in range(self.players)]
        for number, card in enumerate(view.plays):
            trick, place = divmod(number, self.players)
            if trick >= len(view.leaders):
                raise NoWorld(f"trick {trick + 1} has no leader")
            by_seat[(view.leaders[trick] + place) % self.players].append(card)
        return by_seat

    def _bidders(self) -> list[int]:
        """Seats whose bids are known first: no others can have been made."""
        states = self.view.bid_states
        order = [
            seat
            for seat in self.shared.bid_orders[self.view.dealer]
            if states[seat] not in (BidState.NO_PART, BidState.MISERE)
        ]
        if self.rules.bid_mode is BidMode.TURN:
            return order
        return sorted(order, key=lambda seat: states[seat] is not BidState.OPEN)

    def _bid(self, deal: Deal) -> None:
        view = self.view
        if self.kind.is_misere:
            deal.open_bids([0] * self.players)
        elif view.phase == Phase.PLAYING:
            deal.open_bids(
                [
                    amount if state == BidState.OPEN else None
                    for amount, state in zip(view.bids, view.bid_states, strict=True)
                ]
            )
        else:
            for seat in deal.bidders:
                if view.bid_states[seat] == BidState.OPEN:
                    deal.bid(view.bids[seat])

    def _play(self, deal: Deal, card: int, calls: Iterator[int]) -> None:
        k = self.pack.kind[card]
        seat = deal.turn
        duties = self.shared.duties
        trick = deal.size + 1 - deal.left
        if not deal.on_table and self.view.leaders[trick - 1] != seat:
            raise NoWorld(f"seat {seat} has to lead trick {trick}")
        if not deal.legal_cards() & BIT[k]:
            raise NoWorld(f"{cards_text([card])} broke a rule in trick {trick}")
        if deal.orders is None:
            self.never[seat] |= ruled_out(
                duties, k, deal.trump, deal.suit, deal.beats, trick
            )
        call = JokerCall.NONE
        if duties.called_mask & BIT[k]:
            call = JokerCall(next(calls, JokerCall.NONE))
            if not call:
                raise NoWorld(f"{cards_text([card])} was played without its call")
        deal.play(k, call)

    # What is where

    def _open_cards(self) -> tuple[list[list[int]], list[list[int]], int]:
        """Cards known to be in hands, cards known to be laid, and the pinned one."""
        view = self.view
        hands: list[list[int]] = []
        laid: list[list[int]] = []
        pinned = 0
        shown = split_by_seat(view.shown_cards, view.shown_counts)
        for seat, cards in enumerate(shown):
            if seat == view.seat:
                hands.append([*cards, *view.hand])
                laid.append([*view.bid_cards])
            elif not self.has_laid[seat]:
                hands.append([*cards])
                laid.append([])
            elif len(cards) < BID_CARDS:
                # The dealer's last card, of which nobody saw whether it was laid.
                hands.append([])
                laid.append([])
                pinned = cards[0] if cards else pinned
            else:
                hands.append([*cards[BID_CARDS:]])
                laid.append([*cards[:BID_CARDS]])
        return hands, laid, pinned

    def _turns_up(self) -> bool:
        """Whether a card is turned up, be it hidden for the time being."""
        view = self.view
        return bool(view.upcard) or (
            self.kind.hides_upcard and view.trump == TRUMP_UNKNOWN
        )

    def _places(
        self, hands: list[list[int]], laid: list[list[int]]
    ) -> tuple[Place, ...]:
        redraws = self.rules.turnup_joker is TurnupJoker.REDRAW
        jokers = self.pack.joker_mask if redraws else 0
        dealt = cards_dealt(self.rules, self.view.size)
        stock = self.pack.size - self.players * dealt - self.turns_up
        upcard = [self.view.upcard] if self.view.upcard else []
        # Where none was turned up although there was a stock, it is all jokers.
        only_jokers = redraws and self._might_turn_up() and not self.turns_up
        return (
            *[
                self._place(f"seat {seat}", size, self.never[seat], hands[seat])
                for seat, size in enumerate(self._hand_sizes())
            ],
            *[
                self._place(f"the bid of seat {seat}", BID_CARDS * has, 0, laid[seat])
                for seat, has in enumerate(self.has_laid)
            ],
            self._place("the upcard", int(self.turns_up), jokers, upcard),
            self._place(
                "the stock",
                stock,
                self.pack.all_mask & ~jokers if only_jokers else 0,
                [],
            ),
        )

    def _might_turn_up(self) -> bool:
        plan = deal_plan(self.rules, self.players)
        return turns_card_up(self.rules, plan, self.view.deal, players=self.players)

    def _hand_sizes(self) -> list[int]:
        dealt = cards_dealt(self.rules, self.view.size)
        sizes = [dealt - BID_CARDS * has for has in self.has_laid]
        for seat, cards in enumerate(self._plays_by_seat()):
            sizes[seat] -= len(cards)
        return sizes

    def _place(self, name: str, size: int, never: int, known: list[int]) -> Place:
        self.pack.hand(known)
        wrong = [card for card in known if never & BIT[self.pack.kind[card]]]
        if wrong:
            raise NoWorld(
                f"{name} cannot hold {cards_text(wrong)} after what it played"
            )
        if len(known) > size:
            raise NoWorld(f"{name} holds {size} cards, not {cards_text(known)}")
        return Place(size - len(known), never, tuple(known))

    def _unseen(self) -> tuple[int, ...]:
        left = Counter(self.pack.codes())
        left.subtract(self.view.plays)
        for place in self.places:
            left.subtract(place.known)
        twice = [card for card, number in left.items() if number < 0]
        if twice:
            raise NoWorld(f"seen more often than it is there: {cards_text(twice)}")
        return tuple([self.pack.kind[card] for card in left.elements()])
