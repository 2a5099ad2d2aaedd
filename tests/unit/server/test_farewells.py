"""Ends of seats over the streams of a session, frame by frame, without a network."""

from __future__ import annotations

from bots.local import LOCAL_FACTORIES
from ohhell.v1 import arena_pb2, frames_pb2
from server.host import Host
from server.players.port import Link, Player
from server.rpc.arena import admit
from server.rpc.outbox import MAX_FRAMES_SENT
from server.rpc.stream import Stream
from server.table import Table
from tests.doubles.tables import setup

BOT = "anna"


def came(host: Host, session_id: str = "", *, entries: bool = False) -> Stream:
    hello = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        instance_id=BOT,
        resume_session_id=session_id,
        entries=entries,
    )
    return admit(host, BOT, hello, Link.DIAL_IN)


def said(stream: Stream) -> list[frames_pb2.ServerFrame]:
    """What its writer would send now."""
    return list(arena_pb2.ConnectResponse.FromString(stream.take()).frames)


def beat(frames: list[frames_pb2.ServerFrame]) -> int:
    """The number of the heartbeat among them."""
    return next(f.heartbeat.nonce for f in frames if f.HasField("heartbeat"))


def seated(host: Host, name: str) -> Table:
    players: list[Player] = [host.player(BOT)]
    players += (host.house_player("lowest") for _ in range(2))
    return host.open_table(setup(seats=3, table=name), players, lambda _table: None)


async def test_last_words_of_a_superseded_stream_are_no_sign_that_an_end_came() -> None:
    host = Host(house_bots=LOCAL_FACTORIES)
    host.bots.register(BOT)
    first = came(host)
    (welcome,) = said(first)
    tables = [seated(host, f"t{number}") for number in range(5)]
    # The beats of this stream are further than those of the next will be.
    for table in tables[:-1]:
        table.cancel()
        pong = frames_pb2.Pong(nonce=beat(said(first)))
        first.read([frames_pb2.ClientFrame(pong=pong)])
    tables[-1].cancel()
    second = came(host, welcome.welcome.session_id)
    assert any(frame.HasField("ended") for frame in said(first))
    session = host.arena.player(BOT).session
    assert len(session.farewells) == 1
    pong = frames_pb2.Pong(nonce=beat(said(second)))
    second.read([frames_pb2.ClientFrame(pong=pong)])
    assert len(session.farewells) == 0


async def test_matches_that_are_told_again_are_noted_a_message_at_a_time() -> None:
    host = Host(house_bots=LOCAL_FACTORIES)
    host.bots.register(BOT)
    first = came(host, entries=True)
    (welcome,) = said(first)
    tables = [seated(host, f"t{number}") for number in range(100)]
    for table in tables:
        table.cancel()
    second = came(host, welcome.welcome.session_id)
    # The rest of the service goes on meanwhile, and nobody reads too slowly.
    assert second.waiting == 1
    ended = 0
    while frames := said(second):
        assert len(frames) <= MAX_FRAMES_SENT + 1
        assert second.waiting <= MAX_FRAMES_SENT
        ended += sum(frame.HasField("ended") for frame in frames)
    assert ended == len(tables)
