"""What a seat may not know changes no byte of what it is sent, nor any log."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.cards import card_text
from engine.fallback import Command, PlaceBid
from engine.view import View
from ohhell.v1 import arena_pb2, match_pb2
from server.players.port import Player
from tests.doubles.frames import answer
from tests.doubles.serving import person_at, serving, someone
from tests.doubles.stage import Stage, staged
from tests.doubles.tables import setup

SEATS = 3
SIZE = 4
RULES: dict[str, object] = {"deal_shape": "list", "deal_list": [SIZE]}
SHUFFLES = 12


def shuffled_elsewhere(deck: Sequence[int], seed: int) -> list[int]:
    """The same pack; the hand of seat 0 and the upcard stay where they are."""
    kept = {place for place in range(SIZE * SEATS) if place % SEATS == 0}
    kept.add(SIZE * SEATS)
    moved = [place for place in range(len(deck)) if place not in kept]
    cards = [deck[place] for place in moved]
    random.Random(seed).shuffle(cards)  # noqa: S311 - decks of a test
    result = list(deck)
    for place, card in zip(moved, cards, strict=True):
        result[place] = card
    return result


async def sent_to_seat_0(stage: Stage, deck: Sequence[int]) -> bytes:
    """Everything, in order, until it is to lead the first trick."""
    (anna,) = await stage.seats("anna")
    prepared = replace(
        setup(seats=SEATS, overrides=RULES, table="t"), decks=lambda _deal: deck
    )
    players: list[Player] = [stage.host.player("anna")]
    players += [stage.host.local_player(lambda *_: Zero()) for _ in range(SEATS - 1)]
    table = stage.host.open_table(prepared, players, lambda _table: None)
    sent = b""
    while True:
        frame = await anna.next("seat", "entries", "prompt", "notice", "snapshot")
        sent += arena_pb2.ConnectResponse(frames=[frame]).SerializeToString()
        if frame.HasField("prompt"):
            if frame.prompt.ask == match_pb2.ASK_PLAY:
                break
            await anna.send(answer(frame.prompt, bid=1))
    # An illegal card: what is refused tells no more.
    await anna.send(answer(frame.prompt, card=deck[1]))
    told = (await anna.next("result")).result
    told.message = ""
    sent += told.SerializeToString()
    table.cancel()
    return sent


class Zero:
    """Bids nothing; it is never asked for more."""

    def answer(self, view: View) -> Command:
        return PlaceBid(0)


async def test_hands_of_others_change_nothing_that_a_seat_is_sent() -> None:
    deck = list(setup(seats=SEATS, overrides=RULES).decks(1))
    seen = set()
    for seed in range(SHUFFLES):
        async with staged() as stage:
            seen.add(await sent_to_seat_0(stage, shuffled_elsewhere(deck, seed)))
    assert len(seen) == 1


async def test_no_log_line_and_no_metric_of_a_whole_match_names_a_card(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--log-level", "debug", shutdown__grace_s=0) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, seed=12)
            other = await someone(tables, seed=13)
            illegal = await other.turn()
            await anna.play_on()
            assert illegal.ask
        _, metrics = service.http("/metrics")
        service.end()
        log = service.log.read_text()
    names = "|".join(card_text(card) for card in range(1, 53))
    card = re.compile(rf"(?<![A-Za-z0-9_-])({names})(?![A-Za-z0-9_-])|CARD_[2-9TJQKA]")
    assert log
    assert not card.search(log)
    assert not card.search(metrics)
    assert "ohs_" not in log
    assert "seed" not in log
