"""Facts about what happens in the server, and who may want to hear them.

Metrics and logs listen here; nothing that plays a match knows about either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.guard import Fault
    from server.players.port import Link
    from server.table import Table


class Verdict(StrEnum):
    """What became of an answer, or of a decision without one."""

    OK = "ok"
    ILLEGAL = "illegal"
    STALE = "stale"
    DUPLICATE = "duplicate"
    TIMEOUT = "timeout"
    DEFAULTED = "defaulted"


class Viewer(StrEnum):
    """Who is at the other end of a stream that the server writes."""

    BOT = "bot"
    WATCHER = "watcher"


class Observer:
    """Hears every fact and does nothing; listeners override what they want."""

    def decided(self, ask: int, verdict: Verdict, link: Link, seconds: float) -> None:
        """An answer was judged; `seconds` from handing over the question."""

    def faulted(self, table: Table, seat: int, fault: Fault) -> None:
        """A fault was counted against a seat."""

    def table_state(self, table: Table, before: str) -> None:
        """A table went from one state to another; at first from the empty one."""

    def table_failed(self, table: Table, error: BaseException) -> None:
        """Our own mistake voided a table."""

    def unexpected(self, where: str, error: BaseException) -> None:
        """Our own mistake, somewhere that no table pays for."""

    def store_failed(self, error: BaseException) -> None:
        """Nothing can be stored: nothing is accepted until it can."""

    def store_recovered(self) -> None:
        """What had to wait is stored, and everything goes on."""

    def table_left(self, table: str, why: str) -> None:
        """A table of the store cannot be taken up again, and stays as it is."""

    def stream_opened(self, bot: str, resumed: int) -> None:
        """A bot's stream was accepted with so many seats from an earlier one."""

    def stream_closed(self, bot: str, why: str) -> None:
        """A bot's stream is gone."""

    def batch_sent(self, frames: int) -> None:
        """So many frames left in one message."""

    def batch_read(self, frames: int) -> None:
        """So many frames came in one message."""

    def lagged(self, seconds: float) -> None:
        """The event loop was late by so much."""

    def waited(self, seconds: float) -> None:
        """A question waited so long until its bot had a worker free."""

    def rejected(self, reason: str) -> None:
        """A call or a frame was refused; `reason` is the code that was answered."""

    def auth_failed(self, reason: str) -> None:
        """A call failed because of who makes it; also `rejected`."""

    def slow_consumer(self, viewer: Viewer) -> None:
        """A stream was ended because too much waited to be read."""

    def clock_stopped(self, seconds: float) -> None:
        """The clock of an open question stood still for so long."""


Listener = Callable[..., None]


def _listeners(observers: Iterable[Observer], name: str) -> tuple[Listener, ...]:
    nobody = getattr(Observer, name)
    listeners = (getattr(observer, name) for observer in observers)
    return tuple(
        listener
        for listener in listeners
        if getattr(listener, "__func__", None) is not nobody
    )


class Observers(Observer):
    """Passes every fact on to those who listen to it."""

    def __init__(self, observers: Iterable[Observer] = ()) -> None:
        observers = tuple(observers)
        self._decided = _listeners(observers, "decided")
        self._batch_sent = _listeners(observers, "batch_sent")
        self._batch_read = _listeners(observers, "batch_read")
        self._rare = observers
        for name in ("decided", "batch_sent", "batch_read"):
            listeners = _listeners(observers, name)
            if len(listeners) == 1:
                # Every decision comes by: the usual one listener hears directly.
                setattr(self, name, listeners[0])

    def decided(self, ask: int, verdict: Verdict, link: Link, seconds: float) -> None:
        for listener in self._decided:
            listener(ask, verdict, link, seconds)

    def batch_sent(self, frames: int) -> None:
        for listener in self._batch_sent:
            listener(frames)

    def batch_read(self, frames: int) -> None:
        for listener in self._batch_read:
            listener(frames)

    def faulted(self, table: Table, seat: int, fault: Fault) -> None:
        for observer in self._rare:
            observer.faulted(table, seat, fault)

    def table_state(self, table: Table, before: str) -> None:
        for observer in self._rare:
            observer.table_state(table, before)

    def table_failed(self, table: Table, error: BaseException) -> None:
        for observer in self._rare:
            observer.table_failed(table, error)

    def unexpected(self, where: str, error: BaseException) -> None:
        for observer in self._rare:
            observer.unexpected(where, error)

    def store_failed(self, error: BaseException) -> None:
        for observer in self._rare:
            observer.store_failed(error)

    def store_recovered(self) -> None:
        for observer in self._rare:
            observer.store_recovered()

    def table_left(self, table: str, why: str) -> None:
        for observer in self._rare:
            observer.table_left(table, why)

    def stream_opened(self, bot: str, resumed: int) -> None:
        for observer in self._rare:
            observer.stream_opened(bot, resumed)

    def stream_closed(self, bot: str, why: str) -> None:
        for observer in self._rare:
            observer.stream_closed(bot, why)

    def lagged(self, seconds: float) -> None:
        for observer in self._rare:
            observer.lagged(seconds)

    def waited(self, seconds: float) -> None:
        for observer in self._rare:
            observer.waited(seconds)

    def rejected(self, reason: str) -> None:
        for observer in self._rare:
            observer.rejected(reason)

    def auth_failed(self, reason: str) -> None:
        for observer in self._rare:
            observer.auth_failed(reason)

    def slow_consumer(self, viewer: Viewer) -> None:
        for observer in self._rare:
            observer.slow_consumer(viewer)

    def clock_stopped(self, seconds: float) -> None:
        for observer in self._rare:
            observer.clock_stopped(seconds)
