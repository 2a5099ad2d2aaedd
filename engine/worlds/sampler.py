"""Worlds: all cards laid out as they may lie, drawn without bias.

A world is as likely to be drawn as it is to be dealt, given what its viewer knows and
that nobody's choice among legal commands tells anything. Physical deals are uniform, so
identical cards count by their arrangements, and where jokers turned up were put aside
by the order in which the stock may lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, lcm, prod
from typing import Final, NamedTuple

from engine.bidding import bid_cards_value
from engine.deal import Deal
from engine.pack import BIT
from engine.parameters import BidMode, TurnupJoker
from engine.plan import BID_CARDS
from engine.rules import Rules
from engine.trump import decide_trump
from engine.view import View
from engine.worlds.chance import Draw, below, shuffle
from engine.worlds.completions import Completions
from engine.worlds.knowledge import Knowledge, NoWorld


class World(NamedTuple):
    """Cards by code: hands by strength, or in playing order where the deal asks for it.

    `laid` are bid cards by seat. `upcard` is zero where none is turned up, and `trump`
    unknown only where the dealer has still to name it. `stock` has no order.
    """

    hands: tuple[tuple[int, ...], ...]
    laid: tuple[tuple[int, ...], ...]
    upcard: int
    trump: int
    stock: tuple[int, ...]


class _Case(NamedTuple):
    """Some jokers in the stock, the others not.

    Kinds that may lie in the same places are a class, places that may hold the same
    kinds a group. `rooms` are by place, without the room of the jokers in `stock`.
    `ways` counts the arrangements in places, `weight` the orders of the stock for each.
    """

    stock: tuple[int, ...]
    classes: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    rooms: tuple[int, ...]
    completions: Completions
    ways: int
    weight: int


class Worlds:
    """All worlds that agree with a view; NoWorld if there are none."""

    __slots__ = ("_cases", "_knowledge", "_weight", "count")

    def __init__(self, rules: Rules, view: View) -> None:
        """The rules are those of the match, the view one of a deal that is on."""
        knowledge = Knowledge(rules, view)
        self._knowledge: Final = knowledge
        self._cases: Final = _cases(knowledge)
        self._weight: Final = sum([case.weight * case.ways for case in self._cases])
        # Ways to put the unseen cards into their places, equal cards told apart and
        # the order inside a place left out.
        self.count: Final = sum([case.ways for case in self._cases])
        if not self.count:
            raise NoWorld("the unseen cards cannot lie so that all plays were legal")

    def draw(self, draw: Draw) -> World:
        """One of them, by chance."""
        knowledge = self._knowledge
        places = self._fill(draw)
        kinds = knowledge.pack.kinds

        def lying_in(place: int) -> tuple[int, ...]:
            known = knowledge.places[place].known
            return (*known, *[kinds[k] for k in places[place]])

        seats = range(knowledge.players)
        up = lying_in(knowledge.upcard)
        upcard = up[0] if up else 0
        return World(
            tuple([self._hand(seat, places[seat], draw) for seat in seats]),
            tuple([lying_in(knowledge.laid(seat)) for seat in seats]),
            upcard,
            self._trump(upcard),
            tuple([kinds[k] for k in sorted(places[knowledge.stock])]),
        )

    def deal(self, world: World) -> Deal:
        """The deal of a world, standing where the view does, to be played on.

        Bids that are secret still have to be made. Where bids are cards, all must be
        laid: whoever draws worlds during that bidding moves cards from `hands` to
        `laid` first. A trump that is unknown is for the caller to set.
        """
        knowledge = self._knowledge
        pack = knowledge.pack
        deal = knowledge.deal.copy()
        for seat, hand in enumerate(world.hands):
            deal.held[seat], deal.twice[seat] = pack.hand(hand)
        if knowledge.in_order:
            deal.orders = [[pack.kind[card] for card in hand] for hand in world.hands]
        if knowledge.rules.bid_mode is BidMode.BID_CARDS:
            if any(len(cards) != BID_CARDS for cards in world.laid):
                raise ValueError("some seats have not laid their bid cards")
            turn = deal.turn
            deal.open_bids([bid_cards_value(cards) for cards in world.laid])
            if knowledge.view.plays:
                deal.turn = turn
        deal.trump = world.trump
        return deal

    def _fill(self, draw: Draw) -> list[list[int]]:
        """Kinds by place, of the unseen cards alone."""
        number = below(draw, self._weight)
        case = self._cases[-1]
        for case in self._cases:
            here = case.weight * case.ways
            if number < here:
                break
            number -= here
        table = case.completions.table(number % case.completions.total)
        pools: list[list[int]] = [[] for _ in case.groups]
        for kinds, numbers in zip(case.classes, table, strict=True):
            cards = list(kinds)
            if max(numbers, default=0) < len(cards):
                shuffle(cards, draw)
            for pool, taken in zip(pools, numbers, strict=True):
                pool.extend(cards[:taken])
                del cards[:taken]
        filled: list[list[int]] = [[] for _ in self._knowledge.places]
        for places, pool in zip(case.groups, pools, strict=True):
            if len(places) > 1:
                shuffle(pool, draw)
            for place in places:
                filled[place] = pool[: case.rooms[place]]
                del pool[: case.rooms[place]]
        filled[self._knowledge.stock] += case.stock
        return filled

    def _hand(self, seat: int, unseen: list[int], draw: Draw) -> tuple[int, ...]:
        knowledge = self._knowledge
        pack = knowledge.pack
        known = knowledge.places[seat].known
        if knowledge.in_order:
            # What is known of a hand is all of it, or the last card dealt.
            shuffle(unseen, draw)
            return (*[pack.kinds[k] for k in unseen], *known)
        kinds = [*unseen, *[pack.kind[card] for card in known]]
        return tuple([pack.kinds[k] for k in sorted(kinds)])

    def _trump(self, upcard: int) -> int:
        knowledge = self._knowledge
        if not upcard or knowledge.view.upcard:
            return knowledge.view.trump
        hidden = decide_trump(
            knowledge.rules,
            deal=knowledge.view.deal,
            forced_no_trump=False,
            successes=None,
            undealt=[upcard],
            last_dealt=None,
        )
        return hidden.trump


def _cases(knowledge: Knowledge) -> list[_Case]:
    """By the unseen jokers in the stock, where that changes how likely worlds are."""
    stock = knowledge.places[knowledge.stock]
    if not (knowledge.turns_up and knowledge.rules.turnup_joker is TurnupJoker.REDRAW):
        return [_case(knowledge, (), 0, 1)]
    jokers = [k for k in knowledge.unseen if knowledge.pack.joker_mask & BIT[k]]
    # With the card turned up the stock is one larger: as many orders of it show this
    # card as first without a joker, as there are cards without jokers, inversely.
    undealt = stock.room + 1
    most = min(len(jokers), stock.room)
    common = lcm(*range(undealt - most, undealt + 1))
    cases = []
    for chosen in range(2 ** len(jokers)):
        inside = tuple([k for i, k in enumerate(jokers) if chosen & BIT[i]])
        if len(inside) <= most:
            outside = knowledge.pack.joker_mask
            weight = common // (undealt - len(inside))
            cases.append(_case(knowledge, inside, outside, weight))
    return cases


def _case(
    knowledge: Knowledge, in_stock: tuple[int, ...], not_in_stock: int, weight: int
) -> _Case:
    unseen = list(knowledge.unseen)
    for k in in_stock:
        unseen.remove(k)
    rooms = [place.room for place in knowledge.places]
    nevers = [place.never for place in knowledge.places]
    rooms[knowledge.stock] -= len(in_stock)
    nevers[knowledge.stock] |= not_in_stock
    pinned = _pinned_places(knowledge)
    kinds_out = 0
    for k in unseen:
        kinds_out |= BIT[k]
    alike: dict[tuple[int, bool], list[int]] = {}
    for place, room in enumerate(rooms):
        if room:
            mark = (nevers[place] & kinds_out, place in pinned)
            alike.setdefault(mark, []).append(place)
    classes: dict[tuple[int, ...], list[int]] = {}
    if pinned:
        k = knowledge.pack.kind[knowledge.pinned]
        unseen.remove(k)
        homes = [
            number
            for number, (never, may_pin) in enumerate(alike)
            if may_pin and not never & BIT[k]
        ]
        classes[tuple(homes)] = [k]
    for k in unseen:
        homes = [
            number for number, (never, _) in enumerate(alike) if not never & BIT[k]
        ]
        classes.setdefault(tuple(homes), []).append(k)
    completions = Completions(
        [len(kinds) for kinds in classes.values()],
        list(classes),
        [sum([rooms[place] for place in places]) for places in alike.values()],
    )
    return _Case(
        in_stock,
        tuple([tuple(kinds) for kinds in classes.values()]),
        tuple([tuple(places) for places in alike.values()]),
        tuple(rooms),
        completions,
        completions.total * _splits(rooms, list(alike.values())),
        weight,
    )


def _pinned_places(knowledge: Knowledge) -> tuple[int, ...]:
    if not knowledge.pinned:
        return ()
    dealer = knowledge.view.dealer
    return knowledge.hand(dealer), knowledge.laid(dealer)


def _splits(rooms: Sequence[int], groups: Sequence[Sequence[int]]) -> int:
    """Ways to divide the cards of each group among its places."""
    ways = 1
    for places in groups:
        sizes = [rooms[place] for place in places]
        ways *= factorial(sum(sizes)) // prod([factorial(size) for size in sizes])
    return ways
