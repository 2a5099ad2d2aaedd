"""Watches: what somebody is told of a table while it is played.

A watch keeps no entries: it reads them from the match when its reader has taken what
was sent before, so that a slow reader costs a number. One that only looks on and falls
far behind is shown where the match stands now; a player misses nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from engine.events import Entry
from engine.view import View, project, view
from engine.visibility import SPECTATOR, Viewer
from server.decision import Question
from server.looking import public_match, public_seq
from server.notice import Notice, NoticeKind
from server.outcome import Outcome, State
from server.table import Table

MAX_BEHIND: Final = 1_024
"""Entries that somebody who only looks on may be behind."""
MAX_NOTICES: Final = 256
"""Notices that wait; the oldest are dropped, as they have no history."""
MAX_TAKEN: Final = 64
"""Entries that are read from a match without a pause."""


class Snapshot(NamedTuple):
    """How things stand."""

    view: View
    question: Question | None


class Prompt(NamedTuple):
    """A question to the seat that watches."""

    view: View
    question: Question


Item: TypeAlias = Snapshot | Entry | Prompt | Notice | Outcome


class Watch:
    """What one watcher has been told of a table."""

    def __init__(
        self, table: Table, viewer: Viewer, after: int, *, changed: Callable[[], None]
    ) -> None:
        """Calls `changed` whenever there may be something to take."""
        self._table = table
        self._viewer = viewer
        self._sent = after
        self._changed = changed
        self._begun = False
        self._asked: tuple[Question, int] | None = None
        self._notices: deque[Notice] = deque(table.board.standing(), MAX_NOTICES)
        self.more = False
        """Whether there was too much to be taken at once."""
        self.over = False
        """Whether everything has been taken, the end of the match included."""
        if viewer is SPECTATOR:
            table.audience.look_on(self._news)
        else:
            table.audience.listen(self._news)
        table.board.listen(self._noticed)

    def close(self) -> None:
        self._table.audience.unlisten(self._news)
        self._table.board.unlisten(self._noticed)

    @property
    def suspended(self) -> bool:
        """Whether the match goes on elsewhere."""
        return self._table.state is State.SUSPENDED

    def take(self) -> list[Item]:
        """Everything new: notices, entries, then the question they lead to."""
        items: list[Item] = []
        match = self._table.match
        spectates = self._viewer is SPECTATOR
        last = public_seq(self._table) if spectates else match.seq
        if not self._begun:
            self._begun = True
            items.append(self._snapshot())
        elif spectates and last - self._sent > MAX_BEHIND:
            skipped = f"entries {self._sent + 1} to {last}"
            items.append(Notice(NoticeKind.SKIPPED, message=skipped))
            items.append(self._snapshot())
            self._sent = last
        own = self._viewer if isinstance(self._viewer, int) else None
        while self._notices:
            notice = self._notices.popleft()
            if notice.kind is not NoticeKind.SEALED or notice.seat != own:
                items.append(notice)
        first, self._sent = (
            self._sent + 1,
            max(self._sent, min(last, self._sent + MAX_TAKEN)),
        )
        items += [
            project(match.entry(seq), self._viewer)
            for seq in range(first, self._sent + 1)
        ]
        self.more = self._sent < last
        if self.more:
            return items
        question = self._table.open[own] if own is not None else None
        if question is not None and self._asked != (question, question.attempt):
            self._asked = (question, question.attempt)
            items.append(Prompt(view(match, self._viewer), question))
        outcome = self._table.outcome
        if outcome is not None and not self.over:
            self.over = True
            items.append(outcome)
        return items

    def _snapshot(self) -> Snapshot:
        viewer = self._viewer
        question = self._table.open[viewer] if isinstance(viewer, int) else None
        spectates = viewer is SPECTATOR
        match = public_match(self._table) if spectates else self._table.match
        return Snapshot(view(match, viewer), question)

    def _news(self, _seq: int) -> None:
        self._changed()

    def _noticed(self, notice: Notice) -> None:
        self._notices.append(notice)
        self._changed()
