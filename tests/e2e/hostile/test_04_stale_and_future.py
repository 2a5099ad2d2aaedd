"""Numbers that are over, not yet there, or beyond all measure."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest

from ohhell.v1 import match_pb2, tables_pb2
from tests.doubles.serving import (
    Person,
    person_at,
    refusal_of,
    refused,
    serving,
    someone,
)

LARGEST = 2**32 - 1


async def seqs_of(person: Person, after: int) -> list[int]:
    """Entries up to the present, by a watch that begins after a number."""
    last = (await person.view()).seq
    watch = person.tables.WatchTable(
        tables_pb2.WatchTableRequest(
            table=person.table, seat=person.seat, after_seq=after
        ),
        metadata=person.token,
    )
    seen: list[int] = []
    async for message in watch:
        if message.HasField("entry"):
            seen.append(message.entry.seq)
        if not message.HasField("notice") and (
            seen[-1:] == [last] or (after == last and message.HasField("snapshot"))
        ):
            break
    watch.cancel()
    return seen


async def test_a_decision_is_current_over_or_unknown_and_nothing_changes(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, seed=7)
            while (view := await anna.turn()).ask != match_pb2.ASK_PLAY:
                await anna.act(view)
            before = await anna.view()
            for seq, code, reason in [
                (0, grpc.StatusCode.ABORTED, "STALE_DECISION"),
                (view.seq - 1, grpc.StatusCode.ABORTED, "STALE_DECISION"),
                (view.seq + 1, grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_DECISION"),
                (LARGEST, grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_DECISION"),
            ]:
                play = tables_pb2.PlayCardRequest(
                    table=anna.table,
                    decision=match_pb2.Decision(seq=seq, seat=anna.seat),
                    card=view.legal_cards[0],
                )
                refusal = await refused(tables.PlayCard(play, metadata=anna.token))
                assert (refusal.code, refusal.reason) == (code, reason), seq
                if reason == "STALE_DECISION":
                    assert refusal.metadata == {"decision": str(view.seq)}
            assert await anna.view() == before


async def test_a_watch_begins_where_it_is_told_and_never_beyond_the_end(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables, seed=7)
            while (view := await anna.turn()).ask != match_pb2.ASK_PLAY:
                await anna.act(view)
            assert await seqs_of(anna, 0) == list(range(1, view.seq + 1))
            assert await seqs_of(anna, 3) == list(range(4, view.seq + 1))
            assert await seqs_of(anna, view.seq) == []
            for after in (view.seq + 1, LARGEST):
                watch = tables.WatchTable(
                    tables_pb2.WatchTableRequest(
                        table=anna.table, seat=anna.seat, after_seq=after
                    ),
                    metadata=anna.token,
                )
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await watch.read()
                refusal = refusal_of(caught.value)
                assert (refusal.code, refusal.reason, refusal.metadata) == (
                    grpc.StatusCode.OUT_OF_RANGE,
                    "SEQ_IN_FUTURE",
                    {"last_seq": str(view.seq)},
                )
