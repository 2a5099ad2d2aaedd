"""What played blocks leave behind for statistics: plain, frozen, integers only.

A `BlockResult` holds one `CopyResult` per copy of the block (its k rotations, in the
order of the copies), a `CopyResult` holds one column entry per seat, and a
`DealTally` sums the deals of one seat that had the same size and the same bid.
Bots are named by their index in the list of entrants, never by name. Every fraction
(points per deal, win share, bid-hit rate) is computed later from these counts, so
storing a result loses nothing and equal matches leave equal results.

`to_plain` gives nested lists that `json` can write, in the order of the fields;
`from_plain` takes exactly those back and refuses anything else.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Plain: TypeAlias = "int | str | list[Plain] | None"
"""The part of JSON that a result uses."""

MOST = 2**53
"""Numbers in a result are smaller: statistics take them for exact."""


class MalformedResult(ValueError):
    """Data that is not a block result; the message names the part and its value."""


class DealFact(NamedTuple):
    """What one deal was for one seat; `bid` is None where the seat made no bid."""

    size: int
    bid: int | None
    tricks: int
    hit: bool
    points: int


class DealTally(NamedTuple):
    """Sums over one seat's deals of one size and one bid (None: no bid was made).

    `hits` counts the bids met as the rules judge it, `tricks` and `points` are sums.
    """

    size: int
    bid: int | None
    deals: int
    hits: int
    tricks: int
    points: int


class FaultCount(NamedTuple):
    """How often a seat's bot committed one class of fault (`DEADLINE`, ...)."""

    fault: str
    times: int


def tally(deals: Iterable[DealFact]) -> tuple[DealTally, ...]:
    """Sum a seat's deals by (size, bid), in that order, deals without a bid first."""
    sums: defaultdict[tuple[int, int | None], list[int]] = defaultdict(
        lambda: [0, 0, 0, 0]
    )
    for deal in deals:
        cell = sums[deal.size, deal.bid]
        cell[0] += 1
        cell[1] += deal.hit
        cell[2] += deal.tricks
        cell[3] += deal.points
    return tuple(
        DealTally(size, bid, *sums[size, bid])
        for size, bid in sorted(
            sums, key=lambda at: (at[0], -1 if at[1] is None else at[1])
        )
    )


@dataclass(frozen=True, slots=True)
class CopyResult:
    """One match of a block; every tuple but `winners` has one entry per seat.

    `seats` are bot indices; `ranks` count from 1 = best and are equal for tied seats;
    `winners` are seat numbers (several where the rules share the win); `fallbacks`
    counts the actions that were played for the bot, and any makes the match tainted.
    """

    seats: tuple[int, ...]
    totals: tuple[int, ...]
    deals: int
    winners: tuple[int, ...]
    ranks: tuple[int, ...]
    tallies: tuple[tuple[DealTally, ...], ...]
    faults: tuple[tuple[FaultCount, ...], ...]
    fallbacks: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse columns of unequal length and counts that contradict each other."""
        players = len(self.seats)
        columns = (self.totals, self.ranks, self.tallies, self.faults, self.fallbacks)
        if any(len(column) != players for column in columns):
            msg = f"a match of {players} seats needs {players} entries in every column"
            raise MalformedResult(msg)
        if len(set(self.seats)) != players:
            msg = f"a bot holds two seats of one match: {self.seats}"
            raise MalformedResult(msg)
        if self.deals < 1:
            msg = f"a finished match has at least 1 deal, not {self.deals}"
            raise MalformedResult(msg)
        if any(not 0 <= seat < players for seat in self.winners):
            msg = f"winners {self.winners} are not seats 0..{players - 1}"
            raise MalformedResult(msg)
        if any(not 1 <= rank <= players for rank in self.ranks):
            msg = f"ranks {self.ranks} are not 1..{players}"
            raise MalformedResult(msg)
        for rows in self.tallies:
            if sum(row.deals for row in rows) != self.deals:
                msg = f"a seat's tallies must cover the {self.deals} deals of the match"
                raise MalformedResult(msg)
            if not all(map(_is_possible, rows)):
                msg = f"a seat's tallies hold impossible counts: {rows}"
                raise MalformedResult(msg)
        counts = (*self.fallbacks, *(one.times for seat in self.faults for one in seat))
        if any(count < 0 for count in counts):
            msg = f"faults and fallbacks are counts from 0, not {min(counts)}"
            raise MalformedResult(msg)

    @property
    def tainted(self) -> bool:
        """True when any action was played for a bot."""
        return any(self.fallbacks)

    def to_plain(self) -> list[Plain]:
        """Give the fields as nested lists for a JSON writer."""
        return [
            list(self.seats),
            list(self.totals),
            self.deals,
            list(self.winners),
            list(self.ranks),
            [[list(row) for row in rows] for rows in self.tallies],
            [[list(fault) for fault in faults] for faults in self.faults],
            list(self.fallbacks),
        ]

    @classmethod
    def from_plain(cls, plain: Plain) -> CopyResult:
        """Read what `to_plain` wrote; raises `MalformedResult`."""
        seats, totals, deals, winners, ranks, tallies, faults, fallbacks = _fields(
            plain, 8, "match"
        )
        return cls(
            seats=_ints(seats, "seats"),
            totals=_ints(totals, "totals"),
            deals=_int(deals, "deals"),
            winners=_ints(winners, "winners"),
            ranks=_ints(ranks, "ranks"),
            tallies=tuple(
                tuple(_deal_tally(row) for row in _list(rows, "tallies"))
                for rows in _list(tallies, "tallies")
            ),
            faults=tuple(
                tuple(_fault_count(fault) for fault in _list(one, "faults"))
                for one in _list(faults, "faults")
            ),
            fallbacks=_ints(fallbacks, "fallbacks"),
        )


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A committed block; `seating` is the bot index by place in its circular order.

    All copies seat the bots of `seating`; which of them sits where is in the copies.
    """

    block: int
    attempt: int
    seating: tuple[int, ...]
    copies: tuple[CopyResult, ...]

    def __post_init__(self) -> None:
        """Refuse copies that seat other bots than the block's."""
        if not self.copies:
            msg = f"block {self.block} has no copies"
            raise MalformedResult(msg)
        for copy in self.copies:
            if sorted(copy.seats) != sorted(self.seating):
                msg = (
                    f"block {self.block} seats bots {self.seating}, "
                    f"but one of its copies seats {copy.seats}"
                )
                raise MalformedResult(msg)

    def check(self, *, seats: int, bots: int) -> None:
        """MalformedResult unless it is a whole block of a run of so many bots."""
        strange = [bot for bot in self.seating if not 0 <= bot < bots]
        if strange or not len(self.seating) == len(self.copies) == seats:
            msg = (
                f"bots {self.seating} in {len(self.copies)} copies: a table of this "
                f"run has {seats} seats, for bots 0..{bots - 1}"
            )
            raise MalformedResult(msg)

    @property
    def tainted(self) -> bool:
        """True when any copy is tainted."""
        return any(copy.tainted for copy in self.copies)

    def to_plain(self) -> list[Plain]:
        """Give the fields as nested lists for a JSON writer."""
        return [
            self.block,
            self.attempt,
            list(self.seating),
            [copy.to_plain() for copy in self.copies],
        ]

    @classmethod
    def from_plain(cls, plain: Plain) -> BlockResult:
        """Read what `to_plain` wrote; raises `MalformedResult`."""
        block, attempt, seating, copies = _fields(plain, 4, "block")
        return cls(
            block=_int(block, "block"),
            attempt=_int(attempt, "attempt"),
            seating=_ints(seating, "seating"),
            copies=tuple(
                CopyResult.from_plain(copy) for copy in _list(copies, "copies")
            ),
        )


def _list(plain: Plain, what: str) -> list[Plain]:
    if isinstance(plain, list):
        return plain
    msg = f"{what}: expected a list, found {plain!r:.40}"
    raise MalformedResult(msg)


def _fields(plain: Plain, count: int, what: str) -> list[Plain]:
    fields = _list(plain, what)
    if len(fields) != count:
        msg = f"{what}: expected {count} fields, found {len(fields)}"
        raise MalformedResult(msg)
    return fields


def _int(plain: Plain, what: str) -> int:
    # A bool is an int to isinstance, but would not come back as it went.
    if isinstance(plain, int) and not isinstance(plain, bool) and abs(plain) < MOST:
        return plain
    msg = f"{what}: expected an integer below 2^53, found {plain!r:.40}"
    raise MalformedResult(msg)


def _is_possible(row: DealTally) -> bool:
    counts = (row.size, row.bid or 0, row.deals, row.hits, row.tricks)
    return min(counts) >= 0 and row.hits <= row.deals


def _ints(plain: Plain, what: str) -> tuple[int, ...]:
    return tuple(_int(one, what) for one in _list(plain, what))


def _deal_tally(plain: Plain) -> DealTally:
    size, bid, *sums = _fields(plain, 6, "tally")
    return DealTally(
        _int(size, "size"),
        None if bid is None else _int(bid, "bid"),
        *(_int(one, "tally") for one in sums),
    )


def _fault_count(plain: Plain) -> FaultCount:
    fault, count = _fields(plain, 2, "fault")
    if not isinstance(fault, str):
        msg = f"fault: expected a name, found {fault!r:.40}"
        raise MalformedResult(msg)
    return FaultCount(fault, _int(count, "fault count"))
