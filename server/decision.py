"""One decision: the question that is put to a seat, and the replies to its answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import Code, Refusal
from engine.fallback import Command

if TYPE_CHECKING:
    from server.table import Table

MAX_CLOCKED_AMENDMENTS: Final = 2
"""Amendments of one bid at a table with a clock."""

_HALF_A_MILLISECOND: Final = 0.0005


class Question:
    """One decision put to one seat, from the offer until it is closed."""

    __slots__ = (
        "ask",
        "attempt",
        "deadline",
        "handed_at",
        "refused",
        "seat",
        "seq",
        "table",
    )

    def __init__(self, table: Table, seat: int, seq: int, ask: int) -> None:
        self.table = table
        self.seat = seat
        self.seq = seq
        self.ask = ask
        self.attempt = 1
        self.handed_at = 0.0
        """When the clock began to run; 0: it does not run yet."""
        self.deadline = 0.0
        """Last instant at which an answer counts; 0: there is none."""
        self.refused: tuple[Command | None, Reply] | None = None

    def put_off(self, seconds: float) -> None:
        """It was handed over so much later than was thought."""
        if self.handed_at:
            self.handed_at += seconds
        if self.deadline:
            self.deadline += seconds

    def time_left(self, now: float) -> tuple[int, int]:
        """Milliseconds of the limit and of the bank."""
        clocks = self.table.clocks
        limit = clocks.limit_ms
        bank = clocks.banks[self.seat]
        took = now - (self.handed_at or now)
        if took < _HALF_A_MILLISECOND:
            return limit, bank
        if clocks.stopped_at:
            took = max(0.0, clocks.stopped_at - self.handed_at)
        over = round(took * 1000) - limit
        if over <= 0:
            return -over, bank
        return 0, max(0, bank - over)


class Reply(NamedTuple):
    """The fate of one answer."""

    accepted: bool
    entry: int = 0
    """The entry it became; 0: none, because it was refused or is secret."""
    reason: str = ""
    message: str = ""
    details: Mapping[str, object] = {}
    duplicate: bool = False
    again: bool = False
    """Whether the decision is still open to a better answer."""
    attempt: int = 0
    """The attempt that was judged."""


Closed = tuple[int, Command | None, Reply]
"""A decision that is over, kept so that a repeated answer gets the same reply."""


@lru_cache(maxsize=8192)
def accepted(entry: int, attempt: int) -> Reply:
    return Reply(accepted=True, entry=entry, attempt=attempt)


CLOSED: Final = frozenset(
    {"STALE_DECISION", "DECISION_ALREADY_ANSWERED", "DECISION_DEFAULTED"}
)
"""Reasons why an answer comes to nothing, whatever it says."""
STALE = "the decision is closed or was withdrawn"
DEFAULTED = Reply(
    accepted=False,
    reason="DECISION_DEFAULTED",
    message="the fallback player decided, because no legal answer came in time",
)

NO_ACTION = Reply(
    accepted=False,
    reason="ACTION_MISSING",
    message="the answer holds no bid, card, trump suit or bid cards",
)


HAS_BID = Reply(
    accepted=False,
    reason=Code.BID_LOCKED,
    message="the seat has bid; a bid is changed by amending it",
)


def refused(refusal: Refusal) -> Reply:
    return Reply(
        accepted=False,
        reason=str(refusal.code),
        message=refusal.message,
        details=refusal.details,
    )


def judge_other_attempt(
    question: Question, attempt: int, command: Command | None
) -> Reply:
    """An answer to an open question, but to another attempt than the present one."""
    if attempt > question.attempt:
        return Reply(
            accepted=False,
            reason="UNKNOWN_DECISION",
            message=f"attempt {attempt} has not been offered",
            attempt=attempt,
        )
    if question.refused is not None and question.refused[0] == command:
        return question.refused[1]._replace(duplicate=True)
    return Reply(
        accepted=False, reason="STALE_DECISION", message=STALE, attempt=attempt
    )


def judge_closed(
    closed: Closed | None,
    seq: int,
    command: Command | None,
    *,
    last: int,
    now: Question | None,
) -> Reply:
    """An answer to what is not open; `closed` is what its seat was asked last, `now`
    what it is asked instead.
    """
    if seq > last:
        return Reply(
            accepted=False,
            reason="UNKNOWN_DECISION",
            message=f"decision {seq} has not been offered; the last entry is {last}",
        )
    if closed is None or closed[0] != seq:
        stale = Reply(accepted=False, reason="STALE_DECISION", message=STALE)
        # Of a question that was not handed over, the seat must not learn so early.
        if now is None or not now.handed_at:
            return stale
        return stale._replace(details={"decision": now.seq})
    _, judged, reply = closed
    if judged == command:
        return reply._replace(duplicate=True)
    if reply.accepted:
        return Reply(
            accepted=False,
            entry=reply.entry,
            reason="DECISION_ALREADY_ANSWERED",
            message="another answer to this decision was accepted before",
        )
    return reply


def judge_amending(table: Table, seat: int, seq: int) -> Reply | None:
    """Why the seat may not change its bid now; None where it may."""
    match = table.match
    if not table.setup.amendments or not match.amendable(seat):
        return Reply(
            accepted=False,
            reason=Code.BID_LOCKED,
            message="the seat has no bid that may be changed now",
        )
    if seq != match.seq:
        return Reply(accepted=False, reason="STALE_DECISION", message=STALE)
    amended = table.amendments_of(seat)
    if table.setup.clock.running and amended >= MAX_CLOCKED_AMENDMENTS:
        return Reply(
            accepted=False,
            reason=Code.BID_LOCKED,
            message=f"this bid was amended {MAX_CLOCKED_AMENDMENTS} times already",
        )
    return None
