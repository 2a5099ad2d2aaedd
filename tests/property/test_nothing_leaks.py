"""Non-interference: other hidden cards, and nothing that a viewer gets is different.

A whole world is drawn that the viewer cannot tell from the real one, the match is
played again in it with the same commands, and then everything that reaches the viewer
is compared: its view, all entries, and what it is told about commands that are wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from engine.errors import Refusal
from engine.events import Dealt, split_by_seat
from engine.match import Match
from engine.parameters import BidMode
from engine.phase import Phase
from engine.presets import preset_names
from engine.rules import Rules
from engine.view import project, view
from engine.visibility import SPECTATOR, Viewer
from engine.worlds import World, Worlds
from tests.property.test_matches import (
    Sent,
    decks_of,
    known_to,
    not_offered,
    send,
    started,
    step,
)

LOOKS = 3


def deck_of(match: Match, world: World) -> list[int]:
    """A pack that deals this world; cards that stay in a hand keep their places."""
    players = match.players
    first = next(
        e.event for e in reversed(match.entries()) if isinstance(e.event, Dealt)
    )
    dealt = [list(hand) for hand in split_by_seat(first.cards, first.counts)]
    played: list[list[int]] = [[] for _ in range(players)]
    for number, card in enumerate(match.plays):
        trick, place = divmod(number, players)
        played[(match.leaders[trick] + place) % players].append(card)
    for seat in range(players):
        cards = [*played[seat], *world.laid[seat], *world.hands[seat]]
        if match.deal.orders is None:
            come = list((Counter(cards) - Counter(dealt[seat])).elements())
            go = Counter(dealt[seat]) - Counter(cards)
            for place, card in enumerate(dealt[seat]):
                if go[card]:
                    go[card] -= 1
                    dealt[seat][place] = come.pop()
        else:
            dealt[seat] = cards
    eldest_first = [dealt[(match.dealer + 1 + i) % players] for i in range(players)]
    deck = [card for cards in zip(*eldest_first, strict=True) for card in cards]
    return [*deck, *([world.upcard] if world.upcard else []), *world.stock]


def twin_of(match: Match, sent: list[Sent], world: World) -> Match:
    """The match played again with the same commands, in another world since this deal.

    Cards laid aside are told by their place: other cards lie there.
    """
    deal, decks, deck = match.deal_no, decks_of(match), deck_of(match, world)
    twin = Match(
        match.rules,
        match.players,
        first_dealer=match.first_dealer,
        decks=lambda number: deck if number == deal else decks(number),
    )
    twin.start()
    for command in sent:
        if command.name == "lay" and twin.deal_no == deal:
            send(twin, command._replace(value=world.laid[command.seat]))
        else:
            send(twin, command)
    return twin


def refusals(
    match: Match, commands: list[Sent]
) -> list[tuple[str, Mapping[str, object]]]:
    """What is said about commands that are wrong."""
    told = []
    for command in commands:
        with pytest.raises(Refusal) as refused:
            send(match, command)
        told.append((str(refused.value), refused.value.details))
    return told


def look(match: Match, sent: list[Sent], viewer: Viewer, rng: Random) -> bool:
    """Compares one other world; whether it differs from the real one at all."""
    seen = view(match, viewer)
    # Worlds keep what the view tells, so it must not tell more than it may.
    told = {*seen.hand, *seen.shown_cards, *seen.bid_cards, seen.upcard}
    assert told <= {0, *known_to(viewer, match)}
    world = Worlds(match.rules, seen).draw(rng.randrange)
    twin = twin_of(match, sent, world)
    assert view(twin, viewer) == seen
    assert twin.seq == match.seq
    for mine, yours in zip(match.entries(), twin.entries(), strict=True):
        assert project(mine, viewer) == project(yours, viewer)
    if isinstance(viewer, int):
        wrong = not_offered(match, viewer, rng)
        assert refusals(twin, wrong) == refusals(match, wrong)
    return twin.hands != match.hands or twin.laid != match.laid


@pytest.mark.parametrize("preset", preset_names())
def test_hidden_cards_change_nothing_that_anybody_else_gets(preset: str) -> None:
    rules = Rules.of(preset)
    table = rules, min(rules.players)
    rng = Random(preset)  # noqa: S311 - choices in a test
    match = started(table, seed=1)
    sent: list[Sent] = []
    looks: Counter[tuple[object, ...]] = Counter()
    differed = 0
    while match.phase is not Phase.OVER:
        stage = match.kind, match.forehead, match.phase
        if looks[stage] < LOOKS and rng.random() < 0.15:
            looks[stage] += 1
            for viewer in (*range(match.players), SPECTATOR):
                differed += look(match, sent, viewer, rng)
        sent.append(step(match, rng))
    assert looks[match.kind, False, Phase.PLAYING] == LOOKS
    assert differed > LOOKS


@pytest.mark.parametrize("bid_mode", [BidMode.SIMULTANEOUS, BidMode.BID_CARDS])
def test_secret_bids_change_nothing_that_anybody_else_gets(bid_mode: BidMode) -> None:
    secret = bid_mode is BidMode.SIMULTANEOUS
    rules = Rules.of("simultaneous" if secret else "ninety_nine")
    first, second = (started((rules, 3), seed=2) for _ in range(2))
    *others, viewer = first.to_act()
    for match, shift in ((first, 0), (second, 1)):
        for seat in others:
            if secret:
                match.bid(seat, shift)
            else:
                match.lay(seat, match.hands[seat][shift : shift + 3])
    for watcher in (viewer, SPECTATOR):
        assert view(first, watcher) == view(second, watcher)
    assert first.entries() == second.entries()
    wrong = not_offered(first, viewer, Random(1))  # noqa: S311 - choices in a test
    assert refusals(first, wrong) == refusals(second, wrong)
