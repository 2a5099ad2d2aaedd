"""Deals played to their end: by chance, or by seats that go for their own bids.

A playout changes the deal it is given: search copies the deal first. Identical cards
are one kind, so chance picks among kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from engine.cards import NO_TRUMP, TRUMP_UNKNOWN
from engine.deal import Deal, DealRules
from engine.pack import BIT, Pack, kinds_in
from engine.trick import JokerCall, TrickTables
from engine.worlds.chance import Dice

if TYPE_CHECKING:
    from mypy_extensions import i64


class Policy(Protocol):
    """Decides for the seat on turn; both are asked about legal sets that are not empty.

    `card` is a kind; `call` is asked for a joker whose value is open.
    """

    def bid(self, deal: Deal, dice: Dice) -> int: ...

    def card(self, deal: Deal, legal: int, dice: Dice) -> int: ...

    def call(self, deal: Deal, dice: Dice) -> JokerCall: ...


class ByChance:
    """All legal bids, cards and calls alike."""

    def bid(self, deal: Deal, dice: Dice) -> int:
        return dice.one_of(deal.legal_bids())

    def card(self, deal: Deal, legal: int, dice: Dice) -> int:
        return dice.one_of(legal)

    def call(self, deal: Deal, dice: Dice) -> JokerCall:
        return JokerCall.LOW if dice.roll(2) else JokerCall.HIGH


class ByIntent:
    """Every seat wants tricks until it has its bid, and none from then on.

    A seat whose bid is lost either way wants all it can get. Who wants a trick plays
    the strongest winner, the last to play the weakest; who does not plays the strongest
    card that loses. `slips` of 1,000 cards are played by chance, so that playouts of
    the same world differ.
    """

    __slots__ = ("_slips",)

    def __init__(self, slips: int = 100) -> None:
        if not 0 <= slips <= 1000:
            raise ValueError(f"{slips} slips: 0 to 1000 of 1000 cards are by chance")
        self._slips = slips

    def bid(self, deal: Deal, dice: Dice) -> int:
        """The legal bid nearest to the number of trumps and top cards."""
        pack = deal.shared.pack
        held = deal.held[deal.turn]
        trumps = held & pack.suit_mask[deal.trump]
        worth = (trumps | held & _tops(pack)).bit_count()
        legal = deal.legal_bids()
        # The hook takes one amount at most: a neighbour is always open.
        if not legal & BIT[worth]:
            worth += 1 if worth < deal.size else -1
        return worth

    def card(self, deal: Deal, legal: int, dice: Dice) -> int:
        if self._slips and dice.roll(1000) < self._slips:
            return dice.one_of(legal)
        strength = _strengths(deal.shared.tables)[deal.trump]
        wants = _wants(deal)
        if not deal.on_table:
            return _strongest(legal, strength) if wants else _weakest(legal, strength)
        winning = legal & deal.beats
        losing = legal & ~deal.beats
        if wants:
            if not winning:
                return _weakest(legal, strength)
            is_last = deal.on_table == deal.shared.players - 1
            return (_weakest if is_last else _strongest)(winning, strength)
        return _strongest(losing, strength) if losing else _weakest(winning, strength)

    def call(self, deal: Deal, dice: Dice) -> JokerCall:
        return JokerCall.HIGH if _wants(deal) else JokerCall.LOW


def _wants(deal: Deal) -> bool:
    """Whether one more trick is welcome to the seat on turn."""
    bid = deal.bids[deal.turn]
    if bid is None:
        return True
    needed = bid - deal.tricks[deal.turn]
    return needed > 0 or (needed < 0 and bid > 0)


@cache
def _strengths(tables: TrickTables) -> tuple[tuple[int, ...], ...]:
    """By trump and kind: how many kinds it would take a trick from."""
    return tuple(
        [
            tuple(
                [sum([1 for other in row if other & BIT[k]]) for k in range(len(row))]
            )
            for row in tables.beats
        ]
    )


@cache
def _tops(pack: Pack) -> int:
    """Kinds that nothing beats in their own suit."""
    tops = sum([BIT[k] for k, higher in enumerate(pack.higher) if not higher])
    return tops & ~pack.jester_mask


def _strongest(kinds: int, strength: Sequence[int]) -> int:
    return max(kinds_in(kinds), key=strength.__getitem__)


def _weakest(kinds: int, strength: Sequence[int]) -> int:
    return min(kinds_in(kinds), key=strength.__getitem__)


def play_out(deal: Deal, policy: Policy, dice: Dice) -> None:
    """Every seat decides by the same policy until the last trick is taken.

    ValueError while the dealer has to name the trump.
    """
    if deal.trump == TRUMP_UNKNOWN:
        raise ValueError("the trump is not known: whoever plays out sets it first")
    while deal.to_bid:
        deal.bid(policy.bid(deal, dice))
    called = deal.shared.duties.called_mask
    while deal.left:
        k = policy.card(deal, deal.legal_cards(), dice)
        if called & BIT[k]:
            deal.play(k, deal.called.opposite or policy.call(deal, dice))
        else:
            deal.play(k)


def play_out_by_chance(deal: Deal, dice: Dice) -> None:
    """As `play_out` with `ByChance`, at the price of the moves alone."""
    if deal.shared.duties.called_mask or deal.trump == TRUMP_UNKNOWN:
        play_out(deal, ByChance(), dice)
        return
    while deal.to_bid:
        deal.bid(dice.one_of(deal.legal_bids()))
    while deal.left:
        deal.play(dice.one_of(deal.legal_cards()))


def dealt(shared: DealRules, size: int, dice: Dice) -> Deal:
    """A deal of its own: dealer, cards and the card turned up by chance.

    For training and measurements without a match. Trump is the suit of the card turned
    up; there is none where the whole pack is dealt or that card has no suit.
    """
    pack = shared.pack
    cards = _all_cards(pack)[:]
    left: i64 = len(cards)
    held: list[int] = []
    twice: list[int] = []
    for _ in range(shared.players):
        one: i64 = 0
        two: i64 = 0
        for _ in range(size):
            place = dice.roll(left)
            left -= 1
            bit: i64 = BIT[cards[place]]
            cards[place] = cards[left]
            two |= one & bit
            one |= bit
        held.append(one)
        twice.append(two)
    up = pack.suit[cards[dice.roll(left)]] if left else 0
    return Deal.begin(
        shared,
        held,
        twice,
        size=size,
        dealer=dice.roll(shared.players),
        trump=up or NO_TRUMP,
    )


@cache
def _all_cards(pack: Pack) -> list[int]:
    """The kind of every card."""
    return [k for k, copies in enumerate(pack.copies) for _ in range(copies)]
