"""The port between a table and whatever acts for one of its seats.

A table only ever tells; no method returns anything, and none may raise. The answer to
a question comes back as a call of `Table.answer`, now or later. Who wants to know what
happens at the table registers with `Table.audience`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from server.decision import Question
    from server.outcome import Outcome
    from server.table import Table


class Link(StrEnum):
    """How a player is reached; a label of metrics."""

    LOCAL = "local"
    DIAL_IN = "dial_in"
    DIAL_OUT = "dial_out"
    UNARY = "unary"


class Withdrawal(StrEnum):
    """Why a question is void; the names are part of the wire."""

    DEFAULTED = "DEFAULTED"
    AMENDED = "AMENDED"
    CANCELLED = "CANCELLED"


class Player(Protocol):
    """Acts for one seat of one table."""

    link: Link

    def seated(self, table: Table, seat: int) -> None:
        """Comes once, before the first question."""

    def ask(self, question: Question) -> None:
        """Puts a question, or puts it again after an illegal answer.

        Its clock stands still until the player calls `Table.handed_over`.
        """

    def has(self, question: Question) -> bool:
        """Whether the question is here, and will be handed over some time."""

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        """Says that an answer is not waited for any more."""

    def ended(self, outcome: Outcome) -> None:
        """Comes once, last."""
