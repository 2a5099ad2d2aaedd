"""What holds at a table beside its numbered entries, and who is told of it.

Notices have no numbers and no history. Whoever comes later gets those that still hold,
so that missing one loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple, TypeAlias


class NoticeKind(IntEnum):
    """The kinds, with their numbers on the wire."""

    DRAINING = 1
    SUPERSEDED = 2
    PROTOCOL = 3
    PRESENCE = 4
    CLOCK_STOPPED = 5
    SEALED = 6
    SKIPPED = 7


class Presence(IntEnum):
    """Whether the player of a seat is there, with the numbers of the wire."""

    FREE = 0
    HERE = 1
    AWAY = 2
    LEFT = 3


class Notice(NamedTuple):
    """One notice; `seat` is whom it is about, `milliseconds` a duration."""

    kind: NoticeKind
    seat: int | None = None
    reason: str = ""
    message: str = ""
    milliseconds: int = 0


Hearer: TypeAlias = Callable[[Notice], None]

LAG = "LAG"
DRAINING = "DRAINING"


def draining(milliseconds: int) -> Notice:
    """The service goes down within so many milliseconds."""
    return Notice(NoticeKind.DRAINING, reason=DRAINING, milliseconds=milliseconds)


class Board:
    """The notices of one table."""

    __slots__ = ("_draining", "_hearers", "_presence", "_stopped", "sealed")

    def __init__(self, seats: int) -> None:
        self.sealed: set[int] = set()
        """Seats that have handed in what is secret yet."""
        self._presence = [Presence.HERE] * seats
        self._stopped = False
        self._draining: Notice | None = None
        self._hearers: list[Hearer] = []

    def listen(self, hearer: Hearer) -> None:
        """Tells of every notice from now on; `standing` has those before."""
        self._hearers.append(hearer)

    def unlisten(self, hearer: Hearer) -> None:
        if hearer in self._hearers:
            self._hearers.remove(hearer)

    def standing(self) -> list[Notice]:
        """Everything that holds now."""
        notices = [_presence(seat, p) for seat, p in enumerate(self._presence) if p > 1]
        notices += [Notice(NoticeKind.SEALED, seat) for seat in sorted(self.sealed)]
        if self._stopped:
            notices.append(Notice(NoticeKind.CLOCK_STOPPED, reason=DRAINING))
        if self._draining is not None:
            notices.append(self._draining)
        return notices

    # What changes

    def seal(self, seat: int) -> None:
        """Tells once: whether a secret bid was replaced is a secret, too."""
        if seat not in self.sealed:
            self.sealed.add(seat)
            self._post(Notice(NoticeKind.SEALED, seat))

    def set_presence(self, seat: int, presence: Presence) -> None:
        before = self._presence[seat]
        if before not in (presence, Presence.LEFT):
            self._presence[seat] = presence
            self._post(_presence(seat, presence))

    def presence(self, seat: int) -> Presence:
        return self._presence[seat]

    def stood_still(self, milliseconds: int) -> None:
        """Clocks were stopped, and go on."""
        self._post(
            Notice(NoticeKind.CLOCK_STOPPED, reason=LAG, milliseconds=milliseconds)
        )

    def stop(self) -> None:
        """Clocks stand still from now on."""
        self._stopped = True
        self._post(Notice(NoticeKind.CLOCK_STOPPED, reason=DRAINING))

    def drain(self, milliseconds: int) -> None:
        self._draining = draining(milliseconds)
        self._post(self._draining)

    def _post(self, notice: Notice) -> None:
        for hearer in tuple(self._hearers):
            hearer(notice)


def _presence(seat: int, presence: Presence) -> Notice:
    return Notice(NoticeKind.PRESENCE, seat, reason=presence.name)
