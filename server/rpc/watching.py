"""Watches: what somebody is told of a table while it is played."""

from __future__ import annotations

import asyncio

from engine.view import project, view
from engine.visibility import Viewer
from ohhell.v1 import tables_pb2
from server.decision import Question
from server.rpc import wire
from server.table import Table


class Watch:
    """What one watcher has been sent of a table."""

    def __init__(self, table: Table, viewer: Viewer, after: int) -> None:
        self._table = table
        self._viewer = viewer
        self._sent = after
        self._asked: tuple[Question, int] | None = None
        self._changed = asyncio.Event()

    def changed(self, _seq: int) -> None:
        self._changed.set()

    async def wait(self) -> None:
        await self._changed.wait()

    def take(self, now: float) -> list[tables_pb2.WatchTableResponse]:
        """Everything new: entries, then the question they lead to."""
        self._changed.clear()
        responses = []
        for entry in self._table.match.entries(self._sent):
            response = tables_pb2.WatchTableResponse()
            wire.write_entry(response.entry, project(entry, self._viewer))
            responses.append(response)
            self._sent = entry.seq
        viewer = self._viewer
        question = self._table.open[viewer] if isinstance(viewer, int) else None
        if question is not None and self._asked != (question, question.attempt):
            self._asked = (question, question.attempt)
            response = tables_pb2.WatchTableResponse()
            seen = view(self._table.match, viewer)
            wire.write_prompt(response.prompt, seen, question, now)
            responses.append(response)
        return responses
