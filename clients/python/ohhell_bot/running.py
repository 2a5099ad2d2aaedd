"""Connects, plays, connects again: what `run` does until the service is gone."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import random
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Executor
from time import monotonic
from types import FrameType
from typing import Final, TypeAlias

import grpc

from ohhell.v1 import arena_pb2_grpc
from ohhell_bot.bot import Bot
from ohhell_bot.errors import BotFault, GivenUp, Refused, SettingsError
from ohhell_bot.line import Call, DialledIn
from ohhell_bot.route import Route
from ohhell_bot.seats import Seats
from ohhell_bot.serving import BotServer
from ohhell_bot.settings import Settings, read_settings
from ohhell_bot.stream import End, Stream
from ohhell_bot.threads import thinking_threads

_log: Final = logging.getLogger("ohhell_bot")

EXIT_FAULT: Final = 1
"""The bot's own code failed, and it was asked to stop then."""
EXIT_USAGE: Final = 2
"""A setting is wrong, or the service does not want this bot."""
EXIT_GIVEN_UP: Final = 3
"""The service was out of reach for too long."""
EXIT_INTERRUPTED: Final = 130

Work: TypeAlias = Coroutine[None, None, None]

_FIRST_WAIT_S: Final = 0.1
_LONGEST_WAIT_S: Final = 5.0

_USELESS_TO_RETRY: Final = frozenset(
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.UNIMPLEMENTED,
    ]
)


def run(
    bot: Bot | Callable[[], Bot],
    arguments: Sequence[str] | None = None,
    *,
    workers: int = 1,
) -> None:
    """Plays until the service is gone for good or the process is told to stop.

    With the setting `serve` it waits for calls of the service, as `serve` does.

    A class (or any function that makes a bot) is called once for every match; an
    instance plays all of them. Settings come from `arguments` (those of the program
    if None) and the environment; `workers` is only the default of that setting.
    Raises SystemExit with a status other than zero where something went wrong.
    """
    _run(bot, arguments, workers=workers)


def serve(
    bot: Bot | Callable[[], Bot],
    address: str = "127.0.0.1:0",
    arguments: Sequence[str] | None = None,
    *,
    workers: int = 1,
) -> None:
    """As `run`, but waits to be called: prints where it listens, one caller a lane.

    Port 0 takes a free one. An address that other machines can reach needs the setting
    `expose`. `address`, too, is only the default of its setting, `serve`.
    """
    _run(bot, arguments, workers=workers, serve=address)


def _run(
    bot: Bot | Callable[[], Bot], arguments: Sequence[str] | None, **defaults: object
) -> None:
    words = sys.argv[1:] if arguments is None else arguments

    def work() -> tuple[Settings, Work]:
        settings = read_settings(words, os.environ, **defaults)
        return settings, work_of(_maker(bot), settings)

    finish(work)


def finish(prepared: Callable[[], tuple[Settings, Work]]) -> None:
    """Does the work of a bot process; SystemExit with a message where it fails."""
    try:
        settings, work = prepared()
        _log_to_stderr(settings.log)
        asyncio.run(_until_stopped(work))
    except BotFault as error:
        raise SystemExit(_complain(str(error), EXIT_FAULT)) from None
    except (Refused, SettingsError) as error:
        raise SystemExit(_complain(str(error), EXIT_USAGE)) from None
    except GivenUp as error:
        raise SystemExit(_complain(str(error), EXIT_GIVEN_UP)) from None
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None


def work_of(new_bot: Callable[[], Bot], settings: Settings) -> Work:
    """Everything that a bot process does between its settings and its end."""
    if settings.serve:
        return BotServer(new_bot, settings).keep()
    return Connection(new_bot, settings).keep()


def _maker(bot: Bot | Callable[[], Bot]) -> Callable[[], Bot]:
    if isinstance(bot, Bot):
        return lambda: bot
    if inspect.isabstract(bot):
        missing = ", ".join(sorted(getattr(bot, "__abstractmethods__", ())))
        raise SettingsError(f"the bot does not say what to {missing}")
    if not callable(bot):
        raise SettingsError(f"{bot!r} is no bot: extend ohhell_bot.Bot")
    return bot


def _complain(message: str, status: int) -> int:
    print(f"ohhell_bot: {message}", file=sys.stderr)  # noqa: T201  # the only output
    return status


def _log_to_stderr(level: str) -> None:
    if not _log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(
            logging.Formatter("%(asctime)s ohhell_bot %(levelname)s %(message)s")
        )
        _log.addHandler(handler)
        _log.propagate = False
    _log.setLevel(level.upper())


async def _until_stopped(work: Work) -> None:
    """Ends quietly on SIGTERM; a second one ends a bot that never comes back."""
    loop = asyncio.get_running_loop()
    playing = asyncio.ensure_future(work)
    told = False

    def stop(signum: int, _frame: FrameType | None) -> None:
        nonlocal told
        if told:
            os._exit(128 + signum)
        told = True
        loop.call_soon_threadsafe(playing.cancel)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        await playing
    except asyncio.CancelledError:
        if not told:
            raise
    finally:
        signal.signal(signal.SIGTERM, before)


class Connection:
    """A succession of streams that look like one to the bots."""

    def __init__(self, new_bot: Callable[[], Bot], settings: Settings) -> None:
        """SettingsError."""
        self._settings = settings
        self._route = Route(settings)
        self._seats = Seats(new_bot)
        self._session_id = ""
        self._lost_at = monotonic()

    async def keep(self) -> None:
        """Until it is cancelled; Refused, GivenUp or BotFault otherwise."""
        with thinking_threads(self._settings.threads) as threads:
            await self._keep(threads)

    async def _keep(self, threads: Executor | None) -> None:
        waits = _waits()
        why = ""
        while True:
            stream_ran, now_why = await self._one_stream(threads)
            if stream_ran:
                waits = _waits()
                self._lost_at = monotonic()
            if stream_ran or now_why != why:
                _log.warning("%s: trying again", now_why)
                why = now_why
            if monotonic() - self._lost_at > self._settings.patience_s:
                raise GivenUp(
                    f"{self._settings.address} was out of reach for"
                    f" {self._settings.patience_s} s: {why}"
                )
            await asyncio.sleep(next(waits))

    async def _one_stream(self, threads: Executor | None) -> tuple[bool, str]:
        """Whether it was ever welcomed, and why it is no more."""
        async with self._route.channel() as channel:
            stub = arena_pb2_grpc.ArenaServiceStub(channel)
            token = self._settings.token
            call: Call = stub.Connect(
                metadata=(("authorization", f"Bearer {token}"),) if token else ()
            )
            stream = Stream(
                DialledIn(call),
                seats=self._seats,
                settings=self._settings,
                session_id=self._session_id,
                threads=threads,
            )
            try:
                end = await stream.play()
                if end is End.SUPERSEDED:
                    raise Refused(f"{end.value} ({self._settings.instance})")
                why = end.value
            except grpc.aio.AioRpcError as error:
                why = self._route.why(error)
                if error.code() in _USELESS_TO_RETRY:
                    raise Refused(f"{self._settings.address}: {why}") from None
            except TimeoutError:
                call.cancel()
                why = "no welcome came"
            self._session_id = stream.session_id
            return stream.welcomed, why


def _waits() -> Iterator[float]:
    """Seconds before each further try: doubling, with a fifth of it left to chance."""
    wait = _FIRST_WAIT_S
    while True:
        # Not a secret and not part of any game: many bots must not come back at once.
        yield wait * random.uniform(0.8, 1.2)  # noqa: S311
        wait = min(2 * wait, _LONGEST_WAIT_S)
