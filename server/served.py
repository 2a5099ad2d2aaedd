"""A table that anybody may open and join, from before its match to after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engine.commitments import leaf
from engine.rules import Rules
from engine.shuffle import SeededDecks, bot_seed
from engine.visibility import REFEREE, SPECTATOR, Viewer
from server.clock import TimeControl
from server.looking import public_match, public_seq
from server.notice import Presence
from server.outcome import Outcome
from server.players.port import Player
from server.setup import TableSetup
from server.store import Seat, SeatKind
from server.table import Table
from server.tokens import secret_hash


class LobbyState(StrEnum):
    OPEN = "OPEN"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


class Spectators(StrEnum):
    """What those without a seat may see."""

    OFF = "OFF"
    OPEN = "OPEN"
    DELAYED = "DELAYED"


@dataclass(slots=True)
class LobbySeat:
    """A seat; free while it has no player."""

    kind: SeatKind = SeatKind.FREE
    name: str = ""
    """What others see; of a bot and of a house bot, its name."""
    ticket: bytes = b""
    """Hash of the one-time ticket."""
    token: bytes = b""
    """Hash of the token of a person."""
    player: Player | None = None

    def stored(self, number: int) -> Seat:
        """As the store keeps it."""
        bot = self.name if self.kind in (SeatKind.BOT, SeatKind.HOUSE) else None
        return Seat(
            number, self.kind, self.name, bot, self.ticket or None, self.token or None
        )


class Twins(Protocol):
    """Knows all tables that are not over."""

    def has_twin(self, table: LobbyTable) -> bool:
        """Whether another one has the same deals."""


@dataclass(slots=True, kw_only=True)
class LobbyTable:
    """A table by its public id."""

    id: str
    number: int
    """Grows with every table; where a list goes on, and its number in the store."""
    display_name: str
    rules: Rules
    rules_hash: str
    preset: str
    clock: TimeControl
    idle_ms: int
    amendments: bool
    spectators: Spectators
    owner: str
    """Bot that opened it, or the guest."""
    seed: bytes = field(repr=False)
    """Block seed of the deals."""
    seats: list[LobbySeat]
    first_dealer: int
    state: LobbyState = LobbyState.OPEN
    table: Table | None = None
    ended: Ended | None = None
    """Of a table that only the store remembers."""
    twins: Twins = field(repr=False)

    @property
    def commitment(self) -> bytes:
        return leaf(0, 0, self.seed)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    @property
    def presence(self) -> tuple[Presence, ...]:
        """Whether the player of each seat is there."""
        if self.table is not None:
            board = self.table.board
            return tuple(board.presence(seat) for seat in range(len(self.seats)))
        return tuple(
            Presence.FREE if seat.kind is SeatKind.FREE else Presence.HERE
            for seat in self.seats
        )

    @property
    def bots(self) -> dict[str, int]:
        """Seats of the bots that play here on their streams."""
        return {
            seat.name: number
            for number, seat in enumerate(self.seats)
            if seat.kind is SeatKind.BOT
        }

    def has_ticket(self, ticket: str) -> bool:
        wanted = secret_hash(ticket)
        return any(seat.ticket == wanted for seat in self.seats)

    @property
    def is_over(self) -> bool:
        return self.state in (LobbyState.FINISHED, LobbyState.CANCELLED)

    @property
    def embargoed(self) -> bool:
        """Whether the same deals are still to be played at another table.

        Whoever plays there must learn nothing here: no card, trick or score.
        """
        return self.twins.has_twin(self)

    @property
    def onlooker(self) -> Viewer | None:
        """As whom somebody without a seat may look on now; None: not at all."""
        if self.embargoed:
            return None
        if self.spectators is Spectators.OPEN:
            return SPECTATOR
        if self.spectators is Spectators.DELAYED and self.is_over:
            return REFEREE
        return None

    @property
    def seq(self) -> int:
        """Number of the last entry that all may read; 0 before the match."""
        if self.table is not None:
            return public_seq(self.table)
        return self.ended.seq if self.ended is not None else 0

    @property
    def scores(self) -> Sequence[int]:
        """Totals by seat; empty before the match."""
        if self.table is not None:
            return public_match(self.table).scores
        return self.ended.scores if self.ended is not None else ()

    @property
    def setup(self) -> TableSetup:
        """What the match is, with the players that are known so far."""
        seats = len(self.seats)
        return TableSetup(
            table=self.id,
            rules=self.rules,
            players=self.players,
            first_dealer=self.first_dealer,
            decks=SeededDecks(self.seed, self.rules, seats),
            bot_seeds=tuple(bot_seed(self.seed, 0, seat) for seat in range(seats)),
            preset=self.preset,
            rules_hash=self.rules_hash,
            clock=self.clock,
            idle_ms=self.idle_ms,
            amendments=self.amendments,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a caller wants a table to be."""

    rules: Rules
    preset: str
    overrides: Mapping[str, object]
    players: int
    display_name: str
    house_bots: tuple[str, ...]
    """On the last seats."""
    clock: TimeControl
    amendments: bool | None
    """None: as the rules say, unless there is a clock."""
    spectators: Spectators
    seed: int | None
    owner: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How a table ended, as far as lists tell it."""

    seq: int
    scores: tuple[int, ...]
    outcome: Outcome
