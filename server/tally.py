"""How decisions ended: counted at every one, read when Prometheus asks."""

from __future__ import annotations

from typing import Final

from server.histogram import Histogram
from server.observe import Verdict
from server.players.port import Link

ASKS: Final = ("", "bid", "play", "trump", "bid_cards")
"""Kinds of questions, by number."""
# Members of enumerations are slow to reach: this one is asked for at every decision.
_OK: Final = Verdict.OK


class Tally:
    """Seconds of accepted answers, and how often there was anything else."""

    __slots__ = ("_others", "_seconds")

    def __init__(self) -> None:
        self._seconds: dict[Link, list[Histogram]] = {}
        """By link, then by kind of question."""
        self._others: dict[tuple[int, Verdict, Link], int] = {}

    def decided(self, ask: int, verdict: Verdict, link: Link, seconds: float) -> None:
        """Counts one, as `Observer.decided` hears it."""
        if verdict is not _OK:
            key = (ask, verdict, link)
            self._others[key] = self._others.get(key, 0) + 1
            return
        by_ask = self._seconds.get(link)
        if by_ask is None:
            by_ask = self._seconds[link] = [Histogram() for _ in ASKS]
        by_ask[ask].observe(seconds)

    def seconds(self) -> list[tuple[int, Link, Histogram]]:
        """How long accepted answers took, where there were any."""
        return [
            (ask, link, histogram)
            for link, by_ask in list(self._seconds.items())
            for ask, histogram in enumerate(by_ask)
            if histogram.count
        ]

    def outcomes(self) -> dict[tuple[int, Verdict, Link], int]:
        """How many there were of each kind."""
        accepted = {
            (ask, _OK, link): histogram.count for ask, link, histogram in self.seconds()
        }
        return accepted | dict(self._others)
