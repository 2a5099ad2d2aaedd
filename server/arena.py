"""The sessions of all bot processes, and where a bot's next seat goes."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict

from engine.rules import Rules
from server.clock import Alarms
from server.declines import declined
from server.observe import Observer
from server.patience import PATIENCE, Patience
from server.players.seat import Seat
from server.players.session import Session
from server.players.transport import Transport


class TooManyInstances(Exception):
    """A bot has as many processes here as it may."""


class BotNotReady(Exception):
    """No process of the bot for this lane came in time."""


class BotDeclines(Exception):
    """No process of the bot plays such rules; the message says which words it says."""


class Arena:
    """Bot processes by bot and lane."""

    def __init__(
        self, alarms: Alarms, observer: Observer, patience: Patience = PATIENCE
    ) -> None:
        self._alarms = alarms
        self._patience = patience
        self._observer = observer
        self._lanes: defaultdict[tuple[str, int], list[Session]] = defaultdict(list)
        self._arrivals: defaultdict[tuple[str, int], asyncio.Event] = defaultdict(
            asyncio.Event
        )

    def session(
        self, bot: str, *, instance_id: str, lane: int, resume: str, most: int
    ) -> tuple[Session, bool]:
        """The session of a process, and whether it goes on with earlier seats.

        A process is the same as before if its instance id, or the session it wants
        to resume, says so; a new one takes over what a lost one of its lane left.
        TooManyInstances, if it would have more than `most` processes.
        """
        sessions = self._lanes[bot, lane]
        sessions[:] = [known for known in sessions if not known.given_up]
        for known in sessions:
            if known.session_id == resume or (
                instance_id and known.instance_id == instance_id
            ):
                if known.session_id != resume:
                    # What another process had seen is none of this one's business.
                    known.farewells.forget()
                return known, True
        if sum(len(s) for (name, _), s in self._lanes.items() if name == bot) >= most:
            lost = [s for s in sessions if s.transport is None]
            if not lost:
                raise TooManyInstances
        session = Session(
            bot,
            instance_id=instance_id,
            lane=lane,
            session_id=secrets.token_hex(8),
            alarms=self._alarms,
            patience=self._patience,
            observer=self._observer,
        )
        resumed = False
        for known in tuple(sessions):
            if known.transport is None:
                resumed = resumed or bool(known.seats)
                session.adopt(known)
                sessions.remove(known)
        sessions.append(session)
        return session, resumed

    def awaited(self, bot: str, lane: int = 0) -> Seat:
        """A player for a seat that the bot had before the server was restarted.

        Whichever process of the bot comes first takes over all such seats.
        """
        sessions = self._lanes[bot, lane]
        if not sessions:
            session = Session(
                bot,
                instance_id="",
                lane=lane,
                session_id=secrets.token_hex(8),
                alarms=self._alarms,
                patience=self._patience,
                observer=self._observer,
            )
            session.excuse(self._return_until())
            sessions.append(session)
        return sessions[0].player()

    def excuse(self) -> None:
        """The server was away: bots have time to come back before it is an outage."""
        until = self._return_until()
        for sessions in self._lanes.values():
            for session in sessions:
                session.excuse(until)

    def _return_until(self) -> float:
        return self._alarms.clock() + self._patience.return_ms / 1000

    def attach(self, session: Session, transport: Transport) -> None:
        """The newest stream of a process wins at once."""
        before = session.transport
        if before is not None:
            before.close("SUPERSEDED")
            session.detach()
        session.attach(transport)
        self._observer.stream_opened(session.bot, len(session.seats))
        self._arrivals[session.bot, session.lane].set()

    def lost(self, session: Session, transport: Transport, why: str) -> None:
        """A stream ended, for whatever reason."""
        if session.transport is not transport:
            return
        session.detach()
        self._observer.stream_closed(session.bot, why)
        if not self._of(session.bot, session.lane):
            self._arrivals[session.bot, session.lane].clear()

    async def ready(self, bot: str, lane: int, seconds: float) -> None:
        """Waits for a process of the bot that plays this lane; BotNotReady."""
        try:
            async with asyncio.timeout(seconds):
                while not self._of(bot, lane):
                    self._arrivals[bot, lane].clear()
                    await self._arrivals[bot, lane].wait()
        except TimeoutError:
            raise BotNotReady(
                f"bot {bot!r} has no stream for lane {lane} after {seconds:g} s"
            ) from None

    def player(self, bot: str, lane: int = 0, rules: Rules | None = None) -> Seat:
        """A player for one seat, on the bot's process with the fewest.

        Where all are lost just now, the seat waits with one of them. BotNotReady; with
        rules also BotDeclines, where no process plays them.
        """
        sessions = self._that_may_play(bot, lane, rules)
        return min(sessions, key=lambda session: len(session.seats)).player()

    def refuse_declined(self, bot: str, lane: int, rules: Rules) -> None:
        """BotNotReady or BotDeclines, where `player` would raise it."""
        self._that_may_play(bot, lane, rules)

    def _that_may_play(self, bot: str, lane: int, rules: Rules | None) -> list[Session]:
        sessions = self._of(bot, lane) or self._lanes.get((bot, lane), [])
        if not sessions:
            raise BotNotReady(f"bot {bot!r} has no stream for lane {lane}")
        if rules is not None and any(session.declines for session in sessions):
            sessions = _that_play(rules, sessions)
        return sessions

    def streams(self) -> dict[str, int]:
        """Open streams by bot."""
        counts: dict[str, int] = {}
        for (bot, _), sessions in list(self._lanes.items()):
            here = sum(session.transport is not None for session in sessions)
            if here:
                counts[bot] = counts.get(bot, 0) + here
        return counts

    def waiting_frames(self) -> int:
        """Questions and frames that wait to be sent, over all streams."""
        return sum(
            session.transport.waiting + session.waiting
            for sessions in list(self._lanes.values())
            for session in list(sessions)
            if session.transport is not None
        )

    def drain(self, milliseconds: int) -> None:
        """Tells all streams that the service goes down within so many milliseconds."""
        for sessions in self._lanes.values():
            for session in sessions:
                if session.transport is not None:
                    session.transport.drain(milliseconds)

    def close(self, bot: str, why: str) -> int:
        """Ends the streams of a bot, all bots' where it is empty; returns how many."""
        closed = 0
        for (name, _), sessions in self._lanes.items():
            for session in sessions:
                if session.transport is not None and bot in ("", name):
                    session.transport.close(why)
                    closed += 1
        return closed

    def _of(self, bot: str, lane: int) -> list[Session]:
        return [s for s in self._lanes.get((bot, lane), ()) if s.takes_seats]


def _that_play(rules: Rules, sessions: list[Session]) -> list[Session]:
    playing = [s for s in sessions if not declined(s.declines, rules)]
    if not playing:
        words = sorted(declined(sessions[0].declines, rules))
        raise BotDeclines(
            f"bot {sessions[0].bot!r} does not play such rules: it declines"
            f" {', '.join(words)}"
        )
    return playing
