"""One connection to the service, from Hello to its end: many tables on one stream."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Sequence
from concurrent.futures import Executor, Future
from enum import Enum
from time import monotonic
from typing import Final

import grpc

from ohhell.v1 import frames_pb2, match_pb2
from ohhell_bot.bot import Bot
from ohhell_bot.decision import Answer, ask, decision, no_answer, to_wire
from ohhell_bot.errors import BadAnswer, BotFault
from ohhell_bot.line import Line, LineLost
from ohhell_bot.seats import Seat, Seats
from ohhell_bot.settings import OnError, Settings
from ohhell_bot.view import View

REVISION: Final = 1
SOFTWARE: Final = "ohhell-bot/python 0.1.0"
MAX_FRAMES: Final = 128
"""Frames in one message."""

DEFAULTED: Final = "DEFAULTED"
"""Why a prompt is withdrawn that expired."""

_HOLD_BACK_S: Final = 0.001
"""Answers of one received message leave together, unless thinking takes this long."""
_WELCOME_S: Final = 10.0
_GOODBYE_S: Final = 1.0

_OF_THE_BOT: Final = (Exception, asyncio.CancelledError)
"""What its own code may raise: it may cancel, too, what nobody here has cancelled."""

_log: Final = logging.getLogger("ohhell_bot")


class End(Enum):
    """Why a stream ended that did not fail."""

    CLOSED = "the service closed the stream"
    DRAINED = "the service went down as announced"
    SUPERSEDED = "another process with the same instance name took over"


class Stream:
    """Reads, asks the bots, writes. The only one who writes to its line."""

    def __init__(
        self,
        line: Line,
        *,
        seats: Seats,
        settings: Settings,
        session_id: str = "",
        threads: Executor | None = None,
    ) -> None:
        self._line = line
        self._seats = seats
        self._settings = settings
        self._threads = threads
        self._handles: dict[int, Seat] = {}
        self._outbox: list[frames_pb2.ClientFrame] = []
        self._writing = False
        self._held_since = 0.0
        self._thinking: dict[asyncio.Future[Answer], View] = {}
        """Only these are ever cancelled: a write that is would end the whole call."""
        self._writes: set[asyncio.Task[None]] = set()
        self._playing: asyncio.Future[End] | None = None
        self._fault: BotFault | None = None
        self._end = End.CLOSED
        self._leaving = False
        self._left = asyncio.Event()
        self.session_id = session_id
        self.welcomed = False

    async def play(self) -> End:
        """Until the stream ends; says goodbye where that is by being cancelled.

        Raises what reading its line does where the stream fails, TimeoutError where no
        welcome comes, and BotFault.
        """
        # A read that is cancelled takes its call along: there would be no goodbye.
        self._playing = asyncio.ensure_future(self._play())
        try:
            return await asyncio.shield(self._playing)
        except asyncio.CancelledError:
            try:
                await self._say_goodbye("stopped")
            finally:
                self._line.cancel()
                self._playing.cancel()
                await asyncio.gather(self._playing, return_exceptions=True)
            raise

    async def _play(self) -> End:
        try:
            await self._greet()
            while (frames := await self._line.read()) is not None:
                await self._receive(frames)
        except (grpc.aio.AioRpcError, LineLost):
            # What was announced is no failure, whatever its status.
            if self._end is End.CLOSED:
                raise
        finally:
            for thinking in self._thinking:
                thinking.cancel()
            self._thinking.clear()
            if self._fault is not None:
                raise self._fault
        return self._end

    async def _say_goodbye(self, reason: str) -> None:
        """Ends the stream on purpose, as far as that is possible within a second."""
        goodbye = frames_pb2.ClientFrame(goodbye=frames_pb2.Goodbye(reason=reason))
        self._leaving = True
        try:
            async with asyncio.timeout(_GOODBYE_S):
                self._outbox.append(goodbye)
                await self._flush()
                # Where something was being written, the goodbye goes out behind it.
                await self._left.wait()
                await self._line.finish()
        except (TimeoutError, LineLost):
            pass

    async def _greet(self) -> None:
        hello = frames_pb2.Hello(
            revision=REVISION,
            min_revision=REVISION,
            software=SOFTWARE,
            instance_id=self._settings.instance,
            lane=self._settings.lane,
            resume_session_id=self.session_id,
            workers=self._settings.workers,
        )
        self._outbox.append(frames_pb2.ClientFrame(hello=hello))
        async with asyncio.timeout(_WELCOME_S):
            await self._flush()
            first = await self._line.read()
        if first is not None:
            await self._receive(first)

    async def _receive(self, frames: Sequence[frames_pb2.ServerFrame]) -> None:
        self._held_since = monotonic()
        for frame in frames:
            kind = frame.WhichOneof("body")
            if kind == "prompt":
                self._think(frame.prompt)
                if self._outbox and monotonic() - self._held_since > _HOLD_BACK_S:
                    await self._flush()
            else:
                self._note(kind, frame)
        await self._flush()

    def _note(self, kind: str | None, frame: frames_pb2.ServerFrame) -> None:
        match kind:
            case "result":
                if not frame.result.accepted:
                    self._refused(frame.result)
            case "seat":
                assigned = self._seats.assign(frame.seat)
                if assigned is not None:
                    self._handles[frame.seat.handle] = assigned
            case "ended":
                seat = self._handles.pop(frame.ended.handle, None)
                if seat is not None:
                    self._seats.end(seat, frame.ended)
            case "withdrawn":
                self._withdraw(frame.withdrawn)
            case "heartbeat":
                pong = frames_pb2.Pong(nonce=frame.heartbeat.nonce)
                self._outbox.append(frames_pb2.ClientFrame(pong=pong))
            case "welcome":
                self._welcome(frame.welcome)
            case "notice":
                self._heed(frame.notice)
            case _:
                # Entries and snapshots, which nobody asked for, and what later
                # revisions may add.
                _log.debug("frame left aside: %s", kind)

    def _welcome(self, welcome: frames_pb2.Welcome) -> None:
        self.welcomed = True
        self.session_id = welcome.session_id
        if not welcome.resumed:
            self._seats.forget()
        _log.info(
            "connected to %s as %s, lane %d, workers %d%s",
            welcome.software or self._settings.address,
            welcome.bot or "an unnamed bot",
            self._settings.lane,
            welcome.workers,
            ", session resumed" if welcome.resumed else "",
        )

    def _refused(self, result: frames_pb2.AnswerResult) -> None:
        seat = self._handles.get(result.handle)
        _log.warning(
            "table %s decision %d attempt %d: %s %s",
            seat.match.table if seat else "?",
            result.seq,
            result.attempt,
            result.reason,
            result.message,
        )

    def _heed(self, notice: frames_pb2.Notice) -> None:
        match notice.kind:
            case frames_pb2.NOTICE_KIND_DRAINING:
                self._end = End.DRAINED
                _log.info("the service goes down in %d ms", notice.milliseconds)
            case frames_pb2.NOTICE_KIND_SUPERSEDED:
                self._end = End.SUPERSEDED
            case frames_pb2.NOTICE_KIND_PROTOCOL:
                _log.warning("bad frame: %s %s", notice.reason, notice.message)
            case _:
                _log.debug("notice %s", notice)

    def _think(self, prompt: match_pb2.View) -> None:
        """Answers at once, or starts a task where the bot is slow by design."""
        seat = self._handles.get(prompt.handle)
        if seat is None:
            _log.warning("a prompt for the unknown handle %d", prompt.handle)
            return
        view = View.from_wire(prompt, seat.match)
        if self._threads is not None:
            self._await(view, _thought_in(self._threads, seat.bot, view))
            return
        try:
            answer = ask(seat.bot, view)
            if type(answer) is not int and inspect.isawaitable(answer):
                self._await(view, answer)
            else:
                self._outbox.append(to_wire(view, decision(view, answer)))
        except _OF_THE_BOT as error:
            self._blame(view, error)

    def _await(self, view: View, answer: Awaitable[Answer]) -> None:
        thinking = asyncio.ensure_future(answer)
        self._thinking[thinking] = view
        thinking.add_done_callback(self._take)

    def _take(self, thinking: asyncio.Future[Answer]) -> None:
        view = self._thinking.pop(thinking, None)
        if view is None:
            # Nobody wants to know any more, least of all what it failed of.
            _ = thinking.cancelled() or thinking.exception()
            return
        try:
            self._outbox.append(to_wire(view, decision(view, thinking.result())))
        except _OF_THE_BOT as error:
            self._blame(view, error)
        write = asyncio.create_task(self._flush())
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)

    def _withdraw(self, withdrawn: frames_pb2.Withdrawn) -> None:
        """Thinking on is useless; after DEFAULTED the table waits to hear its end.

        A thread cannot be ended: it gives its answer when it has one.
        """
        defaulted = withdrawn.reason == DEFAULTED
        for thinking, view in list(self._thinking.items()):
            if (view.handle, view.seq) != (withdrawn.handle, withdrawn.seq):
                continue
            if defaulted and self._threads is not None:
                continue
            del self._thinking[thinking]
            thinking.cancel()
            if defaulted:
                self._outbox.append(no_answer(view, "it came too late"))

    def _blame(self, view: View, error: BaseException) -> None:
        """The bot has no answer: say so at once, for silence would cost its clock."""
        # A BadAnswer says everything: its traceback would show the library.
        plain = isinstance(error, BadAnswer)
        _log.error("the bot failed: %s", view, exc_info=None if plain else error)
        if plain:
            _log.error("%s", error)
        self._outbox.append(no_answer(view, _in_a_line(error)))
        if self._settings.on_error is OnError.STOP:
            self._fault = BotFault(f"stopped at the bot's first error: {view}")
            if self._playing is not None:
                self._playing.cancel()

    async def _flush(self) -> None:
        """Writes what is due; what comes while it writes is taken along.

        Where nobody can receive it, it is dropped: whoever reads hears why.
        """
        if self._writing:
            return
        self._writing = True
        try:
            while self._outbox:
                frames = self._outbox[:MAX_FRAMES]
                del self._outbox[:MAX_FRAMES]
                await self._line.write(frames)
        except LineLost:
            self._outbox.clear()
        finally:
            self._writing = False
            self._held_since = monotonic()
            if self._leaving:
                self._left.set()


async def _thought_in(threads: Executor, bot: Bot, view: View) -> Answer:
    asked = threads.submit(_asked, bot, view)
    try:
        answer = await asyncio.wrap_future(asked)
    except asyncio.CancelledError:
        asked.add_done_callback(_leave)
        raise
    # What an async method gives to the thread is still to be thought.
    return await answer if inspect.isawaitable(answer) else answer


def _asked(bot: Bot, view: View) -> Answer | Awaitable[Answer]:
    try:
        return ask(bot, view)
    except StopIteration as error:
        # No future can hold it: who waits for one would do so for ever.
        raise RuntimeError("the bot raised StopIteration") from error


def _leave(asked: Future[Answer | Awaitable[Answer]]) -> None:
    """A coroutine that nobody waits for any more complains where it is left open."""
    if not asked.cancelled() and asked.exception() is None:
        answer = asked.result()
        if inspect.iscoroutine(answer):
            answer.close()


def _in_a_line(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  # to be told is the bot's own code, too
        return type(error).__name__
