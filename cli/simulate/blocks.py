"""Which bot sits where, in which match.

A block is one sequence of deals played by the same bots in every rotation of their
seats, so that each of them plays each hand. Where there are fewer bots than seats they
take the seats in turn, block by block beginning with the next one; their order round
the table is drawn anew for each block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

from engine.shuffle import (
    ORDER_LABEL,
    Words,
    block_seed,
    published_seed,
    shuffled,
)


class Planned(NamedTuple):
    """A match to play; `seats` are places in the list of bots."""

    block: int
    copy: int
    seed: bytes
    seats: tuple[int, ...]


def planned(bots: int, players: int, *, seed: int, matches: int) -> Iterator[Planned]:
    """Give the matches in order; the last block may lack some of its copies."""
    return islice(_endless(bots, players, published_seed(seed)), matches)


def _endless(bots: int, players: int, secret: bytes) -> Iterator[Planned]:
    for block in count():
        seed = block_seed(secret, block, 0)
        around = _around(bots, players, block, Words(seed, ORDER_LABEL))
        for copy in range(players):
            seats = tuple([around[(s + copy) % players] for s in range(players)])
            yield Planned(block, copy, seed, seats)


def _around(bots: int, players: int, block: int, words: Words) -> Sequence[int]:
    return shuffled([(block + place) % bots for place in range(players)], words)
