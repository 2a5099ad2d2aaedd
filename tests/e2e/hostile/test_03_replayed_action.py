"""One action sent a thousand times over four connections is done once."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc

from ohhell.v1 import match_pb2, tables_pb2
from tests.doubles.serving import person_at, refused, serving, someone


async def test_a_card_played_a_thousand_times_at_once_is_played_once(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with AsyncExitStack() as open_:
            stubs = [
                await open_.enter_async_context(person_at(service.game))
                for _ in range(4)
            ]
            anna = await someone(stubs[0], seed=7)
            while (view := await anna.turn()).ask != match_pb2.ASK_PLAY:
                await anna.act(view)
            decision = match_pb2.Decision(seq=view.seq, seat=anna.seat)
            play = tables_pb2.PlayCardRequest(
                table=anna.table, decision=decision, card=view.legal_cards[0]
            )
            answers = await asyncio.gather(
                *(
                    stub.PlayCard(play, metadata=anna.token)
                    for _ in range(250)
                    for stub in stubs
                )
            )
            assert {answer.entry for answer in answers} == {view.seq + 1}
            assert sum(not answer.duplicate for answer in answers) == 1
            before = await anna.view()
            play.card = view.legal_cards[-1]
            refusal = await refused(stubs[1].PlayCard(play, metadata=anna.token))
            assert (refusal.code, refusal.reason) == (
                grpc.StatusCode.ALREADY_EXISTS,
                "DECISION_ALREADY_ANSWERED",
            )
            assert refusal.metadata["entry"] == str(view.seq + 1)
            after = await anna.view()
            assert after.SerializeToString() == before.SerializeToString()
            watch = stubs[2].WatchTable(
                tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat),
                metadata=anna.token,
            )
            own = 0
            async for message in watch:
                if message.entry.seq == before.seq:
                    break
                own += message.entry.HasField("played") and (
                    message.entry.played.seat == anna.seat
                )
            watch.cancel()
            assert own == 1
