"""The seats that a bot process holds, whatever becomes of its connection."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

from ohhell.v1 import frames_pb2
from ohhell_bot.bot import Bot
from ohhell_bot.errors import BadAnswer
from ohhell_bot.match import Match, Result, Rules
from ohhell_bot.view import View
from ohhell_bot.vocabulary import EndReason

MOST_REMEMBERED: Final = 512
"""Seats that have ended: the service says no more of them a second time."""

_log: Final = logging.getLogger("ohhell_bot")


@dataclass(slots=True)
class Seat:
    """One match of a bot."""

    bot: Bot
    match: Match


class _Nobody(Bot):
    """Takes the place of a bot that could not be made, and has no answer to anything.

    Its table learns of it with the first question, and other tables go on.
    """

    def __init__(self, why: str) -> None:
        self._why = why

    def bid(self, view: View) -> NoReturn:
        raise BadAnswer(self._why)

    def play(self, view: View) -> NoReturn:
        raise BadAnswer(self._why)

    def choose_trump(self, view: View) -> NoReturn:
        raise BadAnswer(self._why)

    def lay(self, view: View) -> NoReturn:
        raise BadAnswer(self._why)


class Seats:
    """Makes the bot of every match, once, also when the seat is assigned again."""

    def __init__(self, new_bot: Callable[[], Bot]) -> None:
        self._new_bot = new_bot
        self._seats: dict[tuple[str, int], Seat] = {}
        self._rules: dict[str, Rules] = {}
        self._ended: dict[tuple[int, str, int], None] = {}
        """Seats that are over, by handle, table and seat, oldest first."""

    def __len__(self) -> int:
        return len(self._seats)

    def assign(self, assigned: frames_pb2.SeatAssigned) -> Seat | None:
        """None for one that is over: the service cannot know that it was heard."""
        key = (assigned.table, assigned.seat)
        rules = self._rules_of(assigned)
        if (assigned.handle, *key) in self._ended:
            return None
        if key in self._seats:
            return self._seats[key]
        match = Match.from_wire(assigned, rules)
        seat = self._seats[key] = Seat(self._made_for(match), match)
        _log.debug("seat %d at table %s", match.seat, match.table)
        try:
            seat.bot.match_start(match)
        except Exception:  # noqa: BLE001  # whatever a bot's own code may raise
            _log.exception("match_start raised at table %s", match.table)
        return seat

    def _made_for(self, match: Match) -> Bot:
        try:
            return self._new_bot()
        except Exception as error:  # noqa: BLE001  # whatever a bot's own code may raise
            _log.exception("no bot could be made for table %s", match.table)
            return _Nobody(f"no bot could be made: {type(error).__name__}")

    def _rules_of(self, assigned: frames_pb2.SeatAssigned) -> Rules:
        if assigned.HasField("rules"):
            self._rules[assigned.rules_hash] = Rules.from_wire(assigned.rules)
        return self._rules[assigned.rules_hash]

    def forget(self) -> None:
        """The service knows nothing of an earlier session: its matches are gone."""
        self._seats.clear()
        self._ended.clear()

    def end(self, seat: Seat, ended: frames_pb2.SeatEnded) -> None:
        match = seat.match
        self._seats.pop((match.table, match.seat), None)
        self._ended[ended.handle, match.table, match.seat] = None
        if len(self._ended) > MOST_REMEMBERED:
            del self._ended[next(iter(self._ended))]
        result = Result(
            match=match,
            reason=EndReason(ended.reason),
            scores=tuple(ended.scores),
            winners=tuple(ended.winners),
        )
        _log.debug("table %s ended: %s", match.table, result.scores)
        try:
            seat.bot.match_end(result)
        except Exception:  # noqa: BLE001  # whatever a bot's own code may raise
            _log.exception("match_end raised at table %s", match.table)
