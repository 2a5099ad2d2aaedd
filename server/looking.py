"""What those without a seat may see of a match that is being played."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.match import Match
from server.past import match_of_entries
from server.players.port import Link
from server.table import Table

MAX_KEPT: Final = 64
"""Earlier states of matches; each is made again at most once in a move."""


def public_seq(table: Table) -> int:
    """Last entry that those without a seat may read.

    A bot that looks on at its own table must not learn that its turn has come before
    its clock runs.
    """
    if table.clocks.running:
        for question in table.open:
            if (
                question is not None
                and not question.handed_at
                and table.players[question.seat].link is not Link.LOCAL
            ):
                return table.seq_before
    return table.match.seq


def public_match(table: Table) -> Match:
    """The match as it stands, or as it stood before a move that is held back."""
    seq = public_seq(table)
    return table.match if seq == table.match.seq else _as_it_was(table, seq)


@lru_cache(maxsize=MAX_KEPT)
def _as_it_was(table: Table, seq: int) -> Match:
    log = table.match.log
    return match_of_entries(table.setup, [log.encoded(n) for n in range(1, seq + 1)])
