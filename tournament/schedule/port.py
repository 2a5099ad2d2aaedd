"""What a schedule is: blocks by index, a pure function of what has been committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from tournament.outcome import BlockResult

Draw: TypeAlias = Callable[[int], int]
"""draw(m) is uniform on 0..m-1 and advances its stream."""

OrderDraws: TypeAlias = Callable[[int], Draw]
"""The stream of a block index, from its key "order": the same stream at every call."""


Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""Each table is a circular order of bots: entry p+1 sits to the left of entry p."""


class UnplayableField(ValueError):
    """This number of bots or seats has no schedule.

    The message says what is wrong and, after a semicolon, what would be right.
    """


@dataclass(frozen=True, slots=True)
class Block:
    """A table played in all its rotations; `seating` is its circular order of bots."""

    index: int
    seating: tuple[int, ...]


class Schedule(Protocol):
    """A lazy sequence of blocks."""

    def block(self, index: int, committed: Sequence[BlockResult]) -> Block | None:
        """Give block `index`, or None past the end.

        `committed` holds the results of blocks 0, 1, ... in order, as far as they may
        steer this one.
        """
        ...
