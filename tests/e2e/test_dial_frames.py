"""Calls to a bot that does what a test tells it to do, frame by frame."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import pytest

from bots.local import LOCAL_FACTORIES
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2
from server.address import Address
from server.host import Host
from server.metrics import Metrics
from server.patience import PATIENCE, Patience
from server.players.port import Player
from server.rpc.conduct import MAX_VIOLATIONS
from server.rpc.dial import CannotDial, Dialler
from server.table import Table
from tests.doubles.frames import answer
from tests.doubles.patience import PATIENCE_S
from tests.doubles.tables import SEATS, setup

if TYPE_CHECKING:
    from ohhell.v1.arena_pb2_grpc import _MaybeAsyncIterator, _ServicerContext


MANY_CALLS = 3


class SilentBot(arena_pb2_grpc.BotServiceServicer):
    """Takes a call, and never says hello."""

    async def Play(
        self,
        request_iterator: _MaybeAsyncIterator[arena_pb2.PlayRequest],
        context: _ServicerContext,
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        async for _ in request_iterator:
            yield arena_pb2.PlayResponse()


NARROW = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1_024)]
"""So little is on its way to a bot before it reads."""


@dataclass
class DeafBot(arena_pb2_grpc.BotServiceServicer):
    """Says what is no good, and reads nothing of what is said to that."""

    lanes: int
    calls: Counter[str] = field(default_factory=Counter)
    """By lane."""
    all_again: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether each lane was called twice."""

    async def Play(
        self,
        request_iterator: _MaybeAsyncIterator[arena_pb2.PlayRequest],
        context: _ServicerContext,
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        self.calls[str(dict(context.invocation_metadata())["ohhell-lane"])] += 1
        if sum(calls > 1 for calls in self.calls.values()) == self.lanes:
            self.all_again.set()
        no_good = [frames_pb2.ClientFrame()] * MAX_VIOLATIONS
        said = [frames_pb2.ClientFrame(hello=hello()), *no_good]
        yield arena_pb2.PlayResponse(frames=said)
        await asyncio.Event().wait()


@dataclass
class FickleBot(arena_pb2_grpc.BotServiceServicer):
    """Says hello and hangs up."""

    calls: int = 0
    often: asyncio.Event = field(default_factory=asyncio.Event)

    async def Play(
        self,
        request_iterator: _MaybeAsyncIterator[arena_pb2.PlayRequest],
        context: _ServicerContext,
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        self.calls += 1
        if self.calls > MANY_CALLS:
            self.often.set()
        yield _said(frames_pb2.ClientFrame(hello=hello()))


@dataclass
class ScriptedBot(arena_pb2_grpc.BotServiceServicer):
    """Says one hello and answers legally, until it is to hang up."""

    hello: frames_pb2.Hello
    lanes: list[str] = field(default_factory=list)
    """Of the calls that came."""
    notices: list[tuple[str, str]] = field(default_factory=list)
    hangs_up_after: int = 1_000_000
    """Answers."""
    is_busy: bool = False
    told: asyncio.Event = field(default_factory=asyncio.Event)

    async def Play(
        self,
        request_iterator: _MaybeAsyncIterator[arena_pb2.PlayRequest],
        context: _ServicerContext,
    ) -> AsyncIterator[arena_pb2.PlayResponse]:
        metadata = dict(context.invocation_metadata())
        self.lanes.append(str(metadata["ohhell-lane"]))
        if self.is_busy:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "not now")
        yield _said(frames_pb2.ClientFrame(hello=self.hello))
        async for message in request_iterator:
            for frame in message.frames:
                if frame.HasField("notice"):
                    self.notices.append((frame.notice.reason, frame.notice.message))
                    self.told.set()
                if frame.HasField("prompt"):
                    yield _said(answer(frame.prompt))
                    self.hangs_up_after -= 1
                    if not self.hangs_up_after:
                        return


def _said(frame: frames_pb2.ClientFrame) -> arena_pb2.PlayResponse:
    return arena_pb2.PlayResponse(frames=[frame])


class Calls:
    """A host that calls, and what it tells of its calls."""

    def __init__(self, patience: Patience = PATIENCE) -> None:
        self.metrics = Metrics()
        self.host = Host(
            house_bots=LOCAL_FACTORIES, observers=[self.metrics], patience=patience
        )
        self.notes: list[str] = []
        self.dialler = Dialler(self.host, self.notes.append)
        self.ended = asyncio.Event()

    def open_table(self, lane: int) -> Table:
        players: list[Player] = [self.host.house_player("lowest") for _ in range(SEATS)]
        players[0] = self.host.player("bot", lane)
        return self.host.open_table(setup(), players, lambda _: self.ended.set())


@asynccontextmanager
async def calling(patience: Patience) -> AsyncIterator[Calls]:
    calls = Calls(patience)
    calls.host.start()
    try:
        yield calls
    finally:
        await calls.dialler.close()
        calls.host.close()


@pytest.fixture
async def calls() -> AsyncIterator[Calls]:
    async with calling(PATIENCE) as calls:
        yield calls


@asynccontextmanager
async def listening(
    bot: arena_pb2_grpc.BotServiceServicer, options: Sequence[tuple[str, int]] = ()
) -> AsyncIterator[Address]:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0), *options])
    arena_pb2_grpc.add_BotServiceServicer_to_server(bot, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield Address("127.0.0.1", port)
    finally:
        await server.stop(None)


def hello(**fields: int | str) -> frames_pb2.Hello:
    return frames_pb2.Hello(**{"revision": 1, "min_revision": 1, **fields})  # type: ignore[arg-type]  # any of its fields


async def test_the_address_decides_the_lane_whatever_the_hello_says(
    calls: Calls,
) -> None:
    bot = ScriptedBot(hello(lane=0, instance_id="one"))
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        await calls.dialler.call("bot", 3, address)
        assert bot.lanes == ["3"]
        table = calls.open_table(lane=3)
        await calls.ended.wait()
    assert table.outcome is not None
    assert not any(table.outcome.faults)
    told = calls.metrics.text().decode()
    assert 'ohhell_decisions_total{kind="bid",link="dial_out",outcome="ok"}' in told


async def test_a_bot_that_hangs_up_is_called_again_and_plays_on(calls: Calls) -> None:
    bot = ScriptedBot(hello(instance_id="one"), hangs_up_after=3)
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        await calls.dialler.call("bot", 0, address)
        table = calls.open_table(lane=0)
        await calls.ended.wait()
        # Before the bot is stopped, which ends the second call as well.
        lanes, notes = list(bot.lanes), list(calls.notes)
    assert lanes == ["0", "0"]
    assert notes == [
        f"bot 'bot' (lane 0) at {address}: it ended the call; it is called again"
    ]
    assert table.outcome is not None
    assert not any(table.outcome.faults)


async def test_a_bot_that_hangs_up_again_and_again_is_told_of_once(
    calls: Calls,
) -> None:
    bot = FickleBot()
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        await calls.dialler.call("bot", 0, address)
        await bot.often.wait()
        notes = list(calls.notes)
    assert notes == [
        f"bot 'bot' (lane 0) at {address}: it ended the call; it is called again"
    ]


async def test_a_store_that_fails_once_costs_a_call_and_not_the_bot(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [True]

    def commit() -> None:
        if broken and broken.pop():
            raise OSError("disk full")

    monkeypatch.setattr(calls.host, "commit", commit)
    bot = ScriptedBot(hello(instance_id="one"))
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        await calls.dialler.call("bot", 0, address)
        calls.open_table(lane=0)
        await calls.ended.wait()
        lanes, notes = list(bot.lanes), list(calls.notes)
    assert lanes == ["0", "0"]
    (note,) = notes
    assert note.endswith("a mistake of the service; it is called again")


async def test_a_bot_of_another_revision_is_told_so_and_not_called_again(
    calls: Calls,
) -> None:
    bot = ScriptedBot(hello(revision=3, min_revision=2))
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        with pytest.raises(CannotDial) as refused:
            await calls.dialler.call("bot", 0, address)
        await bot.told.wait()
    why = "revision 1 is spoken here, the bot wants at least 2"
    assert str(refused.value) == f"bot 'bot' (lane 0) at {address}: {why}"
    assert bot.notices == [("UNSUPPORTED_REVISION", why)]
    assert bot.lanes == ["0"]


@pytest.mark.parametrize("instance", ["", "one"])
async def test_a_process_plays_one_lane_of_one_bot(calls: Calls, instance: str) -> None:
    bot = ScriptedBot(hello(instance_id=instance))
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        await calls.dialler.call("bot", 0, address)
        with pytest.raises(CannotDial, match="each lane needs a process of its own"):
            await calls.dialler.call("bot", 1, address)
        await bot.told.wait()
    assert [reason for reason, _ in bot.notices] == ["LANE_NOT_YOURS"]


async def test_a_bot_that_does_not_read_why_its_call_ends_is_called_again() -> None:
    """Its welcome grows with its name: for some there is room for no more."""
    names = ["b" * length for length in range(300, 1_200, 30)]
    bot = DeafBot(lanes=len(names))
    async with (
        calling(Patience(slow_ms=200, heartbeat_ms=100, held_ms=1)) as calls,
        listening(bot, NARROW) as address,
        asyncio.timeout(PATIENCE_S),
    ):
        for lane, name in enumerate(names):
            await calls.dialler.call(name, lane, address)
        await bot.all_again.wait()


async def test_of_a_bot_that_says_nothing_it_is_told_what_was_awaited() -> None:
    async with (
        calling(Patience(hello_ms=50)) as calls,
        listening(SilentBot()) as address,
        asyncio.timeout(PATIENCE_S),
    ):
        with pytest.raises(CannotDial) as caught:
            await calls.dialler.call("bot", 0, address)
    assert str(caught.value) == (
        f"bot 'bot' (lane 0) at {address}: the first frame, within 0.05 s, is a hello"
    )


async def test_a_bot_that_is_busy_is_tried_three_times(calls: Calls) -> None:
    bot = ScriptedBot(hello(), is_busy=True)
    async with listening(bot) as address, asyncio.timeout(PATIENCE_S):
        with pytest.raises(CannotDial, match="RESOURCE_EXHAUSTED not now"):
            await calls.dialler.call("bot", 0, address)
    assert bot.lanes == ["0", "0", "0"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:50070", Address("127.0.0.1", 50070)),
        ("bot-1.example.org:1", Address("bot-1.example.org", 1)),
        ("[::1]:65535", Address("::1", 65535)),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, address: Address) -> None:
    assert Address.of(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "host", "host:", ":1", "host:0", "host:65536", "::1:5", "a b:1", "h:1\n"),
        *("unix:/a", "dns:///h:1", "http://h:1", "h:1/"),
    ],
)
def test_nothing_else_is_an_address(text: str) -> None:
    with pytest.raises(ValueError, match="is not HOST:PORT"):
        Address.of(text)
