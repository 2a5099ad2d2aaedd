"""The port for tools that try bots: they sit between a table and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.fallback import Command
    from server.decision import Question, Reply


class Witness(Protocol):
    """Sees what goes to the players of one table, and decides what reaches it."""

    def handed_over(self, question: Question) -> None:
        """The question was handed to the transport, for the first time."""

    def answered(
        self, seat: int, seq: int, attempt: int, command: Command | None, at: float
    ) -> Reply:
        """An answer came in; the parameters are those of `Table.judge`, its judge."""
