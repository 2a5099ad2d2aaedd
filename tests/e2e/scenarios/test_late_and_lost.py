"""Answers that cross, and streams that are lost, taken over or closed."""

from __future__ import annotations

import asyncio

import grpc

from engine.events import Cause
from ohhell.v1 import arena_pb2, frames_pb2
from server.clock import TimeControl
from server.table import Table
from tests.doubles.frames import FrameClient, answer
from tests.doubles.patience import PATIENCE_S
from tests.doubles.stage import notice_of, staged

BLITZ = TimeControl(per_decision_ms=30)
SLOW = TimeControl(per_decision_ms=3_600_000)
PRESENCE = frames_pb2.NOTICE_KIND_PRESENCE
DEFAULTED = "DECISION_DEFAULTED"
SHORTEST: dict[str, object] = {"deal_shape": "list", "deal_list": [1]}


async def until_seq(table: Table, seq: int) -> None:
    """Waits for an entry without looking at a clock."""
    reached = asyncio.Event()

    def listener(now: int) -> None:
        if now >= seq:
            reached.set()

    table.audience.listen(listener)
    listener(table.match.seq)
    async with asyncio.timeout(PATIENCE_S):
        await reached.wait()


async def vanish(client: FrameClient) -> None:
    """The end of a stream without a word."""
    client.call.cancel()
    assert await client.call.code() is grpc.StatusCode.CANCELLED


async def test_an_answer_that_crosses_the_fallback_is_no_further_fault() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=BLITZ)
        asked = await anna.prompt()
        withdrawn = (await anna.next("withdrawn")).withdrawn
        assert (withdrawn.seq, withdrawn.reason) == (asked.seq, "DEFAULTED")
        await anna.send(answer(asked, bid=asked.legal_bids[-1]))
        late = (await anna.next("result")).result
        assert (late.accepted, late.reason) == (False, DEFAULTED)
        entry = table.match.entry(asked.seq + 1)
        assert entry.cause is Cause.FALLBACK
        # More than one where the next prompt has expired by now, too.
        causes = [table.match.entry(seq + 1).cause for seq in range(table.match.seq)]
        expired = causes.count(Cause.FALLBACK)
        assert table.guards[0].as_counts() == {"DEADLINE": min(expired, 3)}
        # The worker was taken until then: only now the next prompt comes.
        assert (await anna.prompt()).seq > asked.seq


async def test_answers_to_what_was_taken_back_are_free_once_and_then_a_flood() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=BLITZ)
        asked = await anna.prompt()
        await anna.next("withdrawn")
        await anna.send(*[answer(asked)] * 100)
        assert (await anna.next("result")).result.reason == DEFAULTED
        assert "FLOOD" not in table.guards[0].as_counts()
        await anna.send(*[answer(asked)] * 3)
        code, _ = await anna.status()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert table.guards[0].as_counts()["FLOOD"] == 1
        # The fallback player keeps the seat, so that nobody waits for it.
        await stage.until_ended()


async def test_a_bot_that_comes_back_in_mid_trick_misses_nothing() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("lowest", "anna", "lowest", clock=SLOW)
        await anna.send(answer(await anna.prompt()))
        asked = await anna.prompt()
        assert len(asked.plays) % 3 == 1
        known = [entry.seq for entry in anna.entries]
        ack = frames_pb2.Ack(handle=asked.handle, seq=known[1])
        # The nonsense after it is answered, so that the first has been read.
        await anna.send(frames_pb2.ClientFrame(ack=ack), frames_pb2.ClientFrame())
        await anna.next("notice")
        await vanish(anna)
        back = await stage.connect("anna", entries=True)
        seat = (await back.next("seat")).seat
        assert (seat.table, seat.handle) == (table.setup.table, asked.handle)
        again = await back.prompt()
        assert (again.seq, again.attempt) == (asked.seq, asked.attempt)
        assert list(again.plays) == list(asked.plays)
        # What was acknowledged does not come again, everything after it does.
        assert [entry.seq for entry in back.entries] == list(
            range(known[1] + 1, asked.seq + 1)
        )
        await back.send(answer(again))
        await back.prompt()
        assert table.match.entry(asked.seq + 1).cause is Cause.ANSWER
        assert table.guards[1].as_counts() == {}


async def test_the_newer_of_two_streams_of_a_process_takes_over() -> None:
    async with staged() as stage:
        (old,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=SLOW)
        asked = await old.prompt()
        new = await stage.connect("anna", entries=True)
        again = await new.prompt()
        assert (again.handle, again.seq) == (asked.handle, asked.seq)
        code, _ = await old.status()
        assert code is grpc.StatusCode.ABORTED
        kinds = [f.notice.kind for f in old.unread if f.HasField("notice")]
        assert kinds[-1] == frames_pb2.NOTICE_KIND_SUPERSEDED
        await new.send(answer(again, bid=1))
        await new.prompt()
        assert table.match.entry(asked.seq + 1).cause is Cause.ANSWER


async def test_frames_of_a_superseded_stream_are_ignored() -> None:
    async with staged() as stage:
        (old,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=SLOW)
        asked = await old.prompt()
        session = table.players[0].session  # type: ignore[attr-defined]  # a Seat
        stale = session.transport
        new = await stage.connect("anna", entries=True)
        again = await new.prompt()
        before = table.match.digest()
        stale.read([answer(asked, bid=1)])
        assert table.match.digest() == before
        await new.send(answer(again, bid=0))
        await new.prompt()
        assert table.match.entry(asked.seq + 1).cause is Cause.ANSWER


async def test_another_answer_than_an_earlier_stream_gave_is_stale() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=SLOW)
        asked = await anna.prompt()
        await anna.send(answer(asked, bid=1))
        await until_seq(table, asked.seq + 1)
        await vanish(anna)
        back = await stage.connect("anna", entries=True)
        await back.prompt()
        # The library never heard that its answer was taken, and thought again.
        await back.send(answer(asked, bid=2))
        told = (await back.next("result")).result
        assert told.reason == "STALE_DECISION"
        assert table.guards[0].as_counts() == {}


async def test_two_processes_of_a_bot_share_its_tables() -> None:
    async with staged() as stage:
        first = await stage.connect("anna", instance_id="one")
        second = await stage.connect("anna", instance_id="two")
        stage.open_table("anna", "lowest", "lowest")
        stage.open_table("anna", "lowest", "lowest")
        tables = {(await c.next("seat")).seat.table for c in (first, second)}
        assert tables == {"t1", "t2"}


async def test_an_outage_shorter_than_the_limit_costs_nothing() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", clock=SLOW)
        asked = await anna.prompt()
        await vanish(ben)
        gone = await notice_of(anna, PRESENCE)
        assert (gone.seat, gone.reason) == (1, "AWAY")
        back = await stage.connect("ben", entries=True)
        here = await notice_of(anna, PRESENCE)
        assert (here.seat, here.reason) == (1, "HERE")
        await anna.send(answer(asked))
        await back.prompt()
        assert table.guards[1].as_counts() == {}


async def test_a_longer_outage_is_one_fault_and_the_match_goes_on() -> None:
    async with staged(away_ms=30) as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest")
        asked = await anna.prompt()
        await vanish(ben)
        await notice_of(anna, PRESENCE)
        # Ben's questions were never sent: without him the fallback player decides.
        await anna.send(answer(asked))
        while not (frame := await anna.next("prompt", "ended")).HasField("ended"):
            await anna.send(answer(frame.prompt))
        assert table.outcome is not None
        assert table.outcome.faults[1] == {"DISCONNECT": 1}


async def test_a_match_that_ended_during_an_outage_is_told_to_the_same_process() -> (
    None
):
    async with staged(away_ms=30) as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", overrides=SHORTEST)
        asked = await anna.prompt()
        handle = (await ben.next("seat")).seat.handle
        session = table.players[1].session  # type: ignore[attr-defined]  # of a stream
        await vanish(ben)
        await notice_of(anna, PRESENCE)
        await anna.send(answer(asked))
        await anna.play(lambda frame: frame.HasField("ended"))
        back = await stage.connect(
            "ben", entries=True, resume_session_id=session.session_id
        )
        assert (await back.next("seat")).seat.handle == handle
        ended = (await back.next("ended")).ended
        assert (ended.handle, list(ended.scores)) == (handle, list(table.match.scores))
        assert [entry.seq for entry in back.entries] == list(
            range(1, table.match.seq + 1)
        )


async def test_another_process_is_not_told_what_the_one_before_it_played() -> None:
    async with staged(away_ms=30) as stage:
        anna, ben = await stage.seats("anna", "ben")
        stage.open_table("anna", "ben", "lowest", overrides=SHORTEST)
        asked = await anna.prompt()
        await vanish(ben)
        await notice_of(anna, PRESENCE)
        await anna.send(answer(asked))
        await anna.play(lambda frame: frame.HasField("ended"))
        back = await stage.connect("ben", entries=True)
        stage.open_table("ben", "lowest", "lowest", overrides=SHORTEST)
        assert (await back.next("seat", "ended")).seat.table == "t2"


async def test_many_short_outages_of_one_match_have_a_limit_together() -> None:
    async with staged(away_ms=3_600_000, away_in_match_ms=40) as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", clock=SLOW)
        asked = await anna.prompt()
        await vanish(ben)
        await notice_of(anna, PRESENCE)
        await anna.send(answer(asked))
        await until_seq(table, asked.seq + 2)
        assert table.match.entry(asked.seq + 2).cause is Cause.FALLBACK
        assert table.guards[1].as_counts() == {"DISCONNECT": 1}


async def test_an_open_prompt_keeps_its_clock_during_an_outage() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table(
            "anna", "lowest", "lowest", clock=TimeControl(per_decision_ms=60)
        )
        asked = await anna.prompt()
        await vanish(anna)
        await until_seq(table, asked.seq + 1)
        assert table.match.entry(asked.seq + 1).cause is Cause.FALLBACK
        assert table.guards[0].as_counts()["DEADLINE"] == 1


async def test_a_question_without_any_answer_ends_the_stream_as_a_hang() -> None:
    async with staged(hang_ms=30) as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=BLITZ)
        await anna.prompt()
        await anna.next("withdrawn")
        code, _ = await anna.status()
        assert code is grpc.StatusCode.ABORTED
        assert table.guards[0].as_counts()["HANG"] == 1


async def test_frames_that_mean_nothing_are_no_outage_besides() -> None:
    async with staged(away_ms=30) as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=BLITZ)
        await anna.prompt()
        await anna.send(*[frames_pb2.ClientFrame()] * 5)
        code, _ = await anna.status()
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        await stage.until_ended()
        assert table.outcome is not None
        counts = table.outcome.faults[0]
        assert counts["PROTOCOL"] == 1
        assert "DISCONNECT" not in counts


async def test_a_second_stream_full_of_nonsense_costs_the_seat() -> None:
    async with staged() as stage:
        table = None
        for _ in range(2):
            (anna,) = await stage.seats("anna")
            table = table or stage.open_table("anna", "lowest", "lowest", clock=SLOW)
            await anna.prompt()
            await anna.send(*[frames_pb2.ClientFrame()] * 5)
            await anna.status()
        await stage.until_ended()
        assert table is not None
        assert table.guards[0].as_counts() == {"PROTOCOL": 2}
        assert {entry.cause for entry in table.match.entries()} <= {
            Cause.RULES,
            Cause.FALLBACK,
            Cause.ANSWER,
        }


async def test_a_seat_that_an_operator_takes_away_is_no_fault_of_the_bot() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        table = stage.open_table("anna", "ben", "lowest", clock=SLOW)
        asked = await anna.prompt()
        stage.host.dismiss("anna")
        left = await notice_of(ben, PRESENCE)
        assert (left.seat, left.reason) == (0, "LEFT")
        assert (await anna.next("withdrawn")).withdrawn.seq == asked.seq
        assert table.match.entry(asked.seq + 1).cause is Cause.OPERATOR
        assert table.guards[0].as_counts() == {}


async def test_goodbye_ends_the_stream_and_keeps_the_seat() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", clock=SLOW)
        asked = await anna.prompt()
        goodbye = frames_pb2.Goodbye(reason="done")
        await anna.send(frames_pb2.ClientFrame(goodbye=goodbye))
        assert (await anna.status())[0] is grpc.StatusCode.OK
        back = await stage.connect("anna", entries=True)
        assert (await back.prompt()).seq == asked.seq
        assert table.guards[0].as_counts() == {}


async def test_acknowledging_what_was_never_sent_is_told() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        stage.open_table("anna", "lowest", "lowest")
        asked = await anna.prompt()
        ack = frames_pb2.Ack(handle=asked.handle, seq=asked.seq + 100)
        await anna.send(frames_pb2.ClientFrame(ack=ack))
        told = await notice_of(anna, frames_pb2.NOTICE_KIND_PROTOCOL)
        assert told.reason == "SEQ_IN_FUTURE"


def test_both_directions_have_the_same_frames() -> None:
    """What is tested here holds for bots that are dialled, too."""
    assert (
        arena_pb2.PlayResponse.DESCRIPTOR.fields[0].message_type
        is arena_pb2.ConnectRequest.DESCRIPTOR.fields[0].message_type
    )
