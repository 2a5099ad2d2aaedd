"""Playouts end deals legally, and chance is fair."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has none

from engine.cards import NO_TRUMP, TRUMP_UNKNOWN
from engine.deal import Deal, deal_rules
from engine.match import Match
from engine.pack import BIT, kinds_in
from engine.parameters import BidMode
from engine.phase import Phase
from engine.presets import preset_names
from engine.rules import Rules
from engine.trick import JokerCall
from engine.view import View
from engine.worlds import (
    BorrowedDice,
    ByChance,
    ByIntent,
    Dice,
    Policy,
    Worlds,
    dealt,
    play_out,
    play_out_by_chance,
)
from engine.worlds.chance import below, shuffle
from tests.doubles.matches import played


class Checked:
    """A policy that is held to what is legal."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def bid(self, deal: Deal, dice: Dice) -> int:
        amount = self.policy.bid(deal, dice)
        assert deal.legal_bids() & BIT[amount]
        return amount

    def card(self, deal: Deal, legal: int, dice: Dice) -> int:
        k = self.policy.card(deal, legal, dice)
        assert legal & BIT[k]
        return k

    def call(self, deal: Deal, dice: Dice) -> JokerCall:
        return self.policy.call(deal, dice)


@pytest.mark.parametrize("preset", preset_names())
def test_deals_of_worlds_are_played_to_their_end(preset: str) -> None:
    rules = Rules.of(preset)
    dice = Dice(7)
    rng = Random(preset)  # noqa: S311 - choices in a test

    def watch(match: Match, seat: int, seen: View) -> None:
        lays = rules.bid_mode is BidMode.BID_CARDS and match.phase is Phase.BIDDING
        if rng.random() > 0.05 or lays:
            return
        worlds = Worlds(rules, seen)
        for policy in (ByChance(), ByIntent(), ByIntent(slips=0)):
            deal = worlds.deal(worlds.draw(dice.roll))
            if deal.trump == TRUMP_UNKNOWN:
                deal.trump = 1 + dice.roll(4)
            play_out(deal, Checked(policy), dice)
            assert (deal.left, deal.to_bid) == (0, 0)
            assert sum(deal.tricks) == match.size
            assert deal.held == [0] * match.players
            assert len(deal.points()) == match.players

    played(rules, ["random"] * max(rules.players), watch=watch)


def test_a_copy_is_played_out_alone() -> None:
    deal = dealt(deal_rules(Rules.of("bust"), 5), 7, Dice(1))
    held = deal.held[:]
    play_out_by_chance(deal.copy(), Dice(2))
    assert (deal.held, deal.left, deal.to_bid) == (held, 7, 5)


def test_nobody_plays_out_without_knowing_the_trump() -> None:
    shared = deal_rules(Rules.of("wizard"), 4)
    deal = dealt(shared, 3, Dice(1))
    deal.trump = TRUMP_UNKNOWN
    for play in (play_out_by_chance, lambda d, dice: play_out(d, ByIntent(), dice)):
        with pytest.raises(ValueError, match="trump"):
            play(deal, Dice(1))


@pytest.mark.parametrize("preset", ["pagat_standard", "bust", "wizard", "jokers_suit"])
def test_a_deal_by_chance_uses_no_card_more_often_than_it_is_there(preset: str) -> None:
    shared = deal_rules(Rules.of(preset), 4)
    for seed in range(50):
        deal = dealt(shared, 9, Dice(seed))
        cards: Counter[int] = Counter()
        for held, twice in zip(deal.held, deal.twice, strict=True):
            assert held.bit_count() + twice.bit_count() == 9
            cards.update([*kinds_in(held), *kinds_in(twice)])
        assert all(n <= shared.pack.copies[k] for k, n in cards.items())
        assert 1 <= deal.trump <= NO_TRUMP


def test_intent_wins_more_bids_than_chance() -> None:
    shared = deal_rules(Rules.of("pagat_standard"), 4)
    made = {}
    for name, policy in (("chance", ByChance()), ("intent", ByIntent())):
        dice = Dice(3)
        made[name] = 0
        for _ in range(150):
            deal = dealt(shared, 7, dice)
            play_out(deal, policy, dice)
            pairs = zip(deal.bids, deal.tricks, strict=True)
            made[name] += sum(bid == won for bid, won in pairs)
    assert made["intent"] > 1.5 * made["chance"]


def test_slips_are_counted_in_thousandths() -> None:
    for slips in (-1, 1001):
        with pytest.raises(ValueError, match="slips"):
            ByIntent(slips)


def test_borrowed_dice_spend_one_fraction_a_roll_and_roll_by_nothing_else() -> None:
    fractions = iter([0.0, 0.5, 0.999999999, 1 - 2**-53, 0.25, 0.75])
    dice = BorrowedDice(lambda: next(fractions))
    assert [dice.roll(6) for _ in range(4)] == [0, 3, 5, 5]
    kinds = BIT[3] | BIT[17] | BIT[51] | BIT[59]
    assert [dice.one_of(kinds), dice.one_of(kinds)] == [17, 59]
    assert next(fractions, None) is None


def test_a_playout_on_borrowed_dice_is_what_the_lender_would_have_chosen() -> None:
    shared = deal_rules(Rules.of("pagat_standard"), 4)
    one = dealt(shared, 10, BorrowedDice(Random(2).random))  # noqa: S311
    other = one.copy()
    play_out_by_chance(one, BorrowedDice(Random(3).random))  # noqa: S311
    rng = Random(3)  # noqa: S311

    def choice(options: int) -> int:
        places = [*kinds_in(options)]
        return places[int(rng.random() * len(places))]

    while other.to_bid:
        other.bid(choice(other.legal_bids()))
    while other.left:
        other.play(choice(other.legal_cards()))
    assert (one.bids, one.tricks) == (other.bids, other.tricks)


def is_even(counts: Counter[int], choices: int) -> bool:
    found = [counts[i] for i in range(choices)]
    assert sum(found) == counts.total()
    return bool(stats.chisquare(found).pvalue > 1e-6)


@pytest.mark.parametrize(
    "dice",
    [Dice(5), BorrowedDice(Random(5).random)],  # noqa: S311 - choices in a test
    ids=["own", "borrowed"],
)
def test_dice_roll_every_side_alike(dice: Dice) -> None:
    for sides in (2, 6, 52):
        assert is_even(Counter(dice.roll(sides) for _ in range(10_000)), sides)
    places = (3, 17, 51, 59)
    kinds = sum(BIT[k] for k in places)
    found = Counter(places.index(dice.one_of(kinds)) for _ in range(10_000))
    assert is_even(found, 4)


def test_dice_with_the_same_seed_roll_the_same() -> None:
    assert [Dice(9).roll(1000)] * 3 == [Dice(9).roll(1000) for _ in range(3)]
    assert len({Dice(seed).roll(2**31) for seed in range(100)}) == 100


def test_numbers_of_any_size_are_drawn_evenly() -> None:
    draw = Random(1).randrange  # noqa: S311 - choices in a test
    limit = 3 * 2**200
    thirds = Counter(below(draw, limit) // 2**200 for _ in range(3000))
    assert is_even(thirds, 3)
    assert is_even(Counter(below(draw, 7) for _ in range(3000)), 7)
    orders: Counter[int] = Counter()
    for _ in range(3000):
        cards = [0, 1, 2]
        shuffle(cards, draw)
        orders[(cards[0] * 2) + (cards[1] > cards[2])] += 1
    assert is_even(orders, 6)
