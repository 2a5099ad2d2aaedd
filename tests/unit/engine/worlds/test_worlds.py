"""Worlds, and the deals made of them, at every stage of every preset."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.match import Match
from engine.parameters import BidMode
from engine.phase import Phase
from engine.presets import preset_names
from engine.rules import Rules
from engine.shuffle import Words
from engine.view import View, view
from engine.visibility import REFEREE, SPECTATOR
from engine.worlds import NoWorld, World, Worlds
from tests.doubles.matches import played


def every_card(world: World) -> Counter[int]:
    cards = [card for hand in (*world.hands, *world.laid) for card in hand]
    cards += [*world.stock, *([world.upcard] if world.upcard else [])]
    return Counter(cards)


def agrees(world: World, seen: View) -> bool:
    """Whether nothing of the view's own cards is elsewhere in the world."""
    assert seen.seat is not None
    own = tuple(seen.hand)
    return (
        (not own or sorted(world.hands[seen.seat]) == sorted(own))
        and (not seen.bid_cards or world.laid[seen.seat] == seen.bid_cards)
        and (not seen.upcard or world.upcard == seen.upcard)
    )


@pytest.mark.parametrize("preset", preset_names())
def test_worlds_of_every_stage_agree_with_the_view(preset: str) -> None:
    rules = Rules.of(preset)
    players = min(rules.players)
    rng = Random(preset)  # noqa: S311 - choices in a test

    def watch(match: Match, seat: int, seen: View) -> None:
        if rng.random() > 0.1:
            return
        worlds = Worlds(rules, seen)
        world = worlds.draw(rng.randrange)
        pack = Counter(match.shared.pack.codes())
        assert every_card(world) + Counter(match.plays) == pack
        assert agrees(world, seen)
        lays = rules.bid_mode is BidMode.BID_CARDS and match.phase is Phase.BIDDING
        if not lays:
            deal = worlds.deal(world)
            assert (deal.size, deal.left, deal.tricks) == (
                match.size,
                match.deal.left,
                match.deal.tricks,
            )
            if match.phase is Phase.PLAYING:
                assert deal.turn == seat
                if seen.legal_cards:
                    kind = match.shared.pack.kind
                    legal = {kind[card] for card in seen.legal_cards}
                    assert deal.legal_cards() == sum(2**k for k in legal)
        # The real cards break no inference, or the referee's view would have no world.
        real = Worlds(rules, view(match, REFEREE))
        assert [*map(list, real.draw(rng.randrange).hands)] == match.hands
        if lays and match.sealed:
            return
        assert Worlds(rules, view(match, SPECTATOR)).count >= worlds.count >= real.count

    played(rules, ["random"] * players, watch=watch)


@pytest.mark.parametrize(
    "preset", ["pagat_standard", "bust", "blackout_jokers", "clag"]
)
def test_the_deal_of_the_real_world_is_the_real_deal(preset: str) -> None:
    rules = Rules.of(preset)

    def watch(match: Match, seat: int, seen: View) -> None:
        worlds = Worlds(rules, view(match, REFEREE))
        deal = worlds.deal(worlds.draw(Words(b"", b"").draw))
        real = match.deal
        assert (deal.held, deal.twice, deal.orders) == (
            real.held,
            real.twice,
            real.orders,
        )
        for name in ("turn", "to_bid", "left", "on_table", "suit", "beats", "called"):
            assert getattr(deal, name) == getattr(real, name)
        if match.rules.bid_mode is BidMode.TURN:
            assert deal.bids == real.bids
            assert deal.bid_sum == real.bid_sum

    played(rules, ["random"] * min(rules.players), watch=watch)


def a_view(*, plays: int = 30) -> tuple[Rules, View]:
    rules = Rules.of("pagat_standard")
    found: list[View] = []

    def watch(match: Match, seat: int, seen: View) -> None:
        if len(seen.plays) == plays:
            found.append(seen)

    played(rules, ["random"] * 4, watch=watch)
    return rules, found[0]


def broken(seen: View) -> dict[str, View]:
    other = next(c for c in range(1, 53) if c not in (*seen.hand, *seen.plays))
    first, *rest = seen.plays
    return {
        "a card seen twice": seen._replace(hand=(first, *seen.hand[1:])),
        "a card not in the pack": seen._replace(hand=(53, *seen.hand[1:])),
        "a card too many": seen._replace(hand=(other, *seen.hand)),
        "an upcard that was played": seen._replace(upcard=seen.plays[-1]),
        "another leader": seen._replace(
            leaders=(seen.leaders[0] + 1 & 3, *seen.leaders[1:])
        ),
        "too few leaders": seen._replace(leaders=seen.leaders[:3]),
        "other tricks": seen._replace(tricks=seen.tricks[::-1]),
        "a revoke": seen._replace(plays=(*rest, first)),
    }


@pytest.mark.parametrize("name", broken(a_view()[1]))
def test_a_view_that_contradicts_itself_has_no_world(name: str) -> None:
    rules, seen = a_view()
    assert Worlds(rules, seen).count > 1
    with pytest.raises(NoWorld):
        Worlds(rules, broken(seen)[name])


def test_voids_that_leave_no_room_for_the_cards_have_no_world() -> None:
    # Seat 1 has all clubs and leads two; had the second been a diamond, the five clubs
    # left would need room in its hand of four, for all others have discarded on clubs.
    rules = Rules.of(
        "pagat_standard",
        {"pack": "top24", "trump_method": "none", "deal_high": 6, "hook": False},
        players=4,
    )
    deck = [card for i in range(6) for card in (8 + i, 21 + i, 34 + i, 47 + i)]
    match = Match(rules, 4, first_dealer=0, decks=lambda _: deck)
    match.start()
    for seat in (1, 2, 3, 0):
        match.bid(seat, 0)
    for seat in (1, 2, 3, 0) * 2:
        match.play(seat, match.legal_cards(seat)[0])
    seen = view(match, 0)
    assert Worlds(rules, seen).count == 70
    ace_of_diamonds = 26
    plays = (*seen.plays[:4], ace_of_diamonds, *seen.plays[5:])
    with pytest.raises(NoWorld, match="cannot lie"):
        Worlds(rules, seen._replace(plays=plays))


def test_a_joker_without_its_call_has_no_world() -> None:
    rules = Rules.of("blackout_jokers")
    called: list[View] = []

    def watch(match: Match, seat: int, seen: View) -> None:
        if seen.joker_calls:
            called.append(seen)

    played(rules, ["random"] * 5, watch=watch)
    assert Worlds(rules, called[0]).count
    with pytest.raises(NoWorld, match="call"):
        Worlds(rules, called[0]._replace(joker_calls=()))


def test_worlds_before_and_after_the_match_are_refused() -> None:
    rules = Rules.of("pagat_standard")
    match = Match(rules, 4, first_dealer=0, decks=lambda _: [])
    with pytest.raises(ValueError, match="being played"):
        Worlds(rules, view(match, 0))


def test_the_same_draws_give_the_same_world() -> None:
    worlds = Worlds(*a_view(plays=5))
    drawn = [worlds.draw(Words(b"seed", b"label").draw) for _ in range(2)]
    assert drawn[0] == drawn[1]
