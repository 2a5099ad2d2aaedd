"""Finds matches that nobody can move on: that is never a player's fault.

No match has a limit of its own. As long as some clock runs, or a question waits for a
player who is to get it, the match will go on by itself. Where neither has been so for a
while, we have lost something: the match is void, and nobody is charged.
"""

from __future__ import annotations

from collections.abc import Mapping

from server.clock import Alarms
from server.observe import Observer
from server.table import Table

LOOKS = 4
"""Looks in the time after which a match is given up."""


class Stuck(Exception):
    """A match that waited for nobody."""


class Watchdog:
    """Looks at all running tables now and then."""

    def __init__(
        self,
        tables: Mapping[str, Table],
        alarms: Alarms,
        observer: Observer,
        *,
        after: float,
    ) -> None:
        self._tables = tables
        self._alarms = alarms
        self._observer = observer
        self._after = after
        self._since: dict[Table, float] = {}
        """When a table was first seen to wait for nobody, and has since."""
        self.alarm_at = 0.0
        self._rest()

    def wake(self, now: float) -> None:
        before, self._since = self._since, {}
        for table in tuple(self._tables.values()):
            if table.waits_for_somebody(now):
                continue
            since = before.get(table, now)
            if now - since >= self._after:
                table.fail(Stuck())
            else:
                self._since[table] = since
        self._rest()

    def fail(self, error: Exception) -> None:
        self._observer.unexpected("watchdog", error)
        self._rest()

    def _rest(self) -> None:
        self._alarms.set(self, self._alarms.clock() + self._after / LOOKS)
