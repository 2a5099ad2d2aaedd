"""What becomes of what is written where the other end is gone."""

from __future__ import annotations

from collections.abc import Sequence

import grpc
import pytest

from ohhell.v1 import arena_pb2_grpc, frames_pb2, match_pb2
from ohhell_bot import Bot, View
from ohhell_bot.line import Call, DialledIn, LineLost
from ohhell_bot.seats import Seats
from ohhell_bot.settings import Settings
from ohhell_bot.stream import End, Stream
from tests.doubles.arena import Frame, scripted_arena, seat


class First(Bot):
    def bid(self, view: View) -> int:
        return view.legal_bids[0]

    def play(self, view: View) -> int:
        return view.legal_cards[0]


async def test_a_call_that_has_ended_takes_nothing_more_and_reading_says_why() -> None:
    async with (
        scripted_arena() as arena,
        grpc.aio.insecure_channel(arena.address) as channel,
    ):
        call: Call = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
        line = DialledIn(call)
        await line.write([frames_pb2.ClientFrame()])
        (await arena.stream()).close(grpc.StatusCode.UNAVAILABLE)
        await call.code()
        with pytest.raises(LineLost):
            await line.write([frames_pb2.ClientFrame()])
        with pytest.raises(grpc.aio.AioRpcError, match="the test says so"):
            await line.read()
        await line.finish()


class Deaf:
    """Loses its other end with what is written in answer to its first prompt."""

    def __init__(self) -> None:
        bids = match_pb2.View(handle=1, seq=5, ask=match_pb2.ASK_BID, legal_bids=[0])
        welcome = Frame(welcome=frames_pb2.Welcome(session_id="s1"))
        self._said = [[welcome], [seat(1), Frame(prompt=bids)]]
        self.heard = 0

    async def read(self) -> Sequence[frames_pb2.ServerFrame] | None:
        return self._said.pop(0) if self._said else None

    async def write(self, frames: Sequence[frames_pb2.ClientFrame]) -> None:
        if not self._said:
            raise LineLost
        self.heard += len(frames)

    async def finish(self) -> None:
        raise LineLost

    def cancel(self) -> None: ...


async def test_a_stream_that_cannot_write_ends_as_its_reading_says() -> None:
    line = Deaf()
    stream = Stream(line, seats=Seats(First), settings=Settings())
    assert await stream.play() is End.CLOSED
    assert line.heard == 1  # the hello
