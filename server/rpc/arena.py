"""ArenaService: bots that dial in, one stream for a process, many tables on it."""

from __future__ import annotations

import asyncio

from grpc import StatusCode

from ohhell.v1 import arena_pb2_grpc, frames_pb2
from server.arena import TooManyInstances
from server.host import Host
from server.limits import Quota
from server.patience import Patience
from server.players.port import Link
from server.registry import Scope
from server.rpc.identity import holder_of
from server.rpc.messages import Messages
from server.rpc.status import Problem, going_down, too_many
from server.rpc.stream import REVISION, Stream
from server.rpc.untyped import Untyped
from server.rpc.validate import check_hello


class ArenaService(arena_pb2_grpc.ArenaServiceServicer):
    """Admits streams."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def Connect(  # type: ignore[override]  # stubs know generators only
        self, request_iterator: Untyped, context: Untyped
    ) -> None:
        host = self._host
        holder = holder_of(context, host, Scope.PLAY)
        if host.draining:
            raise going_down()
        hello, rest = await hello_of(request_iterator, host.patience)
        host.keeper.check()
        if not holder.may_play(hello.lane):
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "LANE_NOT_YOURS",
                f"the token is for lane {holder.lane} of bot {holder.bot!r},"
                f" the hello says lane {hello.lane}",
            )
        stream = admit(host, holder.bot, hello, Link.DIAL_IN)
        # Written to the context: a generator would cost several more, for gRPC and for
        # everything that stands between, at every message.
        with host.bots.lease(holder, stream.close):
            await stream.converse(request_iterator, rest, context.write)


def admit(host: Host, bot: str, hello: frames_pb2.Hello, link: Link) -> Stream:
    """A stream for a process that has said hello, whoever opened it; Problem."""
    try:
        session, resumed = host.arena.session(
            bot,
            instance_id=hello.instance_id,
            lane=hello.lane,
            resume=hello.resume_session_id,
            most=host.limits.instances_per_bot,
        )
    except TooManyInstances:
        raise too_many(
            f"bot {bot!r} has as many processes here as it may",
            "TOO_MANY_STREAMS",
            Quota(f"bot:{bot}", "instances_per_bot"),
            wait_s=5.0,
        ) from None
    session.link = link
    session.workers = hello.workers or 1
    session.watches_all = hello.entries
    session.declines = frozenset(hello.declines)
    stream = Stream(host, session, hello, resumed=resumed)
    host.arena.attach(session, stream)
    return stream


async def hello_of(
    messages: Messages, patience: Patience
) -> tuple[frames_pb2.Hello, list[Untyped]]:
    """The first frame, and the others of the same message; Problem."""
    seconds = patience.hello_ms / 1000
    try:
        async with asyncio.timeout(seconds):
            request = await anext(messages)
    except (TimeoutError, StopAsyncIteration):
        raise Problem(
            StatusCode.INVALID_ARGUMENT,
            "HELLO_MISSING",
            f"the first frame, within {seconds:g} s, is a hello",
        ) from None
    frames = list(request.frames)
    if not frames or not frames[0].HasField("hello"):
        raise Problem(
            StatusCode.INVALID_ARGUMENT, "HELLO_MISSING", "the first frame is a hello"
        )
    hello = frames[0].hello
    check_hello(hello)
    if hello.min_revision > REVISION:
        raise Problem(
            StatusCode.FAILED_PRECONDITION,
            "UNSUPPORTED_REVISION",
            f"revision {REVISION} is spoken here, the bot wants at least"
            f" {hello.min_revision}",
            metadata={"min_revision": REVISION, "revision": REVISION},
        )
    return hello, frames[1:]
