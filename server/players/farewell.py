"""What a bot is told at the end of a seat, kept until it has shown that it heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.match import Match
    from server.outcome import Outcome
    from server.players.seat import Seat
    from server.setup import TableSetup

MOST_FAREWELLS: Final = 512
"""Of one process; a bot that answers no heartbeat has so many, and no more."""


@dataclass(slots=True)
class Farewell:
    """A seat that has ended, without its table."""

    handle: int
    seat: int
    setup: TableSetup
    match: Match | None
    """Where the bot watches: what it may not have of it."""
    acked: int
    outcome: Outcome | None
    """None: the bot has left."""
    beat: int = 0
    """Heartbeat of the present stream that went out behind it; 0: none has yet."""


class Farewells:
    """Of one session, oldest first."""

    def __init__(self) -> None:
        self._unheard: deque[Farewell] = deque(maxlen=MOST_FAREWELLS)

    def __iter__(self) -> Iterator[Farewell]:
        return iter(self._unheard)

    def __len__(self) -> int:
        return len(self._unheard)

    def add(self, seat: Seat, outcome: Outcome | None) -> None:
        """The seat ends now; a bot that has left it hears no more of its match."""
        watches = seat.watching and outcome is not None
        self._unheard.append(
            Farewell(
                seat.handle,
                seat.seat,
                seat.table.setup,
                seat.table.match if watches else None,
                seat.acked,
                outcome,
            )
        )

    def sent(self, beat: int) -> None:
        """All so far have gone out, and this beat behind them."""
        for farewell in reversed(self._unheard):
            if farewell.beat:
                break
            farewell.beat = beat

    def heard(self, beat: int) -> None:
        """The bot has answered this beat, and so has whatever came before it."""
        unheard = self._unheard
        while unheard and 0 < unheard[0].beat <= beat:
            unheard.popleft()

    def begin_again(self) -> None:
        """There is another stream, on which nothing has been sent."""
        for farewell in self._unheard:
            farewell.beat = 0

    def forget(self) -> None:
        self._unheard.clear()
