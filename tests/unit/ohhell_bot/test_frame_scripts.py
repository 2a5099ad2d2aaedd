"""The library answers every script of frames as all libraries do."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any, Protocol

import grpc
import pytest

from bots.lowest import Lowest
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2
from ohhell_bot import TEXT, View
from ohhell_bot.errors import BotFault, Refused
from ohhell_bot.running import Connection
from ohhell_bot.serving import LANE_KEY, BotServer
from ohhell_bot.settings import OnError, Settings
from tests.conformance.frames import keep
from tests.doubles.arena import (
    Closed,
    ScriptedArena,
    ScriptedStream,
    scripted_arena,
)
from tests.doubles.patience import PATIENCE_S
from tests.doubles.scripts import Script, comparable, scripts

MAX_FRAMES = 128


class Fails(Lowest):
    def bid(self, view: View) -> int:
        raise ZeroDivisionError


BOTS = {"lowest": Lowest, "fails": Fails}


def settings_of(script: Script, *, address: str = "", serve: str = "") -> Settings:
    given = dict(script.settings)
    on_error = OnError(given.pop("on_error", "concede"))
    return Settings(**given, address=address, serve=serve, on_error=on_error)


class Service(Protocol):
    """The part that a script plays."""

    async def stream(self, wanted: dict[str, str]) -> None: ...
    async def hear(self) -> frames_pb2.ClientFrame: ...
    async def say(self, message: bytes) -> None: ...
    async def close(self, code: str) -> None: ...


async def follow(script: Script, service: Service, playing: asyncio.Task[None]) -> str:
    """How the run of the bot is to end, once everything else has happened."""
    for number, (kind, value) in enumerate(script.steps):
        match kind:
            case "stream":
                await service.stream(value)
            case "bot":
                heard = [await service.hear() for _ in value]
                assert all(f.hello.software for f in heard if f.HasField("hello"))
                assert comparable(heard) == comparable(value), (number, heard)
            case "service":
                message = arena_pb2.ConnectResponse(frames=value)
                await service.say(message.SerializeToString())
            case "raw":
                await service.say(value)
            case "close":
                await service.close(value)
            case "stop":
                playing.cancel()
            case "ends":
                return str(value)
            case _:
                raise AssertionError(kind)
    raise AssertionError("the script has no end")


async def ending(playing: asyncio.Task[None]) -> str:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await playing
    except asyncio.CancelledError:
        return "stopped"
    except BotFault:
        return "fault"
    except Refused:
        return "refused"
    raise AssertionError("a run does not end by itself")


class DialledIn:
    """The bot calls."""

    def __init__(self, arena: ScriptedArena) -> None:
        self._arena = arena
        self._streams: list[ScriptedStream] = []

    async def stream(self, wanted: dict[str, str]) -> None:
        self._streams.append(await self._arena.stream())
        token = self._streams[-1].token
        assert token == str(wanted.get("authorization"))

    async def hear(self) -> frames_pb2.ClientFrame:
        return await self._streams[-1].hear()

    async def say(self, message: bytes) -> None:
        said = arena_pb2.ConnectResponse.FromString(message)
        self._streams[-1].out.put_nowait(said)

    async def close(self, code: str) -> None:
        self._streams[-1].close(grpc.StatusCode[code])

    async def is_over(self) -> None:
        with pytest.raises(Closed):
            await self.hear()

    def messages(self) -> list[int]:
        return [size for stream in self._streams for size in stream.messages]


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.name)
async def test_a_bot_that_calls_follows_the_script(script: Script) -> None:
    async with scripted_arena() as arena:
        given = settings_of(script, address=arena.address)
        connection = Connection(BOTS[script.bot], given)
        playing = asyncio.create_task(connection.keep())
        service = DialledIn(arena)
        try:
            ends = await follow(script, service, playing)
            assert await ending(playing) == ends
            if ends == "stopped":
                await service.is_over()
            assert max(service.messages()) <= MAX_FRAMES
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


class Dialled:
    """The bot is called."""

    def __init__(self, channel: grpc.aio.Channel, lane: int) -> None:
        self._stub = arena_pb2_grpc.BotServiceStub(channel)
        self._lane = lane
        self._call: Any = None
        self._heard: list[frames_pb2.ClientFrame] = []

    async def stream(self, _wanted: dict[str, str]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not self._heard:
                self._call = self._stub.Play(metadata=((LANE_KEY, str(self._lane)),))
                with suppress(grpc.aio.AioRpcError):  # the lane is still taken
                    await self._read()

    async def _read(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            message = await self._call.read()
        if not isinstance(message, arena_pb2.PlayResponse):
            raise Closed
        assert len(message.frames) <= MAX_FRAMES
        self._heard += message.frames

    async def hear(self) -> frames_pb2.ClientFrame:
        while not self._heard:
            await self._read()
        return self._heard.pop(0)

    async def say(self, message: bytes) -> None:
        await self._call.write(arena_pb2.PlayRequest.FromString(message))

    async def close(self, code: str) -> None:
        if code != "OK":
            self._call.cancel()
            return
        await self._call.done_writing()
        await self.is_over()

    async def is_over(self) -> None:
        await self._call.done_writing()
        with pytest.raises(Closed):
            await self.hear()


async def address_of(capsys: pytest.CaptureFixture[str]) -> str:
    said = ""
    async with asyncio.timeout(PATIENCE_S):
        while not said.endswith("\n"):
            await asyncio.sleep(0)
            said += capsys.readouterr().out
    found = re.fullmatch(r"serving on (127\.0\.0\.1:\d+)\n", said)
    assert found is not None, said
    return found[1]


@pytest.mark.parametrize(
    "script", scripts(dialled=True), ids=lambda script: script.name
)
async def test_a_bot_that_is_called_follows_the_script(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    given = settings_of(script, serve="127.0.0.1:0")
    playing = asyncio.create_task(BotServer(BOTS[script.bot], given).keep())
    address = await address_of(capsys)
    try:
        async with grpc.aio.insecure_channel(address) as channel:
            service = Dialled(channel, given.lane)
            assert await follow(script, service, playing) == "stopped"
            await service.is_over()
            assert await ending(playing) == "stopped"
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("name", keep.MATCHES)
async def test_scripts_of_matches_are_what_the_service_says(name: str) -> None:
    kept = keep.path_of(name).read_text(encoding="utf-8")
    assert keep.text_of(await keep.script_of(name)) == kept


def test_what_views_say_beyond_their_prompts_is_what_was_kept() -> None:
    assert keep.DERIVED.read_text(encoding="utf-8") == keep.derived_text()


def test_wizards_fall_on_wizards_and_jesters_on_jesters_in_what_was_kept() -> None:
    prompts = [
        frame.prompt
        for script in scripts()
        if script.name == "match-wizards"
        for kind, value in script.steps
        if kind == "service"
        for frame in value
        if frame.HasField("prompt")
    ]
    met = set()
    for prompt in prompts:
        seats = len(prompt.bids)
        trick = prompt.plays[len(prompt.plays) // seats * seats :]
        there, own = (
            {TEXT[card][0] for card in cards} for cards in (trick, prompt.hand)
        )
        met |= there & own
    assert {"W", "F"} <= met


def test_the_scripts_ask_for_everything_that_may_be_asked() -> None:
    asked = {
        frame.prompt.ask
        for script in scripts()
        for kind, value in script.steps
        if kind == "service"
        for frame in value
        if frame.HasField("prompt")
    }
    assert asked == {1, 2, 3, 4}
