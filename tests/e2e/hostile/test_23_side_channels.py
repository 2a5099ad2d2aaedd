"""Lengths, questions and refusals that must not depend on hidden cards."""

from __future__ import annotations

import random
from dataclasses import replace

from ohhell.v1 import arena_pb2, match_pb2
from tests.doubles.frames import answer
from tests.doubles.stage import staged
from tests.doubles.tables import setup

RULES: dict[str, object] = {"deal_shape": "list", "deal_list": [5]}


async def test_a_dealt_hand_has_one_length_whatever_its_cards() -> None:
    lengths = set()
    deck = list(setup(seats=3, overrides=RULES).decks(1))
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        for seed in range(20):
            cards = deck[:]
            random.Random(seed).shuffle(cards)  # noqa: S311 - decks of a test
            prepared = replace(
                setup(seats=3, overrides=RULES, table=f"t{seed:02}"),
                decks=lambda _deal, cards=cards: cards,  # type: ignore[misc]  # bound now
            )
            players = [stage.host.player("anna")]
            others = [stage.host.house_player("lowest") for _ in range(2)]
            table = stage.host.open_table(
                prepared, [*players, *others], lambda _table: None
            )
            entries = await anna.next("entries")
            entries.entries.handle = 1
            lengths.add(
                len(arena_pb2.ConnectResponse(frames=[entries]).SerializeToString())
            )
            await anna.prompt()
            table.cancel()
    assert len(lengths) == 1


async def test_a_forced_card_is_asked_for_like_any_other() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        stage.open_table("anna", "lowest", "lowest", overrides={"deal_high": 2})
        forced = 0
        while not (frame := await anna.next("prompt", "ended")).HasField("ended"):
            prompt = frame.prompt
            forced += prompt.ask == match_pb2.ASK_PLAY and len(prompt.legal_cards) == 1
            await anna.send(answer(prompt))
        played = [entry.played for entry in anna.entries if entry.HasField("played")]
        own = sum(play.seat == 0 for play in played)
        # 2, 1 and 2 cards: every one of them was asked for.
        assert own == 5
        assert forced > 0


async def test_what_is_not_held_is_refused_like_what_may_not_be_played() -> None:
    """Both are told at once, in the same form; neither closes the decision."""
    shapes: dict[str, set[str]] = {}
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        stage.open_table("lowest", "anna", "lowest")
        while shapes.keys() != {"CARD_NOT_HELD", "MUST_FOLLOW"}:
            prompt = await anna.prompt()
            if prompt.ask == match_pb2.ASK_PLAY:
                wrong = {int(card) for card in prompt.hand} - set(prompt.legal_cards)
                if "CARD_NOT_HELD" not in shapes:
                    wrong = set(range(1, 53)) - set(prompt.hand)
                if wrong:
                    await anna.send(answer(prompt, card=min(wrong)))
                    told = (await anna.next("result")).result
                    names = {field.name for field, _ in told.ListFields()}
                    shapes[told.reason] = names - {"legal_cards"}
                    prompt = await anna.prompt()
            await anna.send(answer(prompt))
    assert shapes["CARD_NOT_HELD"] == shapes["MUST_FOLLOW"]
