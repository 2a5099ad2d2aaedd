"""Everything there is to try, where it is little enough to try it all."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import isdatadescriptor
from itertools import permutations, product
from operator import attrgetter
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import NO_TRUMP, card_code, card_rank, card_suit
from engine.deal import Deal, deal_rules
from engine.pack import BIT, kinds_in
from engine.rules import Rules

HOOKED = Rules.of("pagat_standard", {"players": list(range(2, 11)), "deal_high": 5})
FREE = HOOKED.with_overrides({"hook": False})
# Prefixes of bids that are tried one by one, at most, for a number of seats and cards.
MOST_PREFIXES = 5000


def allowed(earlier: Sequence[int], size: int, *, hook: bool) -> list[int]:
    """The rule itself: the last bid may not make the sum of all bids the hand size."""
    left = size - sum(earlier)
    return [amount for amount in range(size + 1) if not hook or amount != left]


class Unread:
    """A bid that was made and may not be looked at again."""

    def _looked_at(self, *_: object) -> NoReturn:
        raise TypeError("an earlier bid counts by its part in the sum alone")

    __eq__ = __bool__ = __index__ = _looked_at
    __hash__ = None  # type: ignore[assignment]  # none is meant


# Attributes, in either flavour of the engine.
STATE = [name for name, found in vars(Deal).items() if isdatadescriptor(found)]
standing = attrgetter(*[name for name in STATE if name != "bids"])


def blank(rules: Rules, players: int, size: int) -> Deal:
    """A deal without cards, before its first bid."""
    nothing = [0] * players
    return Deal.begin(
        deal_rules(rules, players), nothing, nothing, size=size, dealer=0, trump=1
    )


TABLES = [
    pytest.param(rules, players, id=f"{name}-{players}")
    for name, rules in (("hook", HOOKED), ("free", FREE))
    for players in range(2, 11)
]


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_hook_is_its_statement_after_every_prefix(
    rules: Rules, players: int
) -> None:
    """All prefixes, by induction: ten seats with 13 cards have 20,661,046,784 of them.

    `reached` has one deal for every sum that so many bids can have, its bids blacked
    out. Each is taken on by every amount. That deals of the same sum are then the same
    in all but their bids, which nothing may read, shows that a prefix of any length
    decides by its sum alone; what it leaves the last bidder is compared for each sum.
    """
    for size in range(1, 14):
        reached = {0: blank(rules, players, size)}
        for _ in range(players - 1):
            further: dict[int, Deal] = {}
            for total, deal in reached.items():
                assert deal.legal_bids() == BIT[size + 1] - 1
                for amount in range(size + 1):
                    after = deal.copy()
                    after.bid(amount)
                    after.bids[deal.turn] = Unread()  # type: ignore[call-overload]  # on purpose
                    same = further.setdefault(total + amount, after)
                    assert standing(same) == standing(after)
            reached = further
        assert [*reached] == [*range((players - 1) * size + 1)]
        for total, deal in reached.items():
            legal = [*kinds_in(deal.legal_bids())]
            assert legal == allowed([total], size, hook=rules.hook)


def followed(rules: Rules, earlier: Sequence[int], size: int) -> None:
    """The rule itself, after bids that are made one by one."""
    deal = blank(rules, len(earlier) + 1, size)
    for amount in earlier:
        deal.bid(amount)
    legal = [*kinds_in(deal.legal_bids())]
    assert legal == allowed(earlier, size, hook=rules.hook)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_hook_is_its_statement_after_each_of_few_prefixes(
    rules: Rules, players: int
) -> None:
    for size in range(1, 14):
        if (size + 1) ** (players - 1) <= MOST_PREFIXES:
            for earlier in product(range(size + 1), repeat=players - 1):
                followed(rules, earlier, size)


@given(data=st.data(), players=st.integers(2, 10), size=st.integers(1, 13))
def test_the_hook_is_its_statement_after_any_prefix(
    data: st.DataObject, players: int, size: int
) -> None:
    amounts = st.lists(st.integers(0, size), min_size=players - 1, max_size=players - 1)
    earlier = data.draw(amounts)
    followed(HOOKED, earlier, size)
    followed(HOOKED, earlier[::-1], size)


NINE = [card_code(rank + suit) for suit in "CDS" for rank in "29A"]


def winner(trick: Sequence[int], trump: int) -> int:
    """Place of the highest trump, or else of the highest card of the led suit."""
    led = card_suit(trick[0])
    suits = [card_suit(card) for card in trick]
    best = trump if trump in suits else led
    return max(
        [place for place, suit in enumerate(suits) if suit == best],
        key=lambda place: card_rank(trick[place]),
    )


@pytest.mark.parametrize("trump", [1, 2, 4, NO_TRUMP])
@pytest.mark.parametrize("leader", range(4))
def test_every_trick_of_a_pack_of_nine_has_its_winner_and_next_leader(
    leader: int, trump: int
) -> None:
    shared = deal_rules(HOOKED, 4)
    kind = shared.pack.kind
    for trick in permutations(NINE, 4):
        held = [0] * 4
        for place, card in enumerate(trick):
            held[(leader + place) % 4] = BIT[kind[card]]
        dealer = (leader - 1) % 4
        deal = Deal.begin(
            shared, held, [0] * 4, size=1, dealer=dealer, trump=trump, bidders=[]
        )
        for card in trick:
            deal.play(kind[card])
        won = (leader + winner(trick, trump)) % 4
        assert deal.turn == won
        assert deal.tricks == [int(seat == won) for seat in range(4)]


@pytest.mark.parametrize("led", NINE)
def test_every_hand_of_a_pack_of_nine_follows_suit(led: int) -> None:
    shared = deal_rules(HOOKED, 4)
    kind = shared.pack.kind
    rest = [card for card in NINE if card != led]
    for chosen in range(1, 2 ** len(rest)):
        hand = [card for i, card in enumerate(rest) if chosen & BIT[i]]
        held = sum(BIT[kind[card]] for card in hand)
        deal = Deal.begin(
            shared,
            [held, BIT[kind[led]], 0, 0],
            [0] * 4,
            size=1,
            dealer=3,
            trump=4,
            bidders=[],
        )
        deal.turn = 1
        deal.play(kind[led])
        deal.turn = 0
        same = [card for card in hand if card_suit(card) == card_suit(led)]
        assert [*kinds_in(deal.legal_cards())] == [kind[card] for card in same or hand]
