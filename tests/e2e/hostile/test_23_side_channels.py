"""Lengths, questions and refusals that must not depend on hidden cards."""

from __future__ import annotations

from pathlib import Path

import grpc

from ohhell.v1 import match_pb2, rules_pb2, tables_pb2
from tests.doubles.frames import answer, frame_client
from tests.doubles.serving import (
    person_at,
    registered,
    seat_bot,
    serving,
    someone,
)

Watching = grpc.aio.UnaryStreamMultiCallable[tables_pb2.WatchTableRequest, bytes]

FIVE = rules_pb2.RulesSpec(
    preset="pagat_standard",
    overrides={
        "deal_shape": '"list"',
        "deal_list": "[5]",
        "first_dealer": '"seat:2"',
    },
)
SHORT = rules_pb2.RulesSpec(preset="pagat_standard", overrides={"deal_high": "2"})


async def test_a_dealt_hand_has_one_length_whatever_its_cards(tmp_path: Path) -> None:
    hands = set()
    lengths = set()
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game) as channel,
        ):
            # As it comes: nothing is read into a message and written again.
            watch: Watching = channel.unary_stream(
                "/ohhell.v1.TableService/WatchTable",
                request_serializer=tables_pb2.WatchTableRequest.SerializeToString,
            )
            for seed in range(20):
                anna = await someone(tables, rules=FIVE, seed=seed)
                request = tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat)
                async for data in watch(request, metadata=anna.token):
                    told = tables_pb2.WatchTableResponse.FromString(data)
                    if told.entry.HasField("dealt"):
                        hands.add(tuple(told.entry.dealt.cards))
                        lengths.add(len(data))
                        break
    assert len(hands) == 20
    assert len(lengths) == 1


async def test_a_forced_card_is_asked_for_like_any_other(tmp_path: Path) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(entries=True)
            await seat_bot(tables, token, rules=SHORT)
            own = (await anna.next("seat")).seat.seat
            forced = 0
            while not (frame := await anna.next("prompt", "ended")).HasField("ended"):
                prompt = frame.prompt
                forced += (
                    prompt.ask == match_pb2.ASK_PLAY and len(prompt.legal_cards) == 1
                )
                await anna.send(answer(prompt))
    plays = [entry.played for entry in anna.entries if entry.HasField("played")]
    # 2, 1 and 2 cards: every one of them was asked for.
    assert sum(play.seat == own for play in plays) == 5
    assert forced > 0


async def test_what_is_not_held_is_refused_like_what_may_not_be_played(
    tmp_path: Path,
) -> None:
    """Both are told at once, in the same form; neither closes the decision."""
    shapes: dict[str, set[str]] = {}
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello()
            await seat_bot(tables, token)
            while shapes.keys() != {"CARD_NOT_HELD", "MUST_FOLLOW"}:
                prompt = await anna.prompt()
                if prompt.ask == match_pb2.ASK_PLAY:
                    wrong = {int(card) for card in prompt.hand} - set(
                        prompt.legal_cards
                    )
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
