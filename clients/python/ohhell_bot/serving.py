"""A bot that waits to be called: the same streams as one that calls, roles swapped."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import grpc

from ohhell.v1 import arena_pb2_grpc
from ohhell_bot.bot import Bot
from ohhell_bot.encryption import pair_of
from ohhell_bot.errors import BotFault, SettingsError
from ohhell_bot.line import Context, Dialled, LineLost
from ohhell_bot.seats import Seats
from ohhell_bot.settings import Settings
from ohhell_bot.stream import End, Stream
from ohhell_bot.threads import thinking_threads

LANE_KEY: Final = "ohhell-lane"
"""Metadata of a call: the lane that it is for; without it, lane 0."""

_GRACE_S: Final = 1.0
_OPTIONS: Final = (
    # Without it a second process on the same port starts, and gets half the calls.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    # A caller that is gone without a word keeps its lane until a ping is missed.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 9_000),
    ("grpc.http2.max_pings_without_data", 0),
)
_log: Final = logging.getLogger("ohhell_bot")


@dataclass(slots=True)
class _Lane:
    """What outlives the calls for one lane."""

    seats: Seats
    session_id: str = ""
    taken: bool = False


class BotServer(arena_pb2_grpc.BotServiceServicer):
    """Takes one call a lane; the lanes share nothing but the process."""

    def __init__(self, new_bot: Callable[[], Bot], settings: Settings) -> None:
        self._new_bot = new_bot
        self._settings = settings
        self._lanes: dict[int, _Lane] = {}
        self._playing: set[asyncio.Task[End]] = set()
        self._threads: Executor | None = None
        self._fault: asyncio.Future[None] | None = None

    async def keep(self) -> None:
        """Until it is cancelled; SettingsError or BotFault otherwise."""
        server = grpc.aio.server(options=_OPTIONS)
        arena_pb2_grpc.add_BotServiceServicer_to_server(self, server)
        address = _bind(server, self._settings)
        self._fault = asyncio.get_running_loop().create_future()
        with thinking_threads(self._settings.threads) as self._threads:
            await server.start()
            try:
                _announce(address)
                await self._fault
            finally:
                for task in self._playing:
                    task.cancel()
                await asyncio.gather(*self._playing, return_exceptions=True)
                await server.stop(_GRACE_S)

    async def Play(  # type: ignore[override]  # gRPC takes handlers that write, too
        self, request_iterator: object, context: Context
    ) -> None:
        number = await _lane_of(context)
        lane = self._lanes.setdefault(number, _Lane(Seats(self._new_bot)))
        if lane.taken:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"lane {number} of this bot process is in another call",
            )
        lane.taken = True
        stream = Stream(
            Dialled(context),
            seats=lane.seats,
            settings=replace(self._settings, lane=number),
            session_id=lane.session_id,
            threads=self._threads,
        )
        try:
            _log.info("lane %d: %s", number, await self._played(stream))
        finally:
            lane.taken = False
            lane.session_id = stream.session_id

    async def _played(self, stream: Stream) -> str:
        """Why it ended."""
        playing = asyncio.create_task(stream.play())
        self._playing.add(playing)
        playing.add_done_callback(self._playing.discard)
        try:
            await asyncio.wait({playing})
        finally:
            playing.cancel()
        if playing.cancelled():
            return "stopped"
        try:
            return playing.result().value
        except BotFault as fault:
            if self._fault is not None and not self._fault.done():
                self._fault.set_exception(fault)
            return str(fault)
        except LineLost:
            return "the service is gone"
        except TimeoutError:
            return "no welcome came"


async def _lane_of(context: Context) -> int:
    value = dict(context.invocation_metadata() or ()).get(LANE_KEY, "0")
    if not (isinstance(value, str) and value.isdecimal() and int(value) < 256):
        await context.abort(
            grpc.StatusCode.INVALID_ARGUMENT, f"{LANE_KEY} is a number 0..255"
        )
    return int(value)


def _bind(server: grpc.aio.Server, settings: Settings) -> str:
    """The address with the port that was taken; SettingsError."""
    address = settings.serve
    host, _, port = address.rpartition(":")
    pair = pair_of(settings)
    try:
        _check_free(host.strip("[]"), int(port))
        if pair is None:
            return f"{host}:{server.add_insecure_port(address)}"
        credentials = grpc.ssl_server_credentials([pair])
        return f"{host}:{server.add_secure_port(address, credentials)}"
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is in use"
        raise SettingsError(f"cannot listen on {address}: {reason}") from None


def _announce(address: str) -> None:
    """Whoever started it reads where to call; SettingsError where nobody can."""
    try:
        print(f"serving on {address}", flush=True)  # noqa: T201
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # or the interpreter would try again, and complain
        raise SettingsError(
            f"cannot say on standard output that it is serving on {address}:"
            f" {error.strerror}"
        ) from None


def _check_free(host: str, port: int) -> None:
    """OSError with a reason, where gRPC would write lines of its own and give none."""
    family, kind, number, _, where = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    )[0]
    with socket.socket(family, kind, number) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(where)
