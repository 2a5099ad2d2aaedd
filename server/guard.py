"""What counts as a fault of a bot, and what a seat's faults lead to.

A fault is data: it is counted against the seat and the fallback player acts, so that
the other seats' luck never depends on it. After enough faults of one class the
fallback player keeps the seat to the end of that match; nothing carries over.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias


class Fault(StrEnum):
    """Fault classes; the names stand in results and metrics."""

    DEADLINE = "DEADLINE"
    ILLEGAL = "ILLEGAL"
    PROTOCOL = "PROTOCOL"
    FLOOD = "FLOOD"
    DISCONNECT = "DISCONNECT"
    HANG = "HANG"
    LEFT = "LEFT"


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

    __slots__ = ("counts", "kept_by_fallback")

    def __init__(self) -> None:
        self.counts: dict[Fault, int] = {}
        self.kept_by_fallback = False

    def count(self, fault: Fault) -> None:
        times = self.counts.get(fault, 0) + 1
        self.counts[fault] = times
        if times >= KEPT_BY_FALLBACK_AFTER.get(fault, times + 1):
            self.kept_by_fallback = True

    def as_counts(self) -> FaultCounts:
        """Counts by class name, classes without a fault left out."""
        return {str(fault): times for fault, times in sorted(self.counts.items())}
