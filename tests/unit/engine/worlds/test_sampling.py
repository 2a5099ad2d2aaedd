"""Worlds against an oracle that infers nothing: every layout, played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has none

from engine.bidding import Claim
from engine.cards import JOKERS
from engine.errors import Refusal
from engine.events import CardPlayed, Cause, split_by_seat
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard, act
from engine.legality import CallRule
from engine.match import Match
from engine.parameters import TurnupJoker
from engine.phase import Ask
from engine.rules import Rules
from engine.trick import JokerCall
from engine.trump import turned_up
from engine.view import View, view
from engine.worlds import World, Worlds

Cards = tuple[int, ...]
Key = tuple[Cards, ...]


@dataclass(frozen=True)
class Case:
    """One deal, played by chance up to a number of commands, and who looks at it."""

    preset: str
    players: int
    size: int
    commands: int
    overrides: Mapping[str, object] = field(default_factory=dict)
    seed: int = 1
    viewer: int = 0
    claim: Claim = Claim.NONE
    deck: Callable[[list[int]], list[int]] = lambda deck: deck
    """Puts a shuffled pack into the order that the case needs."""


def jokers_last(deck: list[int]) -> list[int]:
    return sorted(deck, key=lambda card: card in JOKERS)


def jokers_to_the_other(deck: list[int]) -> list[int]:
    suited = [card for card in deck if card not in JOKERS]
    return [JOKERS[0], suited[0], JOKERS[1], *suited[1:]]


ONE_DEAL = {"deal_shape": "list", "deal_kinds": None, "forehead": "none"}
TOP24 = {
    "pack": "top24",
    "players": [2, 3, 4],
    "deal_high": 6,
    "trump_method": "none",
}
STRICT = {"must_trump": True, "must_overtrump": True, "must_head": True}
HEARTS = {"trump_method": "fixed", "trump_suit": "H"}
LAST_SHOWN = {"trump_method": "turn_up", "full_pack_trump": "dealer_last_card"}

CASES = {
    "following suit": Case("pagat_standard", 4, 6, 16, TOP24),
    "following suit, later": Case("pagat_standard", 4, 6, 21, TOP24, seed=5),
    "with a stock": Case(
        "pagat_standard", 3, 2, 7, {**TOP24, "trump_method": "turn_up"}, seed=3
    ),
    "having to trump": Case(
        "pagat_standard", 4, 6, 17, {**TOP24, **HEARTS, "must_trump": True}, seed=2
    ),
    "having to head and overtrump": Case(
        "pagat_standard", 4, 6, 18, {**TOP24, **HEARTS, **STRICT}, seed=4
    ),
    "heading among twins": Case(
        "bust",
        4,
        16,
        63,
        {"pack": "bust65", **HEARTS, **STRICT, "players": [4]},
        seed=6,
    ),
    "twins and a stock": Case("bust", 3, 2, 7, {"pack": "bust65"}, seed=7),
    "called jokers": Case("blackout_jokers", 5, 10, 48, seed=8),
    "called jokers, having to trump": Case(
        "blackout_jokers", 5, 10, 47, {"must_trump": True}, seed=21
    ),
    "jokers in the first trick": Case(
        "blackout_jokers",
        2,
        2,
        3,
        {"players": [2], "pack": "atk50", "deal_high": 2, "deal_count": 1},
        seed=9,
        deck=lambda deck: [
            53,
            *[c for c in deck if c not in JOKERS][:1],
            54,
            *[c for c in deck if c not in JOKERS][1:],
        ],
    ),
    "jokers as a suit": Case("jokers_suit", 6, 9, 52, {"pack": "std54"}, seed=10),
    "jokers put aside": Case(
        "jokers_suit",
        5,
        9,
        45,
        {"pack": "atk50", "turnup_joker": "redraw"},
        seed=13,
        deck=jokers_last,
    ),
    "nothing but jokers to turn up": Case(
        "jokers_suit",
        6,
        8,
        48,
        {"pack": "atk50", "turnup_joker": "redraw", "players": [6]},
        seed=12,
        deck=jokers_last,
    ),
    "a hidden upcard": Case(
        "pagat_standard",
        2,
        1,
        1,
        {**TOP24, "trump_method": "turn_up", "deal_kinds": {"1": "guess_trump"}},
    ),
    "a blind hand": Case(
        "pagat_standard",
        2,
        1,
        1,
        {**TOP24, "trump_method": "turn_up", "deal_kinds": {"1": "blind"}},
    ),
    "a blind hand in order": Case(
        "pagat_standard",
        4,
        6,
        20,
        {**TOP24, **LAST_SHOWN, "deal_kinds": {"1": "blind_in_order"}},
        seed=14,
    ),
    "the own card on the forehead": Case(
        "pagat_standard", 2, 1, 1, {**TOP24, "forehead": "all_one_card"}
    ),
    "wizards and jesters": Case("wizard", 6, 10, 63, seed=16),
    "the dealer's last card": Case(
        "pagat_standard", 4, 6, 17, {**TOP24, **LAST_SHOWN}, seed=17, viewer=1
    ),
    "bid cards": Case("ninety_nine", 3, 9, 27, seed=18),
    "bid cards declared": Case("ninety_nine", 3, 9, 26, seed=19, claim=Claim.DECLARE),
    "a hand revealed": Case("ninety_nine", 3, 9, 24, seed=20, claim=Claim.REVEAL),
    "a last card that may be laid": Case(
        "ninety_nine", 3, 9, 27, LAST_SHOWN, seed=21, viewer=1
    ),
}


def any_command(seen: View, claim: Claim, rng: Random) -> Command:
    match seen.ask:
        case Ask.BID:
            return PlaceBid(rng.choice(seen.legal_bids))
        case Ask.BID_CARDS:
            return Lay(tuple(rng.sample(seen.hand, 3)), claim)
        case Ask.TRUMP:
            return ChooseTrump(rng.choice(seen.legal_suits))
        case _:
            card = rng.choice(seen.legal_cards or (None,))
            needs_call = seen.call == CallRule.REQUIRED and card in JOKERS
            call = rng.choice([JokerCall.HIGH, JokerCall.LOW])
            return PlayCard(card, call if needs_call else JokerCall.NONE)


class Table:
    """The match of a case, and other deals with the same commands."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rules = Rules.of(
            case.preset,
            {**ONE_DEAL, "deal_list": [case.size], **case.overrides},
            players=case.players,
        )
        rng = Random(case.seed)  # noqa: S311 - choices in a test
        deck = list(self.rules.pack_for(case.players).codes())
        rng.shuffle(deck)
        self.match = self.started(case.deck(deck))
        self.sent: list[tuple[int, Command]] = []
        for _ in range(case.commands):
            seat = self.match.to_act()[0]
            command = any_command(view(self.match, seat), case.claim, rng)
            act(self.match, seat, command, Cause.ANSWER)
            self.sent.append((seat, command))
        self.seen = view(self.match, case.viewer)

    def started(self, deck: Sequence[int]) -> Match:
        match = Match(
            self.rules, self.case.players, first_dealer=0, decks=lambda _: deck
        )
        match.start()
        return match

    def played_by(self, seat: int) -> list[int]:
        events = [entry.event for entry in self.match.entries()]
        return [e.card for e in events if isinstance(e, CardPlayed) and e.seat == seat]

    @property
    def is_in_order(self) -> bool:
        return self.match.deal.orders is not None

    def layouts(self) -> Iterator[World]:
        """All ways to lay out what is not in the view, equal cards told apart."""
        seen, match, seats = self.seen, self.match, range(self.case.players)
        open_hands, open_laid = self.open_cards()
        hidden = [
            *[0 if s in open_hands else len(match.hands[s]) for s in seats],
            *[0 if s in open_laid else len(match.laid[s]) for s in seats],
            int(match.decision.upcard is not None and not seen.upcard),
        ]
        known = [*seen.plays, *([seen.upcard] if seen.upcard else [])]
        for cards in (*open_hands.values(), *open_laid.values()):
            known += cards
        left = Counter(match.shared.pack.codes()) - Counter(known)
        for places, stock in arranged(list(left.elements()), hidden, self.is_in_order):
            hands, laid = places[: len(seats)], places[len(seats) : -1]
            for seat, cards in open_hands.items():
                hands[seat] = cards
            for seat, cards in open_laid.items():
                laid[seat] = cards
            upcard = [*places[-1], seen.upcard][0]
            yield World(tuple(hands), tuple(laid), upcard, 0, stock)

    def open_cards(self) -> tuple[dict[int, Cards], dict[int, Cards]]:
        """Hands and bid cards that the view shows: the own ones, and a premium's."""
        seen = self.seen
        laid = {self.case.viewer: seen.bid_cards}
        hands = {self.case.viewer: seen.hand} if seen.hand else {}
        holder = seen.premium_seat
        if holder is not None and holder != self.case.viewer:
            shown = split_by_seat(seen.shown_cards, seen.shown_counts)[holder]
            laid[holder] = shown[:3]
            if seen.premium_kind == Claim.REVEAL:
                hands[holder] = shown[3:]
        return hands, laid

    def is_possible(self, world: World) -> bool:
        """Whether the same commands give the viewer the same view."""
        seats = range(self.case.players)
        dealt = [
            [*self.played_by(seat), *world.laid[seat], *world.hands[seat]]
            for seat in seats
        ]
        last = self.match.decision.shown
        if last in dealt[0] and not self.is_in_order:
            dealt[0].remove(last)
            dealt[0].append(last)
        size = len(dealt[0])
        deck = [
            dealt[(1 + i) % len(seats)][i // len(seats)]
            for i in range(size * len(seats))
        ]
        deck += [world.upcard] if world.upcard else []
        twin = self.started([*deck, *world.stock])
        try:
            for seat, command in self.sent:
                if isinstance(command, Lay):
                    twin.lay(seat, world.laid[seat], command.claim)
                else:
                    act(twin, seat, command, Cause.ANSWER)
        except Refusal:
            return False
        return view(twin, self.case.viewer) == self.seen

    def key(self, world: World) -> Key:
        """What distinguishes worlds: places have no order, but hands sometimes do."""
        order = tuple if self.is_in_order else sorted
        return (
            *[tuple(order(hand)) for hand in world.hands],
            *[tuple(sorted(cards)) for cards in world.laid],
            (world.upcard,),
        )


Layout = tuple[list[tuple[int, ...]], tuple[int, ...]]


def arranged(cards: list[int], rooms: Sequence[int], ordered: bool) -> Iterator[Layout]:
    if not rooms:
        yield [], tuple(cards)
        return
    ways = permutations if ordered else combinations
    for chosen in ways(range(len(cards)), rooms[0]):
        left = [card for i, card in enumerate(cards) if i not in chosen]
        for places, stock in arranged(left, rooms[1:], ordered):
            yield [tuple([cards[i] for i in chosen]), *places], stock


@cache
def orders_that_show(upcard: int, stock: tuple[int, ...], rules: Rules) -> int:
    """Orders of upcard and stock in which this upcard is the one that counts."""
    return sum(
        turned_up(rules, cards) == upcard for cards in permutations((upcard, *stock))
    )


def weight(table: Table, world: World) -> int:
    if not world.upcard or table.rules.turnup_joker is not TurnupJoker.REDRAW:
        return 1
    alike = tuple(sorted([card if card in JOKERS else 2 for card in world.stock]))
    return orders_that_show(world.upcard, alike, table.rules)


@pytest.mark.parametrize("name", CASES)
def test_every_possible_world_is_drawn_as_often_as_it_would_be_dealt(name: str) -> None:
    table = Table(CASES[name])
    expected: Counter[Key] = Counter()
    arrangements = 0
    for world in table.layouts():
        if table.is_possible(world):
            expected[table.key(world)] += weight(table, world)
            arrangements += 1
    worlds = Worlds(table.rules, table.seen)
    if not table.is_in_order:
        assert worlds.count == arrangements
    draw = Random(name).randrange  # noqa: S311 - choices in a test
    number = max(1000, min(8000, 10 * len(expected)))
    drawn = Counter([table.key(worlds.draw(draw)) for _ in range(number)])
    assert drawn.keys() <= expected.keys()
    if len(expected) > 800:
        drawn, expected = by_one_place(drawn), by_one_place(expected)
    assert fits(drawn, expected)


def by_one_place(worlds: Counter[Key]) -> Counter[Key]:
    """Where worlds are too many to count each: what the emptiest hidden place holds."""
    places = range(len(next(iter(worlds))))
    kinds = [len({world[place] for world in worlds}) for place in places]
    place = min([p for p in places if kinds[p] > 1], key=lambda p: kinds[p])
    found: Counter[Key] = Counter()
    for world, number in worlds.items():
        found[(world[place],)] += number
    return found


def fits(drawn: Counter[Key], expected: Counter[Key]) -> bool:
    """Pearson's test: a fair sampler fails it once in a million seeds."""
    share = drawn.total() / expected.total()
    if len(expected) == 1:
        return True
    off = sum(
        (drawn[key] - share * n) ** 2 / (share * n) for key, n in expected.items()
    )
    return bool(off < stats.chi2.ppf(1 - 1e-6, len(expected) - 1))
