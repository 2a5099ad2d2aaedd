"""Seating as a combinatorial design: which bots share a table, and in which order.

The best case is a perfect Mendelsohn design: for every ordered pair of bots and every
offset t, the second sits t places to the left of the first equally often, so that
nobody bids behind the same bot more than others do. These exist for the sizes named in
`design`; other sizes get an annealed design, whose counts are near-equal and reported.

Seats are balanced by no design: every table is played in all its rotations, so each
bot sits in each seat once per table whatever the order.

References: Mendelsohn 1977; Colbourn and Dinitz, Handbook of Combinatorial Designs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import permutations
from typing import NamedTuple

from tournament.schedule.annealing import annealed_tables
from tournament.schedule.galois import galois_field, prime_power
from tournament.schedule.port import Tables, UnplayableField
from tournament.schedule.prefix import evenly_ordered, prefix_spread

FEWEST_SEATS = 3
MOST_SEATS = 7


class Kind(Enum):
    """How a design was made, and so what it promises."""

    PERFECT = "perfect"
    EVERY_ORDER = "every circular order"
    ANNEALED = "annealed"


class Span(NamedTuple):
    """Least and greatest of some counts; equal in a balanced design."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Balance:
    """What a design achieves over one cycle.

    `tables` per bot, `meetings` per pair of bots, `next_to` per ordered pair (how
    often the second sits directly left of the first), `offsets` the same over all
    offsets 1..k-1, `prefix` the greatest difference between two bots' numbers of
    tables after any prefix.
    """

    tables: Span
    meetings: Span
    next_to: Span
    offsets: Span
    prefix: int


@dataclass(frozen=True, slots=True)
class Design:
    """One cycle of tables for bots 0..bots-1, in the order in which they are played."""

    bots: int
    seats: int
    kind: Kind
    tables: Tables

    def balance(self) -> Balance:
        """Count what the design achieves."""
        played = Counter(bot for table in self.tables for bot in table)
        offsets: Counter[tuple[int, int, int]] = Counter()
        for table in self.tables:
            for place, x in enumerate(table):
                for t in range(1, self.seats):
                    offsets[t, x, table[(place + t) % self.seats]] += 1
        pairs = list(permutations(range(self.bots), 2))
        turns = range(1, self.seats)
        return Balance(
            tables=_span([played[bot] for bot in range(self.bots)]),
            meetings=_span([sum(offsets[t, x, y] for t in turns) for x, y in pairs]),
            next_to=_span([offsets[1, x, y] for x, y in pairs]),
            offsets=_span([offsets[t, x, y] for x, y in pairs for t in turns]),
            prefix=prefix_spread(self.tables, self.bots),
        )


def _span(counts: list[int]) -> Span:
    return Span(min(counts), max(counts))


@cache
def design(bots: int, seats: int) -> Design:
    """Choose the design for a round robin; raises `UnplayableField`.

    Perfect where seats divides bots - 1 and bots is a prime power, and where bots =
    seats is prime; every circular order for other bots = seats; annealed elsewhere.
    """
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        msg = (
            f"tournaments are played with {FEWEST_SEATS} to {MOST_SEATS} seats "
            f"a table, not {seats}"
        )
        raise UnplayableField(msg)
    if bots < seats:
        raise UnplayableField(_too_few(bots, seats))
    if bots == seats and prime_power(seats) == (seats, 1):
        kind, tables = Kind.PERFECT, _multiples(seats)
    elif bots == seats:
        kind, tables = Kind.EVERY_ORDER, _every_order(seats)
    elif (bots - 1) % seats == 0 and prime_power(bots):
        kind, tables = Kind.PERFECT, _cosets(bots, seats)
    else:
        return Design(bots, seats, Kind.ANNEALED, annealed_tables(bots, seats))
    return Design(bots, seats, kind, evenly_ordered(tables, bots))


def _too_few(bots: int, seats: int) -> str:
    if bots <= 1:
        return (
            f"a tournament compares bots, and {bots} cannot be compared; "
            f"{seats} seats need at least {seats} different ones (house bots count)"
        )
    remedy = f"add {seats - bots} more (house bots count)"
    if bots >= FEWEST_SEATS:
        remedy += f" or play with {bots} seats"
    return f"{seats} seats need at least {seats} different bots, not {bots}; {remedy}"


def _cosets(bots: int, seats: int) -> Tables:
    """Translate the cosets of the subgroup of order `seats` of GF(bots)*.

    The differences at offset t are g^s w^j (w^t - 1), each non-zero element once.
    """
    field = galois_field(bots)
    step = (bots - 1) // seats
    return tuple(
        tuple(field.add(a, field.powers[s + step * j]) for j in range(seats))
        for a in range(bots)
        for s in range(step)
    )


def _multiples(seats: int) -> Tables:
    """List 0, i, 2i, ... modulo the prime `seats`: at offset t all differ by ti."""
    return tuple(
        tuple(i * place % seats for place in range(seats)) for i in range(1, seats)
    )


def _every_order(seats: int) -> Tables:
    """List all circular orders, each time one whose neighbours have met so least."""
    unplayed = [(0, *rest) for rest in permutations(range(1, seats))]
    met: Counter[tuple[int, int]] = Counter()
    tables: list[tuple[int, ...]] = []
    while unplayed:
        table = min(unplayed, key=lambda t: sum(met[pair] for pair in _neighbours(t)))
        unplayed.remove(table)
        met.update(_neighbours(table))
        tables.append(table)
    return tuple(tables)


def _neighbours(table: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(table, (*table[1:], table[0]), strict=True))
