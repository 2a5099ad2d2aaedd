"""Ends of seats that were on their way when the stream to the bot broke."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from ohhell.v1 import frames_pb2, match_pb2
from tests.doubles.frames import FrameClient, answer, frame_client
from tests.doubles.network import Network, network
from tests.doubles.stage import Stage, staged

SHORTEST: dict[str, object] = {"deal_shape": "list", "deal_list": [1]}
PRESENCE = frames_pb2.NOTICE_KIND_PRESENCE


@asynccontextmanager
async def far_away(
    stage: Stage, bot: str
) -> AsyncIterator[tuple[Network, FrameClient, str]]:
    """A stream through a network that the test breaks, and its session's id."""
    token = stage.tokens[bot] = stage.host.bots.register(bot)
    async with (
        network(f"127.0.0.1:{stage.port}") as cable,
        frame_client(cable.address, token) as client,
    ):
        welcome = await client.hello(instance_id=bot, entries=True)
        yield cable, client, welcome.session_id


def pong(beat: frames_pb2.ServerFrame) -> frames_pb2.ClientFrame:
    return frames_pb2.ClientFrame(pong=frames_pb2.Pong(nonce=beat.heartbeat.nonce))


async def come_back(stage: Stage, bot: str, session: str) -> FrameClient:
    return await stage.connect(bot, entries=True, resume_session_id=session)


async def hear(stage: Stage, bot: str, session: str, client: FrameClient) -> None:
    """Answers the next beat: from then on no stream says anything of what is over."""
    beat = await client.next("heartbeat")
    table = stage.open_table(bot, "lowest", "lowest", overrides=SHORTEST)
    await client.send(pong(beat), answer(await client.prompt()))
    # The next question comes once both have been read.
    await client.prompt()
    last = await come_back(stage, bot, session)
    assert (await last.next("seat", "ended")).seat.table == table.setup.table
    ended = await last.play(lambda frame: frame.HasField("ended"))
    assert list(ended.ended.scores) == list(table.match.scores)
    assert table.outcome is not None


async def test_an_end_that_was_sent_and_never_came_is_told_on_the_next_stream() -> None:
    async with staged() as stage:
        (ben,) = await stage.seats("ben")
        async with far_away(stage, "anna") as (cable, anna, session):
            table = stage.open_table("ben", "anna", "lowest", overrides=SHORTEST)
            handle = (await anna.next("seat")).seat.handle
            last = await ben.prompt()
            await ben.send(answer(last))
            asked = await anna.prompt()
            heard = anna.entries[-1].seq
            ack = frames_pb2.ClientFrame(ack=frames_pb2.Ack(handle=handle, seq=heard))
            await anna.send(ack, answer(asked))
            card = await ben.prompt()
            cable.vanish()
            await ben.send(answer(card))
            table.cancel()
            assert (await ben.next("ended")).ended.handle
            assert stage.host.arena.streams()["anna"] == 1
            cable.cut()
        back = await come_back(stage, "anna", session)
        seat = (await back.next("seat")).seat
        assert (seat.table, seat.handle) == (table.setup.table, handle)
        ended = (await back.next("ended")).ended
        assert (ended.handle, ended.reason) == (
            handle,
            frames_pb2.END_REASON_CANCELLED,
        )
        told = [entry.seq for entry in back.entries]
        assert told == list(range(heard + 1, table.match.seq + 1))
        await hear(stage, "anna", session, back)


async def test_an_end_is_told_again_until_the_bot_has_answered_the_beat_behind_it() -> (
    None
):
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", overrides=SHORTEST)
        session = table.players[0].session.session_id  # type: ignore[attr-defined]  # of a stream
        ended = await anna.play(lambda frame: frame.HasField("ended"))
        # It has come, but the service cannot know: what would say so is not sent.
        anna.call.cancel()
        streams = [await come_back(stage, "anna", session) for _ in range(3)]
        for back in streams:
            assert (await back.next("seat")).seat.table == table.setup.table
            assert (await back.next("ended")).ended == ended.ended
        await hear(stage, "anna", session, streams[-1])


async def test_what_a_bot_left_is_said_to_be_left_on_the_next_stream() -> None:
    async with staged() as stage:
        (ben,) = await stage.seats("ben")
        async with far_away(stage, "anna") as (cable, anna, session):
            stage.open_table("anna", "ben", "lowest")
            asked = await anna.prompt()
            leave = frames_pb2.Leave(handle=asked.handle)
            await anna.send(frames_pb2.ClientFrame(leave=leave))
            # From now on the house plays for her, and ben is asked.
            assert (await ben.prompt()).ask == match_pb2.ASK_BID
            cable.cut()
        back = await come_back(stage, "anna", session)
        assert (await back.next("seat")).seat.handle == asked.handle
        ended = (await back.next("ended")).ended
        assert (ended.handle, ended.reason) == (
            asked.handle,
            frames_pb2.END_REASON_LEFT,
        )


async def test_all_ends_are_told_though_the_next_stream_breaks_as_well() -> None:
    tables = 200
    async with staged() as stage:
        async with far_away(stage, "anna") as (cable, anna, session):
            opened = [
                stage.open_table("anna", "lowest", "lowest", overrides=SHORTEST)
                for _ in range(tables)
            ]
            for _ in opened:
                await anna.next("seat")
            cable.vanish()
            for table in opened[: tables // 2]:
                table.cancel()
            cable.cut()
        for table in opened[tables // 2 :]:
            table.cancel()
        async with frame_client(stage.port, stage.tokens["anna"]) as second:
            welcome = await second.hello(instance_id="anna", resume_session_id=session)
            assert welcome.resumed
        third = await come_back(stage, "anna", session)
        names = {table.setup.table for table in opened}
        seats: dict[int, str] = {}
        for _ in range(tables):
            seat = (await third.next("seat")).seat
            seats[seat.handle] = seat.table
            assert (await third.next("ended")).ended.handle == seat.handle
        assert set(seats.values()) == names
        await hear(stage, "anna", session, third)


async def test_an_end_that_a_goodbye_has_overtaken_is_told_on_the_next_stream() -> None:
    async with staged() as stage:
        (anna,) = await stage.seats("anna")
        table = stage.open_table("anna", "lowest", "lowest", overrides=SHORTEST)
        session = table.players[0].session.session_id  # type: ignore[attr-defined]  # of a stream
        await anna.send(answer(await anna.prompt()))
        goodbye = frames_pb2.ClientFrame(goodbye=frames_pb2.Goodbye())
        await anna.send(answer(await anna.prompt()), goodbye)
        assert (await anna.status())[0] is grpc.StatusCode.OK
        back = await come_back(stage, "anna", session)
        seat = (await back.next("seat")).seat
        assert (await back.next("ended")).ended.handle == seat.handle
