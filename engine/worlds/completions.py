"""Tables of how many cards of each class lie in each place, counted and drawn exactly.

Cards of a class may lie in the same places. A table says how many of each class each
place holds; it stands for as many arrangements as there are ways to choose the cards.
The arrangements are counted place by place, so a table can be drawn with exactly the
chance that a uniform arrangement has it: one whole number chosen among all of them
tells every cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final

Table = list[list[int]]
"""Cards by class and place."""


class Completions:
    """All tables for classes of given sizes and places with given rooms.

    `allowed` are the places open to each class, as numbers. `total` counts the
    arrangements: zero where the cards do not fit.
    """

    __slots__ = ("_cells", "_later", "_places", "_rooms", "_sizes", "_ways", "total")

    def __init__(
        self,
        sizes: Sequence[int],
        allowed: Sequence[Sequence[int]],
        rooms: Sequence[int],
    ) -> None:
        # Classes with few places come first, for their cells leave the least choice.
        order = sorted(range(len(sizes)), key=lambda c: len(allowed[c]))
        self._sizes: Final = list(sizes)
        self._rooms: Final = tuple(rooms)
        self._places: Final = len(rooms)
        # Cells as (class, place, whether it is the last of its class).
        self._cells: Final[list[tuple[int, int, bool]]] = [
            (c, place, place == allowed[c][-1]) for c in order for place in allowed[c]
        ]
        self._later: Final = self._supplies()
        self._ways: Final[dict[tuple[int, int, tuple[int, ...]], int]] = {}
        fits = sum(sizes) == sum(rooms)
        homeless = any(
            size and not open_ for size, open_ in zip(sizes, allowed, strict=True)
        )
        self.total: Final = (
            0 if homeless or not fits else self._from(0, -1, self._rooms)
        )

    def _supplies(self) -> list[int]:
        """By cell, how many cards of later classes may still come to its place."""
        later = [0] * len(self._cells)
        supply = [0] * self._places
        for i in range(len(self._cells) - 1, -1, -1):
            c, place, _ = self._cells[i]
            later[i] = supply[place]
            supply[place] += self._sizes[c]
        return later

    def _from(self, cell: int, left: int, rooms: tuple[int, ...]) -> int:
        """Arrangements of all cells from this one on.

        `left` are the cards of its class still to be placed, -1 before the first.
        """
        if cell == len(self._cells):
            return 0 if any(rooms) else 1
        if left < 0:
            left = self._sizes[self._cells[cell][0]]
        key = (cell, left, rooms)
        known = self._ways.get(key)
        if known is None:
            known = 0
            for number in self._choices(cell, left, rooms):
                known += comb(left, number) * self._after(cell, left, rooms, number)
            self._ways[key] = known
        return known

    def _choices(self, cell: int, left: int, rooms: tuple[int, ...]) -> range:
        """Numbers of cards that may lie in the cell."""
        _, place, is_last = self._cells[cell]
        least = max(0, rooms[place] - self._later[cell])
        most = min(left, rooms[place])
        if is_last:
            least = max(least, left)
        return range(least, most + 1)

    def _after(self, cell: int, left: int, rooms: tuple[int, ...], number: int) -> int:
        is_last = self._cells[cell][2]
        return self._from(
            cell + 1, -1 if is_last else left - number, self._taken(cell, rooms, number)
        )

    def _taken(self, cell: int, rooms: tuple[int, ...], number: int) -> tuple[int, ...]:
        place = self._cells[cell][1]
        return (*rooms[:place], rooms[place] - number, *rooms[place + 1 :])

    def table(self, number: int) -> Table:
        """The table of one arrangement, by its number from 0 to `total` - 1."""
        table = [[0] * self._places for _ in self._sizes]
        rooms = self._rooms
        left = -1
        for cell, (c, place, is_last) in enumerate(self._cells):
            if left < 0:
                left = self._sizes[c]
            for cards in self._choices(cell, left, rooms):
                after = self._after(cell, left, rooms, cards)
                here = comb(left, cards) * after
                if number < here:
                    # The choice of cards is made elsewhere: only what follows counts.
                    number %= after
                    table[c][place] = cards
                    rooms = self._taken(cell, rooms, cards)
                    left = -1 if is_last else left - cards
                    break
                number -= here
        return table
