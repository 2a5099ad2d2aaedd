"""A bot that does something else from its n-th decision on."""

from __future__ import annotations

from collections.abc import Callable

from bots.lowest import Lowest
from ohhell_bot import Bot, View


class Counted(Bot):
    """One instance for all tables of a process, so that decisions are counted once."""

    def __init__(self, decisions: int, then: Callable[[], None]) -> None:
        self._left = decisions
        self._then = then
        self._sane = Lowest()

    def _count(self) -> None:
        if self._left <= 0:
            self._then()
        self._left -= 1

    def bid(self, view: View) -> int:
        self._count()
        return self._sane.bid(view)

    def play(self, view: View) -> int:
        self._count()
        return self._sane.play(view)
