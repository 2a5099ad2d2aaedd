"""One seat of a bot that plays over a stream: what its table knows as its player.

It keeps what its bot has been told and asked, over all the streams of the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.notice import Notice, NoticeKind

if TYPE_CHECKING:
    from server.decision import Question
    from server.outcome import Outcome
    from server.players.port import Withdrawal
    from server.players.session import Session
    from server.table import Table

MOST_FORGIVEN: Final = 64
"""Withdrawn questions of a seat to which an answer may still come."""


class Seat:
    """One seat of a session: what a table knows as its player."""

    __slots__ = (
        "acked",
        "away_counted",
        "forgiven",
        "handle",
        "held",
        "link",
        "over",
        "question",
        "seat",
        "sent_seq",
        "session",
        "settled",
        "table",
        "waited",
        "waiting_since",
        "watching",
    )

    table: Table

    def __init__(self, session: Session, handle: int) -> None:
        self.session = session
        self.link = session.link
        self.handle = handle
        self.seat = 0
        self.question: Question | None = None
        self.held: dict[int, float] = {}
        """Workers taken: decision -> instant at which it hangs; 0 while it is open."""
        self.over = False
        self.watching = False
        self.sent_seq = 0
        """Last entry that was sent, where the seat watches."""
        self.acked = 0
        """Last entry of which the bot said that it has it."""
        self.settled = 0
        """Last decision that was closed when the present stream began."""
        self.forgiven: set[int] = set()
        """Decisions that were taken back after they had been sent: an answer to one
        crosses the withdrawal, and is nobody's fault.
        """
        self.waiting_since = 0.0
        self.waited = 0.0
        """Seconds that questions waited in earlier outages of this match."""
        self.away_counted = False

    def seated(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        table.board.listen(self._noticed)
        self.session.seated(self)

    def ask(self, question: Question) -> None:
        self.question = question
        self.session.ask(self, question)

    def has(self, question: Question) -> bool:
        return self.session.has(question)

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        self.question = None
        self.session.withdraw(self, question, why)

    def ended(self, outcome: Outcome) -> None:
        self.question = None
        self.session.ended(self, outcome)

    def watch(self, after: int) -> None:
        """Has entries beyond `after` sent, from now on."""
        self.sent_seq = self.acked = after
        if not self.watching:
            self.watching = True
            self.table.audience.listen(self._news)
        self._news(0)

    def unwatch(self) -> None:
        self.watching = False
        self.table.audience.unlisten(self._news)

    def ack(self, seq: int) -> bool:
        """Notes what the bot has; False for what it was never sent."""
        self.acked = max(self.acked, min(seq, self.sent_seq))
        return seq <= self.sent_seq

    def forgive(self, seq: int) -> None:
        """One answer to this decision will be nobody's fault."""
        if len(self.forgiven) >= MOST_FORGIVEN:
            self.forgiven.clear()
        self.forgiven.add(seq)

    def may_read_to(self) -> int:
        """Last entry that may be sent: the move that puts the seat on turn, and all
        that follows from it, waits for the question.
        """
        question = self.question
        if question is None or question.handed_at:
            return self.table.match.seq
        return self.table.seq_before

    def leave_table(self) -> None:
        """Hears no more of it."""
        self.table.board.unlisten(self._noticed)
        if self.watching:
            self.unwatch()

    def _news(self, _seq: int) -> None:
        if self.session.transport is not None:
            self.session.transport.news(self)

    def _noticed(self, notice: Notice) -> None:
        """Who does not watch hears only what is about its own question."""
        transport = self.session.transport
        stopped = notice.kind is NoticeKind.CLOCK_STOPPED and self.question is not None
        if transport is None or not (self.watching or stopped):
            return
        if notice.kind is not NoticeKind.DRAINING and notice.seat != self.seat:
            transport.notice(self, notice)
