"""The clocks of a table's seats: a limit for each decision, and a bank behind it."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

from server.clock import TimeControl

if TYPE_CHECKING:
    from server.decision import Question


class SeatClocks:
    """Says when time is up, and what a decision has cost.

    A table without a time control has a deadline all the same, if it may not stand
    idle for ever; nothing is charged there.
    """

    __slots__ = (
        "_increment_ms",
        "_unbanked_ms",
        "banks",
        "free_s",
        "idle_s",
        "limit_ms",
        "running",
        "stopped_at",
    )

    def __init__(self, control: TimeControl, seats: int, *, idle_ms: int) -> None:
        self.limit_ms = control.per_decision_ms
        self.banks = [control.bank_ms] * seats
        """Milliseconds by seat."""
        self.running = control.running
        self.stopped_at = 0.0
        """When the clocks were stopped; 0: never."""
        self.idle_s = 0.0 if control.running else idle_ms / 1000
        self.free_s = control.per_decision_ms / 1000
        """Decisions that take no longer leave the bank as it is."""
        if control.increment_ms:
            self.free_s = -1.0
        elif not control.running:
            self.free_s = inf
        self._increment_ms = control.increment_ms
        self._unbanked_ms = control.per_decision_ms + control.grace_ms

    def start(self, question: Question, now: float) -> float:
        """Runs the question's clock from `now`; returns its deadline, 0 for none."""
        question.handed_at = now
        if self.running:
            allowed_ms = self._unbanked_ms + self.banks[question.seat]
            question.deadline = now + allowed_ms / 1000
        elif self.idle_s:
            question.deadline = now + self.idle_s
        return question.deadline

    def charge(self, seat: int, took: float) -> None:
        """Books a decision that was answered after `took` seconds."""
        over = round(took * 1000) - self.limit_ms
        bank = self.banks[seat]
        if over > 0:
            bank = max(0, bank - over)
        self.banks[seat] = bank + self._increment_ms

    def put_off(
        self, questions: Iterable[Question | None], seconds: float, now: float
    ) -> list[float]:
        """Gives back seconds in which nobody could answer; returns the pauses made."""
        pauses: list[float] = []
        if not self.running:
            return pauses
        for question in questions:
            if question is not None and question.deadline:
                pause = min(seconds, now - question.handed_at)
                question.put_off(pause)
                pauses.append(pause)
        return pauses

    def stop(self, questions: Iterable[Question | None], now: float) -> bool:
        """Counts nobody's time any more, banks stay; False where no clock ran."""
        if not self.running:
            return False
        self.running = False
        self.stopped_at = now
        for question in questions:
            if question is not None:
                question.deadline = 0.0
        return True
