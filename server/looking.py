"""What those without a seat may see of a match that is being played."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.match import Match
from server.past import match_of_entries
from server.table import Table

MAX_KEPT: Final = 64
"""Earlier states of matches; each is made again at most once in a move."""


def public_match(table: Table) -> Match:
    """The match as it stands, or as it stood before a move that is held back."""
    seq = table.public_seq
    return table.match if seq == table.match.seq else _as_it_was(table, seq)


@lru_cache(maxsize=MAX_KEPT)
def _as_it_was(table: Table, seq: int) -> Match:
    log = table.match.log
    return match_of_entries(table.setup, [log.encoded(n) for n in range(1, seq + 1)])
