"""The stages of a match, one after another, as the model is told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Stage(NamedTuple):
    """Of the bots in `remaining`, those in `best` finished first together."""

    remaining: tuple[int, ...]
    best: tuple[int, ...]


def stages(bots: Sequence[int], ranks: Sequence[int]) -> Iterator[Stage]:
    """Split final ranks into stages, leaving out the last one where one bot is left."""
    remaining = sorted(zip(ranks, bots, strict=True))
    while len(remaining) > 1:
        first = remaining[0][0]
        best = tuple(bot for rank, bot in remaining if rank == first)
        yield Stage(tuple(sorted(bot for _, bot in remaining)), best)
        remaining = remaining[len(best) :]
