"""Who hears that something has happened at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Listener: TypeAlias = Callable[[int], None]
"""Called with the number of the last entry whenever there are new ones, and with 0
when something without a number has changed.
"""


class Audience:
    """The listeners of one table."""

    __slots__ = ("listeners", "onlookers")

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self.onlookers: list[Listener] = []
        """Those of them who may read up to `looking.public_seq` only."""

    def listen(self, listener: Listener) -> None:
        self.listeners.append(listener)

    def look_on(self, listener: Listener) -> None:
        """As `listen`, for somebody without a seat."""
        self.listeners.append(listener)
        self.onlookers.append(listener)

    def unlisten(self, listener: Listener) -> None:
        if listener in self.listeners:
            self.listeners.remove(listener)
        if listener in self.onlookers:
            self.onlookers.remove(listener)

    def tell(self, seq: int) -> None:
        for listener in tuple(self.listeners):
            listener(seq)

    def tell_onlookers(self) -> None:
        """What has already happened may be read now."""
        for onlooker in tuple(self.onlookers):
            onlooker(0)
