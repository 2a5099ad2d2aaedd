"""Where a table's entries go before anybody is told that they exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from server.guard import Fault
    from server.table import Table


class Journal(Protocol):
    """Keeps what happens at tables."""

    def entries(self, table: Table, after: int) -> None:
        """The match has entries beyond `after`."""

    def sealed(self, table: Table, seat: int) -> None:
        """A seat has handed in something that is no entry yet."""

    def faulted(
        self, table: Table, seat: int, fault: Fault, *, attempt: int, milliseconds: int
    ) -> None:
        """A fault was counted, at this attempt, so long after the question was put."""

    def dismissed(self, table: Table, seat: int) -> None:
        """An operator has taken the seat away from its player."""

    def charged(
        self, table: Table, seat: int, seq: int, *, attempts: int, milliseconds: int
    ) -> None:
        """The seat's bank has changed, by a decision that took so long."""
