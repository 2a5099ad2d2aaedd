"""How far a table is, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from server.guard import FaultCounts


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
