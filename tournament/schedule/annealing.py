"""Near-balanced tables for the sizes that have no perfect design."""

from __future__ import annotations

from math import gcd
from random import Random

from tournament.schedule.port import Tables

_MOST_TABLES = 512
_LEAST_STEPS, _STEPS_PER_PLACE, _MOST_STEPS = 40_000, 100, 80_000
_FIRST_THRESHOLD = 6


def cycle_length(bots: int, seats: int) -> int:
    """Give the number of tables after which all counts could be equal.

    That is mu * bots * (bots - 1) / seats for the least mu that makes it whole; where
    it would exceed 512, the greatest smaller number that is fair in tables per bot.
    """
    pairs = bots * (bots - 1)
    length = pairs // gcd(pairs, seats)
    fair = bots // gcd(bots, seats)
    if length <= _MOST_TABLES:
        return length
    return max(_MOST_TABLES // fair, 1) * fair


def annealed_tables(bots: int, seats: int) -> Tables:
    """Search for tables with near-equal meetings and left neighbours.

    The places are filled by one permutation of all bots after another, and a move
    swaps two places of the same permutation: so bots have equal numbers of tables,
    and differ by at most one after any prefix, whatever the search does. It minimises
    2 sum(meetings_ij^2) + sum(next_ij^2), which is least where the counts are equal,
    by threshold accepting: integers only, so the same tables come out on any machine.
    """
    return _Search(bots, seats).run()


class _Search:
    """The places of all tables in a row, with the counts that the objective needs."""

    def __init__(self, bots: int, seats: int) -> None:
        self.bots, self.seats = bots, seats
        self.rng = Random(f"{bots} bots, {seats} seats")  # noqa: S311 - no secret
        self.row = self._fill(cycle_length(bots, seats))
        self.meetings = [0] * (bots * bots)
        self.next_to = [0] * (bots * bots)
        for first in range(0, len(self.row), seats):
            self._count(first, 1)

    def run(self) -> Tables:
        """Anneal from the shuffled start; return the best tables seen."""
        steps = min(max(_LEAST_STEPS, _STEPS_PER_PLACE * len(self.row)), _MOST_STEPS)
        cost = best_cost = 0
        best = list(self.row)
        for step in range(steps):
            threshold = _FIRST_THRESHOLD * (steps - step) // steps
            change = self._try_swap(threshold)
            cost += change
            if cost < best_cost:
                best_cost, best = cost, list(self.row)
        k = self.seats
        return tuple(tuple(best[i : i + k]) for i in range(0, len(best), k))

    def _below(self, limit: int) -> int:
        return int(self.rng.random() * limit)

    def _fill(self, tables: int) -> list[int]:
        """Concatenate shuffled permutations, none of which repeats a bot at a table."""
        row: list[int] = []
        while len(row) < tables * self.seats:
            begun = row[len(row) - len(row) % self.seats :]
            fresh = [bot for bot in range(self.bots) if bot not in begun]
            for last in range(len(fresh) - 1, 0, -1):
                other = self._below(last + 1)
                fresh[last], fresh[other] = fresh[other], fresh[last]
            # Bots already at the table that is half full wait until it is filled.
            gap = self.seats - len(begun) if begun else 0
            row += fresh[:gap] + begun + fresh[gap:]
        return row

    def _try_swap(self, threshold: int) -> int:
        """Swap two places unless the cost rises by more; return the change made."""
        bots, seats, row = self.bots, self.seats, self.row
        a = self._below(len(row))
        b = a // bots * bots + self._below(bots)
        if a == b:
            return 0
        first, second = a - a % seats, b - b % seats
        if first != second and (
            row[b] in row[first : first + seats]
            or row[a] in row[second : second + seats]
        ):
            return 0
        tables = (first,) if first == second else (first, second)
        change = sum(self._count(table, -1) for table in tables)
        row[a], row[b] = row[b], row[a]
        change += sum(self._count(table, 1) for table in tables)
        if change <= threshold:
            return change
        for table in tables:
            self._count(table, -1)
        row[a], row[b] = row[b], row[a]
        for table in tables:
            self._count(table, 1)
        return 0

    def _count(self, first: int, sign: int) -> int:
        """Count a table (1) or no longer (-1); return the change of cost."""
        bots, meetings, next_to = self.bots, self.meetings, self.next_to
        table = self.row[first : first + self.seats]
        change = 0
        left = table[-1]
        for place, x in enumerate(table):
            at = left * bots + x
            change += 2 * sign * next_to[at] + 1
            next_to[at] += sign
            left = x
            for y in table[:place]:
                at = x * bots + y if x < y else y * bots + x
                change += 2 * (2 * sign * meetings[at] + 1)
                meetings[at] += sign
        return change
