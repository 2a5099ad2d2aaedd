"""A person, or a program, that acts by single calls and asks when it wants to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.clock import Clock
from server.players.port import Link, Withdrawal

if TYPE_CHECKING:
    from server.decision import Question
    from server.outcome import Outcome
    from server.table import Table


class UnaryPlayer:
    """Has nothing to send: its clock runs as soon as it is asked."""

    link = Link.UNARY

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def seated(self, table: Table, seat: int) -> None:
        """What there is to know is read from the table."""

    def ask(self, question: Question) -> None:
        question.table.handed_over(question, self._clock())

    def has(self, question: Question) -> bool:
        """Never for long."""
        return False

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        """The next look at the table shows it."""

    def ended(self, outcome: Outcome) -> None:
        """As above."""
