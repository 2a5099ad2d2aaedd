"""Round robin: a balanced design, played again and again under fresh labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournament.schedule.designs import Design, design
from tournament.schedule.port import Block, Draw, OrderDraws

if TYPE_CHECKING:
    from tournament.outcome import BlockResult


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Endless blocks of a design; block `index` is table index mod cycle length.

    Drawn for each cycle, from the stream of its first block: which bot plays which
    label, so that neither the list of entrants nor a balanced design's fixed
    neighbourhoods steer a long run. Drawn for each block, from its own stream: which
    place of the circular order comes first. Rotations never change who sits left of
    whom, so a shuffle of the places would undo the very balance of the design.
    """

    design: Design
    order: OrderDraws

    def block(self, index: int, committed: Sequence[BlockResult] = ()) -> Block:
        """Give block `index` (from 0), whatever has been committed."""
        tables = self.design.tables
        start = index - index % len(tables)
        draw = self.order(start)
        label = permutation(self.design.bots, draw)
        if index != start:
            draw = self.order(index)
        seating = tables[index - start]
        turn = draw(len(seating))
        return Block(
            index, tuple(label[bot] for bot in (*seating[turn:], *seating[:turn]))
        )


def permutation(size: int, draw: Draw) -> tuple[int, ...]:
    """Shuffle 0..size-1: for i from the last down to 1, swap i and draw(i + 1)."""
    row = list(range(size))
    for i in range(size - 1, 0, -1):
        other = draw(i + 1)
        row[i], row[other] = row[other], row[i]
    return tuple(row)


def round_robin(bots: int, seats: int, order: OrderDraws) -> RoundRobin:
    """Schedule `bots` entrants, house bots included; raises `UnplayableField`."""
    return RoundRobin(design(bots, seats), order)
