"""Tables that anybody may open and join: from the first seat taken to the last card.

Such a table has an id and seats with tokens before its match exists. Once every seat
is taken the match starts by itself; when it is over the table stays readable until
newer ones push it out.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.commitments import leaf
from engine.fallback import Command
from engine.record import record_text
from engine.rules import Rules
from engine.shuffle import (
    SEED_BYTES,
    SeededDecks,
    block_seed,
    bot_seed,
    first_dealer,
    published_seed,
)
from engine.visibility import REFEREE, SPECTATOR, Viewer
from server.clock import TimeControl, wall
from server.host import Host
from server.notice import Presence
from server.outcome import State
from server.players.port import Player
from server.players.unary import UnaryPlayer
from server.registry import SEAT_TOKEN, TICKET, new_secret, secret_hash
from server.setup import TableSetup
from server.store import SealedAnswer, Store
from server.table import Table

MAX_OPEN = 10_000
"""Tables that are open or running."""
MAX_ENDED = 1_000
"""Tables that stay readable after their end."""


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


class LobbyRefused(Exception):
    """`reason` is a code of the error reference."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


@dataclass(slots=True)
class LobbySeat:
    """A seat; free while it has no player."""

    ticket: bytes = b""
    """Hash of the one-time ticket."""
    name: str = ""
    player: Player | None = None


@dataclass(slots=True, kw_only=True)
class LobbyTable:
    """A table by its public id."""

    id: str
    number: int
    """Grows with every table; where a list goes on."""
    display_name: str
    rules: Rules
    rules_hash: str
    preset: str
    clock: TimeControl
    idle_ms: int
    amendments: bool
    spectators: Spectators
    owner: str
    """Bot that opened it; empty for an anonymous caller."""
    seed: bytes = field(repr=False)
    """Block seed of the deals."""
    seats: list[LobbySeat]
    first_dealer: int
    state: LobbyState = LobbyState.OPEN
    table: Table | None = None
    stored_as: int = 0
    """Number in the store; 0: it is not stored."""
    alarm_at: float = 0.0
    lobby: Lobby | None = field(default=None, repr=False)

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
            Presence.FREE if seat.player is None else Presence.HERE
            for seat in self.seats
        )

    @property
    def is_over(self) -> bool:
        return self.state in (LobbyState.FINISHED, LobbyState.CANCELLED)

    @property
    def embargoed(self) -> bool:
        """Whether the same deals are still to be played at another table.

        Whoever plays there must learn nothing here: no card, trick or score.
        """
        return self.lobby is not None and self.lobby.has_twin(self)

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

    def wake(self, now: float) -> None:
        """Nobody filled the table in time."""
        if self.lobby is not None and self.state is LobbyState.OPEN:
            self.lobby.cancel(self)

    def fail(self, error: Exception) -> None:
        """What can go wrong there is the store."""
        if self.lobby is not None:
            self.lobby.host.observer.unexpected("lobby", error)


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


class StoreJournal:
    """Hands entries of a served table to the store, for its next commit."""

    def __init__(self, store: Store, stored_as: int) -> None:
        self._store = store
        self._stored_as = stored_as
        self._append = store.log.append

    def entries(self, table: Table, after: int) -> None:
        self._append(self._stored_as, *table.match.log.encoded_after(after))

    def sealed(self, table: Table, seat: int, command: Command) -> None:
        answer = SealedAnswer(
            seq=table.match.seq,
            seat=seat,
            attempt=1 + table.amendments_of(seat),
            payload=json.dumps(command).encode(),
        )
        self._store.tables.seal(self._stored_as, answer)


class Lobby:
    """All tables that were opened by callers."""

    def __init__(self, host: Host, store: Store | None = None) -> None:
        self.host = host
        self._store = store
        self._tables: OrderedDict[str, LobbyTable] = OrderedDict()
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._tokens: dict[bytes, tuple[str, int]] = {}
        self._number = 0
        self._being_played: dict[bytes, set[str]] = {}
        """Tables that are not over, by the seed of their deals."""
        host.gallery = self

    # Finding

    def get(self, table_id: str) -> LobbyTable | None:
        return self._tables.get(table_id)

    def look(self, table_id: str) -> Table | None:
        """The match, if just anybody may look on while it is played."""
        table = self.get(table_id)
        if table is None or table.onlooker is not SPECTATOR:
            return None
        return table.table

    def has_twin(self, table: LobbyTable) -> bool:
        """Whether another table that is not over has the same deals."""
        return bool(self._being_played.get(table.seed, set()) - {table.id})

    def newest_first(self, before: int) -> list[LobbyTable]:
        """Tables with a lower number than `before`; 0: all."""
        return [
            table
            for table in reversed(self._tables.values())
            if not before or table.number < before
        ]

    def seat_of(self, token: str) -> tuple[LobbyTable, int] | None:
        """The seat that a token is for."""
        found = self._tokens.get(secret_hash(token))
        if found is None:
            return None
        table = self._tables.get(found[0])
        return None if table is None else (table, found[1])

    # Opening

    def create(self, wanted: Opening) -> tuple[LobbyTable, list[str]]:
        """Opens a table; returns it with the tickets of its free seats by seat."""
        players, rules, clock = wanted.players, wanted.rules, wanted.clock
        house_bots = wanted.house_bots
        if len(self._tables) - len(self._ended) >= MAX_OPEN:
            raise LobbyRefused("TOO_MANY_TABLES", f"{MAX_OPEN} tables are open")
        if len(house_bots) > players:
            raise LobbyRefused(
                "TOO_MANY_HOUSE_BOTS",
                f"{len(house_bots)} house bots do not fit on {players} seats",
            )
        for name in house_bots:
            if name not in self.host.house_bots:
                known = ", ".join(sorted(self.host.house_bots)) or "none"
                raise LobbyRefused(
                    "UNKNOWN_HOUSE_BOT", f"there is no house bot {name!r}: {known}"
                )
        # Clocked tables take bids as they are, unless somebody asked for more.
        amends = not clock.running if wanted.amendments is None else wanted.amendments
        if not amends:
            rules = rules.without_amending()
        secret = (
            secrets.token_bytes(SEED_BYTES)
            if wanted.seed is None
            else published_seed(wanted.seed)
        )
        deals = block_seed(secret, 0, 0)
        dealer = rules.first_dealer_seat
        self._number += 1
        table = LobbyTable(
            id=f"t-{secrets.token_hex(6)}",
            number=self._number,
            display_name=wanted.display_name,
            rules=rules,
            rules_hash=rules.hash(players),
            preset=wanted.preset,
            clock=clock,
            idle_ms=self.host.patience.idle_ms,
            amendments=amends,
            spectators=wanted.spectators,
            owner=wanted.owner,
            seed=deals,
            seats=[LobbySeat() for _ in range(players)],
            first_dealer=first_dealer(deals, players) if dealer is None else dealer,
            lobby=self,
        )
        if self._store is not None:
            table.stored_as = self._store.tables.create(
                table.id,
                now=int(wall()),
                rules=json.dumps(
                    {"preset": wanted.preset, "overrides": dict(wanted.overrides)}
                ),
                players=players,
                seed=deals,
            )
        self._tables[table.id] = table
        self._being_played.setdefault(table.seed, set()).add(table.id)
        for seat, name in zip(
            table.seats[players - len(house_bots) :], house_bots, strict=True
        ):
            seat.name = name
            seat.player = self.host.house_player(name)
        tickets = []
        for seat in table.seats:
            ticket = "" if seat.player else new_secret(TICKET)
            seat.ticket = secret_hash(ticket) if ticket else b""
            tickets.append(ticket)
        alarms = self.host.alarms
        alarms.set(table, alarms.clock() + self.host.patience.unfilled_ms / 1000)
        self._start_if_full(table)
        return table, tickets

    def join(
        self,
        table: LobbyTable,
        *,
        seat: int | None,
        name: str,
        ticket: str,
        bot: str | None,
    ) -> tuple[int, str]:
        """Takes a seat and returns it with its token, which is told only here.

        A bot's seat is played over its stream and has no token.
        """
        if table.state is not LobbyState.OPEN:
            raise LobbyRefused("TABLE_NOT_OPEN", f"the table is {table.state.lower()}")
        number = self._seat_to_take(table, seat, ticket)
        taken = table.seats[number]
        if bot is not None:
            taken.player = self.host.player(bot, rules=table.rules)
            taken.name = bot
            token = ""
        else:
            taken.player = UnaryPlayer(self.host.alarms.clock)
            taken.name = name or f"player {number}"
            token = self._issue(table, number)
        taken.ticket = b""
        self._start_if_full(table)
        return number, token

    def leave(self, table: LobbyTable, seat: int) -> None:
        """Before the match the seat is free again; in it the fallback player acts."""
        if table.table is not None:
            table.table.leave(seat)
        else:
            table.seats[seat] = LobbySeat()

    def cancel(self, table: LobbyTable) -> None:
        if table.table is not None:
            table.table.cancel()
        elif table.state is LobbyState.OPEN:
            table.state = LobbyState.CANCELLED
            self._retire(table)

    def _seat_to_take(self, table: LobbyTable, seat: int | None, ticket: str) -> int:
        if seat is not None and seat >= len(table.seats):
            raise LobbyRefused(
                "BAD_SEAT", f"seat {seat}: seats are 0..{len(table.seats) - 1}"
            )
        if ticket:
            wanted = secret_hash(ticket)
            for number, place in enumerate(table.seats):
                if place.ticket == wanted and seat in (None, number):
                    return number
            raise LobbyRefused("TICKET_INVALID", "the ticket is not valid here")
        if self.host.auth_required:
            raise LobbyRefused("TICKET_MISSING", "joining this table needs a ticket")
        free = [n for n, place in enumerate(table.seats) if place.player is None]
        if seat is not None and seat not in free:
            raise LobbyRefused("SEAT_TAKEN", f"seat {seat} is taken")
        return seat if seat is not None else free[0]

    def _issue(self, table: LobbyTable, seat: int) -> str:
        if self._store is not None:
            token = self._store.tables.take_seat(
                table.stored_as, seat, player=table.seats[seat].name
            )
        else:
            token = new_secret(SEAT_TOKEN)
        self._tokens[secret_hash(token)] = (table.id, seat)
        return token

    # Playing

    def _start_if_full(self, table: LobbyTable) -> None:
        players = [seat.player for seat in table.seats if seat.player is not None]
        if len(players) < len(table.seats):
            return
        table.state = LobbyState.RUNNING
        journal = None
        if self._store is not None:
            self._store.tables.run(table.stored_as)
            journal = StoreJournal(self._store, table.stored_as)

        def ended(played: Table) -> None:
            self._ended_match(table, played)

        table.table = self.host.make_table(table.setup, players, ended, journal=journal)
        table.table.start()

    def _ended_match(self, table: LobbyTable, played: Table) -> None:
        finished = played.state is State.FINISHED
        table.state = LobbyState.FINISHED if finished else LobbyState.CANCELLED
        if self._store is not None:
            now = int(wall())
            outcome = played.outcome
            if finished and outcome is not None:
                self._store.tables.finish(
                    table.stored_as,
                    now=now,
                    result=json.dumps({"scores": outcome.scores}),
                    record=record_text(played.match, table.players).encode(),
                )
            else:
                self._store.tables.cancel(table.stored_as, now=now)
            self.host.commit()
        self._retire(table)

    def _retire(self, table: LobbyTable) -> None:
        self._ended[table.id] = None
        same = self._being_played[table.seed]
        same.discard(table.id)
        if not same:
            del self._being_played[table.seed]
        while len(self._ended) > MAX_ENDED:
            oldest, _ = self._ended.popitem(last=False)
            gone = self._tables.pop(oldest)
            self._tokens = {
                digest: place
                for digest, place in self._tokens.items()
                if place[0] != gone.id
            }
