"""All tables that callers have opened: from the first seat taken to the last card.

Such a table has an id and seats with tokens before its match exists. Once every seat
is taken the match starts by itself. With a store it outlives this process, before its
match, in it and after it; without one, the newest that have ended stay readable.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from engine.errors import IllegalRules, RecordError
from engine.shuffle import SEED_BYTES, block_seed, first_dealer, published_seed
from engine.visibility import SPECTATOR
from server.host import Host
from server.ledger import Ledger, Unfinished
from server.limits import Quota
from server.outcome import State
from server.past import match_of_entries
from server.players.port import Player
from server.players.unary import UnaryPlayer
from server.receipt import Receipt
from server.registry import GUEST
from server.served import LobbySeat, LobbyState, LobbyTable, Opening, Spectators
from server.store import SeatKind, StoreError
from server.stored_tables import Recalled, lobby_table_of
from server.table import Table
from server.tokens import SEAT_TOKEN, TICKET, Mint, new_secret, secret_hash

MAX_ENDED: Final = 1_000
"""Tables that stay readable after their end, where there is no store."""
MAX_REMEMBERED: Final = 64
"""Ended tables kept in memory where there is one."""


class LobbyRefused(Exception):
    """`reason` is a code of the error reference; with `quota` it is for a limit."""

    def __init__(
        self, reason: str, message: str, *, quota: Quota | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.quota = quota


def tickets_of(players: int, house_bots: int, mint: Mint) -> list[str]:
    """Tickets by seat of a new table; empty for the house bots on its last seats."""
    tickets = [mint(TICKET) for _ in range(players - house_bots)]
    return tickets + [""] * house_bots


@dataclass(slots=True)
class _Unfilled:
    """Cancels a table that nobody fills; knows its id only, so that it keeps nothing
    in memory.
    """

    lobby: Lobby
    table_id: str
    alarm_at: float = 0.0

    def wake(self, now: float) -> None:
        table = self.lobby.get(self.table_id)
        if table is not None and table.state is LobbyState.OPEN:
            self.lobby.cancel(table)

    def fail(self, error: Exception) -> None:
        self.lobby.host.observer.unexpected("lobby", error)


class Lobby:
    """All tables that were opened by callers."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._ledger = Ledger(host.store, host.keeper)
        self._tables: OrderedDict[str, LobbyTable] = OrderedDict()
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._tokens: dict[bytes, tuple[str, int]] = {}
        self._being_played: dict[bytes, set[str]] = {}
        """Tables that are not over, by the seed of their deals."""
        host.gallery = self

    # Finding

    def get(self, table_id: str) -> LobbyTable | None:
        """A table that is in memory: every one that has not ended is."""
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

    async def find(self, table_id: str) -> LobbyTable | None:
        """A table, from the store if it ended long ago; StoreError."""
        known = self._tables.get(table_id)
        if known is not None:
            return known
        found = await self._ledger.find(table_id)
        if found is None:
            return None
        # Somebody else may have asked for it meanwhile.
        return self._tables.get(table_id) or self._remember(found)

    async def newest_first(
        self, state: LobbyState | None, *, before: int, limit: int
    ) -> list[LobbyTable]:
        """Listed tables with a lower number than `before` (0: all); StoreError."""
        if not self._ledger.lasts:
            return [
                table
                for table in reversed(self._tables.values())
                if table.spectators is not Spectators.OFF
                and (not before or table.number < before)
                and state in (None, table.state)
            ][:limit]
        page = await self._ledger.newest_first(state, before=before, limit=limit)
        return [
            self._tables.get(row.name) or lobby_table_of(row, places, twins=self)
            for row, places in page
        ]

    def place_of(self, token: str) -> tuple[str, int] | None:
        """Id of the table and seat that a token is for, if both are in memory."""
        return self._tokens.get(secret_hash(token))

    async def seat_of(self, token: str) -> tuple[LobbyTable, int] | None:
        """The seat that a token is for; StoreError."""
        digest = secret_hash(token)
        found = self._tokens.get(digest) or await self._ledger.seat_of(digest)
        if found is None:
            return None
        table = await self.find(found[0])
        return None if table is None else (table, found[1])

    # Opening

    def create(
        self,
        wanted: Opening,
        *,
        mint: Mint = new_secret,
        receipt: Receipt | None = None,
    ) -> tuple[LobbyTable, list[str]]:
        """Opens a table; returns it with the tickets of its free seats by seat."""
        players, rules, clock = wanted.players, wanted.rules, wanted.clock
        house_bots = wanted.house_bots
        self._refuse_more(wanted.owner)
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
        tickets = tickets_of(players, len(house_bots), mint)
        table = LobbyTable(
            id=f"t-{secrets.token_hex(6)}",
            number=0,
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
            seats=[
                *(
                    LobbySeat(ticket=secret_hash(ticket))
                    for ticket in tickets
                    if ticket
                ),
                *(LobbySeat(SeatKind.HOUSE, name) for name in house_bots),
            ],
            first_dealer=first_dealer(deals, players) if dealer is None else dealer,
            twins=self,
        )
        table.number = self._ledger.opened(table, wanted)
        self._received(receipt, table)
        self._take_in(table)
        self._start_if_full(table)
        return table, tickets

    def _refuse_more(self, owner: str) -> None:
        """LobbyRefused where all callers, or this one, have as many as they may."""
        limits = self.host.limits
        live = [table for table in self._tables.values() if not table.is_over]
        own = sum(table.owner == owner for table in live)
        if len(live) >= limits.open_tables:
            quota = Quota("service", "open_tables")
        elif owner == GUEST and own >= limits.open_tables_of_guests:
            quota = Quota("guests", "open_tables_of_guests")
        elif owner != GUEST and own >= limits.open_tables_per_bot:
            quota = Quota(f"bot:{owner}", "open_tables_per_bot")
        else:
            return
        raise LobbyRefused(
            "TOO_MANY_TABLES",
            f"{len(live)} tables are open, {own} of them of {owner!r}",
            quota=quota,
        )

    def _take_in(self, table: LobbyTable) -> None:
        """A table that has not ended is here from now on."""
        self._tables[table.id] = table
        self._being_played.setdefault(table.seed, set()).add(table.id)
        for place, seat in enumerate(table.seats):
            seat.player = self._player(seat)
            if seat.token:
                self._tokens[seat.token] = (table.id, place)
        if table.state is LobbyState.OPEN:
            alarms = self.host.alarms
            patience_s = self.host.patience.unfilled_ms / 1000
            alarms.set(_Unfilled(self, table.id), alarms.clock() + patience_s)

    def _player(self, seat: LobbySeat) -> Player | None:
        """Whoever acts for a seat, where that is known from its name alone."""
        match seat.kind:
            case SeatKind.FREE:
                return None
            case SeatKind.PERSON:
                return UnaryPlayer(self.host.alarms.clock)
            case SeatKind.HOUSE:
                return self.host.house_player(seat.name)
            case SeatKind.BOT:
                return self.host.arena.awaited(seat.name)

    def join(
        self,
        table: LobbyTable,
        *,
        seat: int | None,
        name: str,
        ticket: str,
        bot: str | None,
        mint: Mint = new_secret,
        receipt: Receipt | None = None,
    ) -> tuple[int, str]:
        """Takes a seat and returns it with its token, which is told only here.

        A bot's seat is played over its stream and has no token.
        """
        if bot is not None and bot in table.bots:
            # It holds no second one; to join again is to ask which it has.
            self._received(receipt, table, table.bots[bot])
            return table.bots[bot], ""
        if table.state is LobbyState.RUNNING:
            raise LobbyRefused("TABLE_FULL", "every seat is taken")
        if table.state is not LobbyState.OPEN:
            raise LobbyRefused("TABLE_NOT_OPEN", f"the table is {table.state.lower()}")
        number = self._seat_to_take(table, seat, ticket)
        if bot is not None:
            player = self.host.player(bot, rules=table.rules)
            taken = LobbySeat(SeatKind.BOT, bot, player=player)
            token = ""
        else:
            token = mint(SEAT_TOKEN)
            taken = LobbySeat(
                SeatKind.PERSON,
                name or f"player {number}",
                token=secret_hash(token),
                player=UnaryPlayer(self.host.alarms.clock),
            )
            self._tokens[taken.token] = (table.id, number)
        self._change_seat(table, number, taken)
        self._received(receipt, table, number)
        self._start_if_full(table)
        return number, token

    def leave(self, table: LobbyTable, seat: int) -> None:
        """Before the match the seat is free again; in it the fallback player acts."""
        if table.table is not None:
            table.table.leave(seat)
        else:
            self._tokens.pop(table.seats[seat].token, None)
            self._change_seat(table, seat, LobbySeat())

    def _received(
        self, receipt: Receipt | None, table: LobbyTable, seat: int | None = None
    ) -> None:
        """What the call has done is told to the ledger: it is stored with that."""
        if receipt is not None:
            self._ledger.received(replace(receipt, table=table.id, seat=seat))

    def _change_seat(self, table: LobbyTable, number: int, seat: LobbySeat) -> None:
        table.seats[number] = seat
        self._ledger.seat_changed(table, number)

    def cancel(self, table: LobbyTable) -> None:
        if table.table is not None:
            table.table.cancel()
        elif table.state is LobbyState.OPEN:
            table.state = LobbyState.CANCELLED
            self._ledger.cancelled(table)
            self._over(table)

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

    # Playing

    def _start_if_full(self, table: LobbyTable) -> None:
        players = [seat.player for seat in table.seats if seat.player is not None]
        if len(players) < len(table.seats):
            return
        self._ledger.started(table)
        self._seat(table, players).start()

    def _seat(self, table: LobbyTable, players: Sequence[Player]) -> Table:
        """The match of a table, to be started or resumed."""
        table.state = LobbyState.RUNNING

        def ended(played: Table) -> None:
            self._ended_match(table, played)

        table.table = self.host.make_table(
            table.setup, players, ended, journal=self._ledger.journal(table)
        )
        return table.table

    def _ended_match(self, table: LobbyTable, played: Table) -> None:
        finished = played.state is State.FINISHED
        table.state = LobbyState.FINISHED if finished else LobbyState.CANCELLED
        self._ledger.ended(table, played)
        # Nobody waits for this; if it fails, the keeper tries again.
        with suppress(StoreError):
            self.host.commit()
        self._over(table)

    def forget_ended(self, *, before: int, most: int) -> None:
        """Has the store let go of so many tables that ended before this."""
        self._ledger.forget_ended(before=before, most=most)

    def _over(self, table: LobbyTable) -> None:
        same = self._being_played[table.seed]
        same.discard(table.id)
        if not same:
            del self._being_played[table.seed]
        self._retire(table)

    def _retire(self, table: LobbyTable) -> None:
        """Ended tables leave memory, where the store has them or newer ones come."""
        self._ended[table.id] = None
        most = MAX_REMEMBERED if self._ledger.lasts else MAX_ENDED
        while len(self._ended) > most:
            oldest, _ = self._ended.popitem(last=False)
            for seat in self._tables.pop(oldest).seats:
                self._tokens.pop(seat.token, None)

    # From the store

    def resume(self) -> None:
        """Takes up every table that had not ended when the last process did.

        StoreError where the store is damaged. A table that this version cannot play
        is left in the store as it is.
        """
        for left in self._ledger.unfinished():
            try:
                self._resume(left)
            except (RecordError, IllegalRules, LookupError, ValueError) as error:
                self.host.observer.table_left(left.row.name, f"{error!r}")

    def _resume(self, left: Unfinished) -> None:
        table = lobby_table_of(left.row, left.places, twins=self)
        for seat in table.seats:
            if seat.kind is SeatKind.HOUSE and seat.name not in self.host.house_bots:
                raise LookupError(f"there is no house bot {seat.name!r}")
        if table.state is LobbyState.RUNNING:
            past = self._ledger.past(table, left.items)
            self._take_in(table)
            players = [seat.player for seat in table.seats if seat.player is not None]
            self._seat(table, players).resume(past)
        else:
            self._take_in(table)

    def _remember(self, found: Recalled) -> LobbyTable:
        """An ended table, with its match as it stood at the end; RecordError."""
        table = lobby_table_of(found.row, found.places, twins=self)
        if found.entries and table.ended is not None:
            match = match_of_entries(table.setup, found.entries)
            table.table = self.host.ended_table(table.setup, match, table.ended.outcome)
        self._tables[table.id] = table
        for place, seat in enumerate(table.seats):
            if seat.token:
                self._tokens[seat.token] = (table.id, place)
        self._retire(table)
        return table
