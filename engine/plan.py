"""The deals of a match: how many, of what size, who deals, and what is special.

A plan is kept as runs of equal hand sizes, so that neither an open-ended plan nor one
of a million deals takes room.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Final

from engine.parameters import (
    BidMode,
    DealKind,
    DealShape,
    Forehead,
    FullPackTrump,
    NoTrumpDeals,
    TrumpMethod,
)

if TYPE_CHECKING:
    from engine.rules import Rules

BID_CARDS: Final = 3


class Plan:
    """Scheduled deals, numbered from 1; deals beyond `length` are extra deals."""

    __slots__ = ("_ends", "_sizes", "largest", "last_size", "length")

    def __init__(self, runs: list[tuple[int, int]], *, open_ended: bool) -> None:
        """Runs are (hand size, how many deals); open-ended plans repeat the last."""
        self._sizes = [size for size, _ in runs]
        self._ends = list(accumulate([times for _, times in runs]))
        self.largest: Final = max(self._sizes)
        self.length: Final = None if open_ended else self._ends[-1]
        self.last_size: Final = None if open_ended else self._sizes[-1]

    def is_extra(self, deal: int) -> bool:
        return self.length is not None and deal > self.length

    def size(self, deal: int) -> int:
        """Cards each seat plays; extra deals are as large as the largest."""
        if self.is_extra(deal):
            return self.largest
        run = bisect_left(self._ends, deal)
        return self._sizes[min(run, len(self._sizes) - 1)]

    def sizes(self) -> Iterator[int]:
        """Of the scheduled deals in order; without end for an open-ended plan."""
        if self.length is None:
            return repeat(self._sizes[-1])
        starts = [0, *self._ends]
        runs = zip(self._sizes, starts, self._ends, strict=False)
        return chain.from_iterable(repeat(s, end - start) for s, start, end in runs)

    def has_size(self, size: int) -> bool:
        return size in self._sizes


def deal_plan(rules: Rules, players: int) -> Plan:
    """The plan of rules that are legal for so many players."""
    high = rules.deal_high_for(players)
    match rules.deal_shape:
        case DealShape.LIST:
            return Plan([(s, 1) for s in rules.deal_list or ()], open_ended=False)
        case DealShape.FIXED:
            deals = rules.deal_count_for(players)
            return Plan([(high, deals or 1)], open_ended=deals is None)
        case _:
            return _stepped(rules, players, high)


def _stepped(rules: Rules, players: int, high: int) -> Plan:
    between = range(rules.deal_low, high, rules.deal_step)[1:]
    turns = _repeats(rules.turn_repeat, players)
    ends = _repeats(rules.end_repeat, players)
    low = rules.deal_low
    up = [(size, 1) for size in between]
    down = up[::-1]
    match rules.deal_shape:
        case DealShape.UP:
            runs = [(low, 1), *up, (high, 1)]
        case DealShape.DOWN:
            runs = [(high, 1), *down, (low, 1)]
        case DealShape.UP_DOWN:
            runs = [(low, ends), *up, (high, turns), *down, (low, ends)]
        case _:
            runs = [(high, ends), *down, (low, turns), *up, (high, ends)]
    return Plan(runs, open_ended=False)


def _repeats(value: int | str, players: int) -> int:
    return players if isinstance(value, str) else value


def scheduled_deals(rules: Rules, plan: Plan) -> range:
    """Numbers of the plan's deals; of a plan without end those that can be played."""
    last = plan.length or rules.max_deals or 0
    return range(1, last + 1)


def kind_of(rules: Rules, plan: Plan, deal: int) -> DealKind:
    """Extra deals are normal ones."""
    return DealKind.NORMAL if plan.is_extra(deal) else rules.kind_of(deal)


def dealer_of(deal: int, *, first_dealer: int, players: int) -> int:
    """The deal moves by one seat for every deal, repeats and extra deals included."""
    return (first_dealer + deal - 1) % players


def cards_dealt(rules: Rules, size: int) -> int:
    """Cards each seat receives to play `size` of them."""
    return size + BID_CARDS if rules.bid_mode is BidMode.BID_CARDS else size


def is_forehead(rules: Rules, plan: Plan, deal: int) -> bool:
    """Whether each seat sees every card but its own in this deal."""
    if plan.size(deal) != 1:
        return False
    match rules.forehead:
        case Forehead.NONE:
            return False
        case Forehead.LAST_ONE_CARD:
            return deal == plan.length
        case Forehead.ALL_ONE_CARD:
            return True


def forehead_deals(rules: Rules, players: int) -> Iterator[int]:
    plan = deal_plan(rules, players)
    return (
        deal for deal in scheduled_deals(rules, plan) if is_forehead(rules, plan, deal)
    )


def is_forced_no_trump(rules: Rules, plan: Plan, deal: int) -> bool:
    """No trump because of the deal's kind or of `no_trump_deals`."""
    if kind_of(rules, plan, deal).has_forced_no_trump:
        return True
    match rules.no_trump_deals:
        case NoTrumpDeals.NONE:
            return False
        case NoTrumpDeals.LAST:
            # An extra deal is the last one while it is played.
            return plan.length is not None and deal >= plan.length
        case NoTrumpDeals.LARGEST:
            return plan.size(deal) == plan.largest


def cards_left(rules: Rules, players: int, size: int) -> int:
    """Cards of the pack that stay undealt."""
    return rules.pack_for(players).size - players * cards_dealt(rules, size)


def turns_card_up(rules: Rules, plan: Plan, deal: int, *, players: int) -> bool:
    """Whether the trump of this deal depends on a card turned up."""
    return (
        rules.trump_method is TrumpMethod.TURN_UP
        and not is_forced_no_trump(rules, plan, deal)
        and cards_left(rules, players, plan.size(deal)) > 0
    )


def is_certain_no_trump(rules: Rules, plan: Plan, deal: int, *, players: int) -> bool:
    """Whether no order of the pack can give this scheduled deal a trump."""
    if is_forced_no_trump(rules, plan, deal):
        return True
    match rules.trump_method:
        case TrumpMethod.NONE:
            return True
        case TrumpMethod.FIXED:
            return False
        case TrumpMethod.ROTATION:
            return _rotation_says_no_trump(rules, deal)
        case TrumpMethod.PREVIOUS_SUCCESSES:
            return deal == 1
        case TrumpMethod.TURN_UP:
            if cards_left(rules, players, plan.size(deal)) > 0:
                return False
    match rules.full_pack_trump:
        case FullPackTrump.NONE:
            return True
        case FullPackTrump.ROTATION:
            return _rotation_says_no_trump(rules, deal)
        case FullPackTrump.FIXED | FullPackTrump.DEALER_LAST_CARD:
            return False


def certain_no_trump_deals(rules: Rules, players: int) -> Iterator[int]:
    """Numbers of the scheduled deals that are without trump whatever is dealt."""
    plan = deal_plan(rules, players)
    return (
        deal
        for deal in scheduled_deals(rules, plan)
        if is_certain_no_trump(rules, plan, deal, players=players)
    )


def _rotation_says_no_trump(rules: Rules, deal: int) -> bool:
    sequence = rules.trump_sequence or ()
    return sequence[(deal - 1) % len(sequence)] == "NT"
