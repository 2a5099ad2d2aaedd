"""What counts as a fault of a bot, and what a seat's faults lead to.

A fault is data: it is counted against the seat and the fallback player acts, so that
the other seats' luck never depends on it. After enough faults of one class the
fallback player keeps the seat to the end of that match; nothing carries over. The same
guard stands before every seat, of whatever table and however its player is reached.

A match that our own mistake has spoilt is void: nobody is charged, so there is no class
for it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from engine.events import Cause


class Fault(StrEnum):
    """Fault classes; the names stand in results and metrics."""

    DEADLINE = "DEADLINE"
    """No answer in time."""
    ILLEGAL = "ILLEGAL"
    """An answer that the rules do not allow, or that holds no action."""
    PROTOCOL = "PROTOCOL"
    """The stream was closed because of frames that mean nothing."""
    FLOOD = "FLOOD"
    """The stream was closed because of too many frames that answer nothing."""
    DISCONNECT = "DISCONNECT"
    """The stream was lost, and did not come back in time."""
    HANG = "HANG"
    """An expired question stayed without any answer."""
    LEFT = "LEFT"
    """The seat was given up."""


FaultCounts: TypeAlias = Mapping[str, int]

KEPT_BY_FALLBACK_AFTER: Final[Mapping[Fault, int]] = {
    Fault.DEADLINE: 3,
    Fault.ILLEGAL: 3,
    Fault.PROTOCOL: 2,
    Fault.FLOOD: 1,
    Fault.DISCONNECT: 2,
    Fault.LEFT: 1,
}
"""Faults of one class in one match after which the fallback player keeps the seat."""

ATTEMPTS: Final = 2
"""Tries at one decision: an illegal answer may be corrected once."""


class Guard:
    """The faults of one seat in one match."""

    __slots__ = ("cause", "counts", "kept_by_fallback")

    def __init__(self) -> None:
        self.counts: dict[Fault, int] = {}
        self.kept_by_fallback = False
        self.cause = Cause.FALLBACK
        """Of what the fallback player does here."""

    def count(self, fault: Fault) -> None:
        times = self.counts.get(fault, 0) + 1
        self.counts[fault] = times
        if times >= KEPT_BY_FALLBACK_AFTER.get(fault, times + 1):
            self.kept_by_fallback = True

    def dismiss(self) -> None:
        """An operator has taken the seat away; that is no fault."""
        self.kept_by_fallback = True
        self.cause = Cause.OPERATOR

    def as_counts(self) -> FaultCounts:
        """Counts by class name, classes without a fault left out."""
        return {str(fault): times for fault, times in sorted(self.counts.items())}
