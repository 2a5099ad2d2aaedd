"""A bot that is called, against a caller that says what a test tells it to say."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc
import pytest

from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, match_pb2
from ohhell_bot import Bot, SettingsError, View, serve
from ohhell_bot.errors import BotFault
from ohhell_bot.serving import LANE_KEY, BotServer
from ohhell_bot.settings import OnError, Settings
from tests.doubles.arena import Frame, seat
from tests.doubles.patience import PATIENCE_S


class First(Bot):
    def bid(self, view: View) -> int:
        return view.legal_bids[0]

    def play(self, view: View) -> int:
        return view.legal_cards[0]


class Raises(First):
    def bid(self, view: View) -> int:
        raise ZeroDivisionError


class Caller:
    """The service's end of calls to one bot process."""

    def __init__(self, channel: grpc.aio.Channel, serving: asyncio.Task[None]) -> None:
        self._stub = arena_pb2_grpc.BotServiceStub(channel)
        self.serving = serving

    def call(self, lane: str | None = None) -> Call:
        metadata = () if lane is None else ((LANE_KEY, lane),)
        return Call(self._stub.Play(metadata=metadata))


class Call:
    def __init__(self, call: Any) -> None:  # noqa: ANN401  # generic in the stubs
        self.call = call

    async def hear(self) -> frames_pb2.ClientFrame:
        """The only frame of the next message."""
        async with asyncio.timeout(PATIENCE_S):
            message = await self.call.read()
        assert isinstance(message, arena_pb2.PlayResponse), message
        (frame,) = message.frames
        return frame

    async def say(self, *frames: Frame) -> None:
        await self.call.write(arena_pb2.PlayRequest(frames=frames))

    async def welcome(self) -> frames_pb2.Hello:
        hello = (await self.hear()).hello
        await self.say(Frame(welcome=frames_pb2.Welcome(session_id="s1", workers=1)))
        return hello

    async def hang_up(self) -> None:
        await self.call.done_writing()
        assert await self.call.code() is grpc.StatusCode.OK

    async def status(self) -> grpc.StatusCode:
        with suppress(grpc.aio.AioRpcError):
            await self.call.read()
        async with asyncio.timeout(PATIENCE_S):
            code: grpc.StatusCode = await self.call.code()
        return code


@asynccontextmanager
async def called(
    capsys: pytest.CaptureFixture[str],
    bot: type[Bot] = First,
    **settings: Any,  # noqa: ANN401  # passed on
) -> AsyncIterator[Caller]:
    given = Settings(serve="127.0.0.1:0", **settings)
    serving = asyncio.create_task(BotServer(bot, given).keep())
    said = ""
    async with asyncio.timeout(PATIENCE_S):
        while not said.endswith("\n"):
            await asyncio.sleep(0)
            said += capsys.readouterr().out
    found = re.fullmatch(r"serving on (127\.0\.0\.1:\d+)\n", said)
    assert found is not None, said
    try:
        async with grpc.aio.insecure_channel(found[1]) as channel:
            yield Caller(channel, serving)
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError, BotFault):
            await serving


def bid(handle: int) -> Frame:
    return Frame(
        prompt=match_pb2.View(
            handle=handle, seq=5, attempt=1, ask=match_pb2.ASK_BID, legal_bids=[0, 2]
        )
    )


async def test_the_bot_says_hello_first_and_the_call_says_the_lane(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with called(capsys, instance="one", workers=7) as caller:
        call = caller.call(lane="3")
        hello = await call.welcome()
        assert (hello.instance_id, hello.lane, hello.workers) == ("one", 3, 7)
        await call.say(seat(1), bid(1))
        answer = (await call.hear()).answer
        assert (answer.handle, answer.seq, answer.bid) == (1, 5, 0)
        await call.hang_up()


async def test_a_lane_has_one_caller_and_lanes_do_not_disturb_each_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with called(capsys) as caller:
        first = caller.call()
        await first.welcome()
        second = caller.call(lane="0")
        assert await second.status() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await caller.call(lane="1").welcome()).lane == 1
        await first.hang_up()
        # The lane is free again, and goes on where it was.
        assert (await caller.call().welcome()).resume_session_id == "s1"


@pytest.mark.parametrize("lane", ["-1", "256", "x", ""])
async def test_a_lane_is_a_number(
    capsys: pytest.CaptureFixture[str], lane: str
) -> None:
    async with called(capsys) as caller:
        status = await caller.call(lane=lane).status()
        assert status is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_bot_that_is_stopped_says_goodbye_to_its_callers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with called(capsys) as caller:
        call = caller.call()
        await call.welcome()
        await call.say(Frame(heartbeat=frames_pb2.Heartbeat(nonce=4)))
        assert (await call.hear()).pong.nonce == 4
        caller.serving.cancel()
        assert (await call.hear()).goodbye.reason == "stopped"
        await call.hang_up()


async def test_a_caller_that_is_gone_frees_its_lane(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with called(capsys) as caller:
        call = caller.call()
        await call.welcome()
        call.call.cancel()
        while True:
            again = caller.call()
            message = None
            with suppress(grpc.aio.AioRpcError):
                message = await again.call.read()
            if isinstance(message, arena_pb2.PlayResponse):
                break


async def test_a_bot_may_ask_to_stop_the_process_at_its_first_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with called(capsys, Raises, on_error=OnError.STOP) as caller:
        call = caller.call()
        await call.welcome()
        await call.say(seat(1), bid(1))
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(BotFault, match="first error"):
                await caller.serving


def test_other_machines_may_call_only_where_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for address in ("0.0.0.0:0", "[::]:0", "example.org:1"):
        with pytest.raises(SystemExit) as ended:
            serve(First, address, [])
        assert ended.value.code == 2
        assert "add --expose on" in capsys.readouterr().err


def test_whoever_cannot_be_told_where_it_listens_has_no_use_for_it() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ["--serve", "127.0.0.1:0", "bots.lowest:Lowest"]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "ohhell_bot", *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=6 * PATIENCE_S,
            check=False,
        )
    finally:
        os.close(writer)
    assert ended.returncode == 2
    assert re.fullmatch(
        r"ohhell_bot: cannot say on standard output that it is serving on"
        r" 127\.0\.0\.1:\d+: Broken pipe\n",
        ended.stderr,
    )


async def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SettingsError) as refused:
            await BotServer(First, Settings(serve=address)).keep()
    assert str(refused.value) == f"cannot listen on {address}: Address already in use"
