"""What is told beside the numbered entries, and to whom."""

from __future__ import annotations

import time

import pytest

from engine.rules import Rules
from ohhell.v1 import frames_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.arena import BotDeclines
from server.clock import TimeControl
from server.rpc import watching
from server.rpc.frame_watches import FrameWatch
from tests.doubles.frames import answer
from tests.doubles.stage import notice_of, staged

CLOCKED = TimeControl(per_decision_ms=3_600_000)
STOPPED = frames_pb2.NOTICE_KIND_CLOCK_STOPPED
DRAINING = frames_pb2.NOTICE_KIND_DRAINING
PRESENCE = frames_pb2.NOTICE_KIND_PRESENCE
PROTOCOL = frames_pb2.NOTICE_KIND_PROTOCOL
SKIPPED = frames_pb2.NOTICE_KIND_SKIPPED


def watching_frame(handle: int, table: str, after: int = 0) -> frames_pb2.ClientFrame:
    return frames_pb2.ClientFrame(
        watch=frames_pb2.Watch(handle=handle, table=table, after_seq=after)
    )


async def test_clocks_stand_still_while_the_server_is_late_and_say_so() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        # Long enough for a busy machine: what is looked at is how the deadline moves.
        limit = TimeControl(per_decision_ms=10_000)
        table = stage.open_table("anna", "lowest", "lowest", clock=limit)
        asked = await anna.prompt()
        question = table.open[0]
        assert question is not None
        before = question.deadline
        time.sleep(0.5)  # noqa: ASYNC251 - this loop, the server's too, is to be late
        told = await notice_of(anna, STOPPED)
        assert told.reason == "LAG"
        assert told.milliseconds >= 300
        assert question.deadline > before + 0.3
        await anna.send(answer(asked))
        await anna.prompt()
        assert table.guards[0].as_counts() == {}


async def test_clocks_stop_for_a_drain_and_everybody_is_told() -> None:
    async with staged() as stage:
        anna, ben = await stage.seats("anna", "ben")
        idle = await stage.connect("idle")
        limit = TimeControl(per_decision_ms=10_000)
        table = stage.open_table("anna", "ben", "lowest", clock=limit)
        asked = await anna.prompt()
        stage.host.drain(7_000)
        for client in (anna, ben, idle):
            assert (await notice_of(client, DRAINING)).milliseconds == 7_000
        stopped = await notice_of(anna, STOPPED)
        assert (stopped.reason, stopped.handle) == ("DRAINING", asked.handle)
        question = table.open[0]
        assert question is not None
        assert question.deadline == 0
        await anna.send(answer(asked))
        # What is asked from now on has no clock either.
        await ben.prompt()
        opened = table.open[1]
        assert opened is not None
        assert opened.deadline == 0


async def test_a_bot_is_not_seated_where_it_declines_the_rules() -> None:
    async with staged() as stage:
        await stage.connect("shy", declines=["bid_cards", "hook=false", "forehead"])
        stage.open_table("shy", "lowest", "lowest")
        for overrides in ({"hook": False}, {"forehead": "all_one_card"}):
            rules = Rules.of("pagat_standard", overrides, players=3)
            with pytest.raises(BotDeclines, match=r"hook=false|forehead"):
                stage.host.player("shy", 0, rules)


async def test_another_process_of_the_bot_takes_what_the_first_declines() -> None:
    async with staged() as stage:
        await stage.connect("shy", instance_id="one", declines=["simultaneous"])
        await stage.connect("shy", instance_id="two")
        rules = Rules.of("simultaneous", {}, players=3)
        seat = stage.host.player("shy", 0, rules)
        assert seat.session.instance_id == "two"


async def test_a_stream_watches_a_table_where_its_bot_has_no_seat() -> None:
    async with staged() as stage:
        owner = await stage.connect("owner")
        spy = await stage.connect("spy")
        tables = tables_pb2_grpc.TableServiceStub(owner.channel)
        wanted = tables_pb2.CreateTableRequest(
            rules=rules_pb2.RulesSpec(preset="pagat_standard"),
            players=3,
            house_bots=["lowest", "lowest"],
            spectators=tables_pb2.SPECTATOR_POLICY_OPEN,
        )
        created = await tables.CreateTable(wanted, metadata=owner.metadata)
        table = created.table.table
        # It has not begun, which is as good as not there.
        await spy.send(watching_frame(77, table))
        assert (await notice_of(spy, PROTOCOL)).reason == "RESOURCE_NOT_VISIBLE"
        join = tables_pb2.JoinTableRequest(table=table, ticket=created.tickets[0])
        await tables.JoinTable(join, metadata=owner.metadata)
        asked = await owner.prompt()
        await spy.send(watching_frame(77, table))
        snapshot = (await spy.next("snapshot")).snapshot
        assert (snapshot.handle, snapshot.HasField("seat")) == (77, False)
        assert (len(snapshot.hand), snapshot.ask) == (0, 0)
        await spy.send(watching_frame(77, table))
        assert (await notice_of(spy, PROTOCOL)).reason == "BAD_HANDLE"
        await owner.send(answer(asked))
        last = 0
        while not (frame := await owner.next("prompt", "ended")).HasField("ended"):
            last = frame.prompt.seq
            await owner.send(answer(frame.prompt))
        assert (await spy.next("ended")).ended.handle == 77
        seqs = [entry.seq for entry in spy.entries]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) > last
        dealt = spy.entries[0].dealt
        assert (len(dealt.cards), list(dealt.counts)) == (0, [0, 0, 0])


async def test_an_ended_watch_says_nothing_more() -> None:
    async with staged() as stage:
        owner, spy = await stage.connect("owner"), await stage.connect("spy")
        tables = tables_pb2_grpc.TableServiceStub(owner.channel)
        wanted = tables_pb2.CreateTableRequest(
            rules=rules_pb2.RulesSpec(preset="pagat_standard"),
            players=3,
            house_bots=["lowest", "lowest"],
            spectators=tables_pb2.SPECTATOR_POLICY_OPEN,
        )
        created = await tables.CreateTable(wanted, metadata=owner.metadata)
        table = created.table.table
        join = tables_pb2.JoinTableRequest(table=table, ticket=created.tickets[0])
        await tables.JoinTable(join, metadata=owner.metadata)
        asked = await owner.prompt()
        unwatch = frames_pb2.ClientFrame(unwatch=frames_pb2.Unwatch(handle=5))
        await spy.send(watching_frame(5, table))
        await spy.next("snapshot")
        # The nonsense after it is answered, so that what precedes it has been read.
        await spy.send(unwatch, frames_pb2.ClientFrame())
        await spy.next("notice")
        told = len(spy.entries)
        await owner.send(answer(asked))
        await owner.prompt()
        await spy.send(frames_pb2.ClientFrame())
        await spy.next("notice")
        assert len(spy.entries) == told


async def test_who_only_looks_on_and_falls_behind_is_shown_the_present(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "MAX_BEHIND", 5)
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest")
        asked = await anna.prompt()
        woken: list[None] = []
        watch = FrameWatch(table, 9, 0, changed=lambda: woken.append(None))
        # All from the beginning, however much that is.
        first = watch.take()
        seqs = [e.seq for f in first for e in f.entries.entries]
        assert seqs == list(range(1, asked.seq + 1))
        until = asked.seq + 10
        while table.match.seq < until:
            await anna.send(answer(asked))
            asked = await anna.prompt()
        late = watch.take()
        assert late[0].notice.kind == SKIPPED
        assert late[1].snapshot.seq == table.match.seq
        assert not any(f.HasField("entries") for f in late)
        assert woken
        watch.close()
