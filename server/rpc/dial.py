"""Bots that are servers: the host calls them, then all is as if they had called.

The same frames travel on `BotService.Play` with the roles swapped, through the same
`Stream`. A call that ends is made again, for as long as the host wants the bot.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import grpc
from grpc import StatusCode

from ohhell.v1 import arena_pb2, frames_pb2
from server.address import Address, Trust
from server.host import Host
from server.players.port import Link
from server.rpc.arena import admit, hello_of
from server.rpc.messages import Messages
from server.rpc.options import DIALLING
from server.rpc.status import Problem
from server.rpc.untyped import Untyped

LANE_KEY = "ohhell-lane"
"""Metadata of a call: the lane that it is for."""
TRIES = 3
TRY_FOR = 3.0
"""Seconds of each of the first tries: ten of them with the pauses between."""
PROBE_FOR = 0.5
"""Seconds to find out what is wrong after a try."""
FIRST_WAIT = 0.25
LONGEST_WAIT = 2.0
WENT_WELL_S = 5.0
"""After a call that lasted so long, pauses begin anew and all ends are told again."""

_SERVICE = arena_pb2.DESCRIPTOR.services_by_name["BotService"]
_TOO_LATE = "Internal error from Core"
"""What gRPC makes of a write to a call that the other end is just ending."""
_GIVEN_UP = "Locally cancelled by application!"
"""What gRPC makes of a call of which a message was awaited no longer."""
_METHOD = f"/{_SERVICE.full_name}/Play"


class CannotDial(Exception):
    """A bot is not to be had; the message is for the organiser."""


class _Failed(Exception):
    """A call that came to nothing, and why; some are `useless` to be tried again."""

    def __init__(self, why: str, *, useless: bool = False) -> None:
        super().__init__(why)
        self.useless = useless


@dataclass(frozen=True, slots=True)
class _Lane:
    """One lane of a bot, and the process that is called for it."""

    bot: str
    lane: int
    address: Address
    trust: Trust | None
    answered: asyncio.Future[None]
    """Done once its hello has been accepted; CannotDial if it never is."""

    def __str__(self) -> str:
        return f"bot {self.bot!r} (lane {self.lane}) at {self.address}"


class Dialler:
    """Keeps calls to bots open; lives on the host's event loop."""

    def __init__(self, host: Host, note: Callable[[str], None]) -> None:
        """`note` tells people of calls that ended, and are made again."""
        self._host = host
        self._note = note
        self._keepers: list[asyncio.Task[None]] = []
        self._holders: dict[tuple[str, str], tuple[str, int]] = {}
        """Bot and lane by instance id; a process without one is its bot's only one."""

    async def call(
        self, bot: str, lane: int, address: Address, trust: Trust | None = None
    ) -> None:
        """Returns when the bot has said hello, and keeps it called; CannotDial.

        Without `trust` nothing is encrypted.
        """
        answered = asyncio.get_running_loop().create_future()
        called = _Lane(bot, lane, address, trust, answered)
        self._keepers.append(asyncio.create_task(self._keep(called)))
        await answered

    async def close(self) -> None:
        """Ends all calls."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def _keep(self, called: _Lane) -> None:
        """Calls again and again; gives up only on a bot that never answered."""
        clock = self._host.alarms.clock
        waits = _waits()
        tries = 0
        told = ""
        while True:
            useless = False
            begun = clock()
            try:
                why = await self._one_call(called)
                if clock() - begun >= WENT_WELL_S:
                    waits = _waits()
                    told = ""
            except _Failed as failed:
                why = str(failed)
                useless = failed.useless
            except Exception as error:  # noqa: BLE001 - it must not lose us the bot
                self._host.observer.unexpected("dial", error)
                why = "a mistake of the service"
            tries += 1
            if not called.answered.done() and (useless or tries == TRIES):
                called.answered.set_exception(CannotDial(f"{called}: {why}"))
                return
            if called.answered.done() and why != told:
                told = why
                self._note(f"{called}: {why}; it is called again")
            await asyncio.sleep(next(waits))

    async def _one_call(self, called: _Lane) -> str:
        """Why it ended after the hello; _Failed before."""
        async with _channel_to(called) as channel:
            await _reach(channel, called)
            call: Untyped = channel.stream_stream(_METHOD)(
                metadata=((LANE_KEY, str(called.lane)),)
            )
            messages = _messages_of(call)
            try:
                hello, rest = await self._hello(called, messages)
                stream = admit(self._host, called.bot, hello, Link.DIAL_OUT)
            except Problem as problem:
                raise await self._failure(call, problem) from None
            if not called.answered.done():
                called.answered.set_result(None)
            try:
                await stream.converse(messages, rest, call.write)
            except Problem as problem:
                await self._say(call, problem)
                return problem.message
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                pass  # The bot has ended the call: its status says it all.
            return await _end_of(call) or "it said goodbye"

    async def _hello(
        self, called: _Lane, messages: Messages
    ) -> tuple[frames_pb2.Hello, list[Untyped]]:
        hello, rest = await hello_of(messages, self._host.patience)
        # Who is called for a lane has it: the address decides, whatever the hello says.
        hello.lane = called.lane
        instance = hello.instance_id
        key = (instance, "") if instance else ("", called.bot)
        bot, lane = self._holders.setdefault(key, (called.bot, called.lane))
        if (bot, lane) != (called.bot, called.lane):
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "LANE_NOT_YOURS",
                f"the same process (instance_id {instance!r}) plays lane {lane} of bot"
                f" {bot!r}; each lane needs a process of its own",
            )
        return hello, rest

    async def _failure(self, call: Untyped, problem: Problem) -> _Failed:
        """What to say of a call without a hello that could be accepted."""
        ended = await _end_of(call)
        if not ended:
            await self._say(call, problem)
            return _Failed(problem.message, useless=True)
        code, details = await call.code(), await call.details()
        if code is StatusCode.CANCELLED and details == _GIVEN_UP:
            return _Failed(problem.message)
        if code is StatusCode.UNIMPLEMENTED:
            service = _SERVICE.full_name
            return _Failed(f"what listens there does not serve {service}", useless=True)
        return _Failed(ended)

    async def _say(self, call: Untyped, problem: Problem) -> None:
        """Tells the bot why the call ends: who calls has no status to end it with."""
        notice = frames_pb2.Notice(
            kind=frames_pb2.NOTICE_KIND_PROTOCOL,
            reason=problem.reason,
            message=problem.message,
        )
        frames = [frames_pb2.ServerFrame(notice=notice)]
        message = arena_pb2.PlayRequest(frames=frames).SerializeToString()
        # One that reads nothing is called again all the same.
        slow_s = self._host.patience.slow_ms / 1000
        with contextlib.suppress(
            grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError
        ):
            async with asyncio.timeout(slow_s):
                await call.write(message)
                await call.done_writing()


def _messages_of(call: Untyped) -> Messages:
    """What a bot says; ends where the call does, however that may be."""

    async def read() -> Untyped:
        try:
            return await call.read()
        except grpc.aio.AioRpcError:
            return grpc.aio.EOF

    return Messages(read, arena_pb2.PlayResponse.FromString)


def _channel_to(called: _Lane) -> grpc.aio.Channel:
    target = f"dns:///{called.address}"
    if called.trust is None:
        return grpc.aio.insecure_channel(target, options=DIALLING)
    trusted = grpc.ssl_channel_credentials(called.trust.authorities)
    return grpc.aio.secure_channel(target, trusted, options=DIALLING)


async def _reach(channel: grpc.aio.Channel, called: _Lane) -> None:
    """Waits for a connection; _Failed, with a reason that gRPC does not give."""
    try:
        async with asyncio.timeout(TRY_FOR):
            await channel.channel_ready()
    except TimeoutError:
        raise _Failed(await _why_not(called)) from None


async def _why_not(called: _Lane) -> str:
    address, trust = called.address, called.trust

    def probe() -> None:
        with socket.create_connection(address, PROBE_FOR) as connection:
            if trust is not None:
                context = ssl.create_default_context(cadata=_text_of(trust))
                context.wrap_socket(connection, server_hostname=address.host).close()

    try:
        await asyncio.to_thread(probe)
    except TimeoutError:
        return "nothing answers there"
    except ssl.SSLCertVerificationError as error:
        return f"its certificate is not to be trusted ({error.verify_message})"
    except ssl.SSLError:
        return "what listens there does not speak TLS"
    except OSError as error:
        return f"it cannot be reached ({error.strerror or error})"
    if trust is None:
        return (
            "what listens there does not speak gRPC; if it expects TLS, say whom to"
            " trust (ca_file)"
        )
    return "what listens there does not speak gRPC"


def _text_of(trust: Trust) -> str | None:
    return None if trust.authorities is None else trust.authorities.decode("ascii")


async def _end_of(call: Untyped) -> str:
    """The status of a call that the bot has ended; empty if it has not."""
    if not call.done():
        return ""
    code, details = await call.code(), await call.details()
    if code is StatusCode.OK or (code is StatusCode.INTERNAL and details == _TOO_LATE):
        return "it ended the call"
    return f"the call ended: {code.name} {details}".rstrip()


def _waits() -> Iterator[float]:
    """Seconds before each further call: doubling, with a fifth of it left to chance."""
    wait = FIRST_WAIT
    while True:
        # Not a secret and not part of any game: many hosts must not call at once.
        yield wait * random.uniform(0.8, 1.2)  # noqa: S311
        wait = min(2 * wait, LONGEST_WAIT)
