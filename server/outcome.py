"""How far a table is, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from engine.match import Match
from server.guard import FaultCounts, Guard


class State(StrEnum):
    """The states of a table; a label of metrics."""

    NEW = ""
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    SUSPENDED = "suspended"
    """It goes on in another process, from the store."""


class End(StrEnum):
    """Why a table ended; the names are part of the wire."""

    PLAYED = "PLAYED"
    CANCELLED = "CANCELLED"
    VOIDED = "VOIDED"


class Outcome(NamedTuple):
    """How a table ended; scores and winners are empty unless it was played out."""

    why: End
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[FaultCounts, ...]
    """By seat."""


def outcome_of(why: End, match: Match, guards: Sequence[Guard]) -> Outcome:
    """How a table has ended whose match stands like this."""
    result = match.result if why is End.PLAYED else None
    return Outcome(
        why,
        tuple(result.totals) if result else (),
        tuple(result.winners) if result else (),
        tuple(result.ranks) if result else (),
        tuple([guard.as_counts() for guard in guards]),
    )
