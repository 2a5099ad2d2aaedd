"""Ended tables leave the store when they have been there for long enough.

A few at a time, so that nobody waits for it. What has not ended is never touched,
however old it is; neither is what the log still has something of, so that whatever is
in the log is of a table that is there.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from server.clock import wall
from server.lobby import Lobby
from server.store import StoreError

EVERY_S: Final = 30.0
AT_ONCE: Final = 500
"""Tables; so many, so often, are more than a server plays."""
_DAY_S: Final = 86_400


class Retention:
    """Removes what ended more than so many days ago, from the first `wake` on."""

    def __init__(self, lobby: Lobby, *, days: int) -> None:
        self._lobby = lobby
        self._host = lobby.host
        self._kept_s = days * _DAY_S
        self.alarm_at = 0.0

    def wake(self, now: float) -> None:
        before = int(wall()) - self._kept_s
        self._lobby.forget_ended(before=before, most=AT_ONCE)
        # If it fails, the keeper tries again.
        with suppress(StoreError):
            self._host.commit()
        self._host.alarms.set(self, now + EVERY_S)

    def fail(self, error: Exception) -> None:
        self._host.observer.unexpected("retention", error)
