"""One action sent a thousand times over four connections is done once."""

from __future__ import annotations

import asyncio
import signal
import uuid
from contextlib import AsyncExitStack
from pathlib import Path

import grpc

from ohhell.v1 import match_pb2, rules_pb2, tables_pb2
from tests.doubles.serving import new_table, person_at, refused, serving, someone


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


async def test_a_table_opened_again_after_a_kill_is_the_table_that_there_was(
    tmp_path: Path,
) -> None:
    request = tables_pb2.CreateTableRequest(
        rules=rules_pb2.RulesSpec(preset="simple_down_up"),
        players=3,
        request_id=str(uuid.uuid4()),
    )
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            created = await tables.CreateTable(request)
        service.end(signal.SIGKILL)
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            again = await tables.CreateTable(request)
            assert again.table.table == created.table.table
            assert again.tickets == created.tickets
            request.players = 4
            refusal = await refused(tables.CreateTable(request))
            assert refusal.reason == "REQUEST_ID_REUSED"


async def test_no_stranger_hits_upon_the_request_id_of_another(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as anna,
            person_at(service.game) as stranger,
        ):
            for guessable in ("1", "table", str(uuid.uuid1())):
                for tables in (anna, stranger):
                    refusal = await refused(new_table(tables, request_id=guessable))
                    assert refusal.reason == "FIELD_INVALID"
            made = [
                await new_table(tables, request_id=str(uuid.uuid4()))
                for tables in (anna, stranger)
            ]
            assert made[0].tickets != made[1].tickets
