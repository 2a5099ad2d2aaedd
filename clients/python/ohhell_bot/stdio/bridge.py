"""A bot of the library's kind whose decisions are made by a process that reads lines.

To the service it is a bot like any other. A question that expires keeps its worker
until the process has answered after all, so that a slow one is never asked ahead of
itself; one that stays silent has the bridge end, and whoever started it may start it
again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ohhell_bot.bot import Bot, Lay, Play
from ohhell_bot.errors import BotFault, SettingsError
from ohhell_bot.match import Match, Result
from ohhell_bot.running import Work, finish, work_of
from ohhell_bot.settings import Settings, read_settings
from ohhell_bot.stdio.child import Child
from ohhell_bot.stdio.schema import (
    Spoken,
    ask_line,
    bid_of,
    end_line,
    lay_of,
    play_of,
    question_id,
    start_line,
    trump_of,
)
from ohhell_bot.view import View

SILENCE_S: Final = 6.0
"""Seconds beyond limit and bank; after five the service has ended the stream."""


class Bridge(Bot):
    """One for all matches of a process; its methods wait for answers."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def bid(self, view: View) -> int:
        return bid_of(self._ask(view))

    def play(self, view: View) -> Play:
        return play_of(self._ask(view))

    def choose_trump(self, view: View) -> int:
        return trump_of(self._ask(view))

    def lay(self, view: View) -> Lay:
        return lay_of(self._ask(view))

    def match_start(self, match: Match) -> None:
        self._child.tell(start_line(match))

    def match_end(self, result: Result) -> None:
        self._child.tell(end_line(result))

    def _ask(self, view: View) -> Spoken:
        return self._child.ask(
            question_id(view), ask_line(view), patience_s=_patience(view)
        )


def _patience(view: View) -> float | None:
    if not (view.limit_ms or view.bank_ms):
        return None
    grace = view.match.clock.grace_ms
    return (view.limit_ms + view.bank_ms + grace) / 1000 + SILENCE_S


def bridge(command: Sequence[str], flags: Sequence[str] = ()) -> None:
    """Plays with the bot that `command` starts, with the flags of every bot.

    `workers` are questions that the bot is asked at once. SystemExit says how it ended.
    """
    finish(lambda: _prepared(command, flags))


def _prepared(command: Sequence[str], flags: Sequence[str]) -> tuple[Settings, Work]:
    settings = read_settings(flags, os.environ, workers=1)
    if settings.threads:
        raise SettingsError("--threads is for bots in Python: say --workers")
    # Every question that is open waits in a thread of its own.
    settings = replace(settings, threads=settings.workers)
    return settings, _playing(command, settings)


async def _playing(command: Sequence[str], settings: Settings) -> None:
    """Until the process or the service is gone."""
    loop = asyncio.get_running_loop()
    troubled = asyncio.Event()

    def on_trouble() -> None:
        loop.call_soon_threadsafe(troubled.set)

    child = Child(command, on_trouble=on_trouble)
    one_for_all = Bridge(child)
    playing = asyncio.ensure_future(work_of(lambda: one_for_all, settings))
    watching = asyncio.ensure_future(troubled.wait())
    try:
        await asyncio.wait({playing, watching}, return_when="FIRST_COMPLETED")
        if playing.done():
            return await playing
        raise BotFault(child.trouble)
    finally:
        watching.cancel()
        playing.cancel()
        await asyncio.gather(playing, watching, return_exceptions=True)
        child.close()
