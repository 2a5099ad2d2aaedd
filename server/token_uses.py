"""When tokens were used last goes to the store now and then, not with each call."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from server.host import Host
from server.store import StoreError

EVERY_S: Final = 60.0


class TokenUses:
    """Has uses stored from the first `wake` on, all that there were in one commit."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.alarm_at = 0.0

    def wake(self, now: float) -> None:
        self._host.bots.keep_uses()
        # If it fails, the keeper tries again.
        with suppress(StoreError):
            self._host.commit()
        self._host.alarms.set(self, now + EVERY_S)

    def fail(self, error: Exception) -> None:
        self._host.observer.unexpected("token uses", error)
