"""Tables that a bot's stream watches beside those where it has seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from engine.events import Entry
from engine.visibility import SPECTATOR
from ohhell.v1 import frames_pb2
from server.host import Host
from server.notice import Notice
from server.outcome import Outcome
from server.players.session import Session
from server.rpc import wire
from server.rpc.watching import Item, Prompt, Snapshot, Watch
from server.table import Table

MAX_WATCHES: Final = 64
"""Tables that one stream may watch beside its own."""
MAX_ENTRIES_SENT: Final = 128
"""In one frame."""


class WatchRefused(Exception):
    """A watch that begins nothing; `is_violation` where its frame was no good."""

    def __init__(
        self, reason: str, message: str, *, is_violation: bool = False
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.is_violation = is_violation

    @classmethod
    def in_future(cls, table: Table) -> WatchRefused:
        """It is to begin behind what there is."""
        return cls("SEQ_IN_FUTURE", f"the last entry is {table.match.seq}")


class FrameWatch:
    """A table that a bot's stream watches without a seat at it."""

    def __init__(
        self, table: Table, handle: int, after: int, *, changed: Callable[[], None]
    ) -> None:
        self._handle = handle
        self._watch = Watch(table, SPECTATOR, after, changed=changed)

    def take(self) -> list[frames_pb2.ServerFrame]:
        """Frames; entries that follow each other share one."""
        frames: list[frames_pb2.ServerFrame] = []
        room = 0
        for item in self._all():
            if not isinstance(item, Entry):
                frames.append(_frame(item, self._handle))
                room = 0
                continue
            if not room:
                entries = frames_pb2.Entries(handle=self._handle)
                frames.append(frames_pb2.ServerFrame(entries=entries))
                room = MAX_ENTRIES_SENT
            wire.write_entry(frames[-1].entries.entries.add(), item)
            room -= 1
        return frames

    def _all(self) -> Iterator[Item]:
        yield from self._watch.take()
        while self._watch.more:
            yield from self._watch.take()

    @property
    def over(self) -> bool:
        return self._watch.over

    def close(self) -> None:
        self._watch.close()


class FrameWatches:
    """All tables that a bot's stream watches without a seat there."""

    def __init__(
        self, host: Host, session: Session, *, changed: Callable[[], None]
    ) -> None:
        self._host = host
        self._session = session
        self._changed = changed
        self.by_handle: dict[int, FrameWatch] = {}

    def add(self, watch: frames_pb2.Watch) -> None:
        """Begins one more; WatchRefused."""
        handle = watch.handle
        if not handle or not watch.table or handle in self.by_handle:
            raise WatchRefused(
                "BAD_HANDLE",
                "a watch has a table, and a handle that is not in use",
                is_violation=True,
            )
        if len(self.by_handle) >= MAX_WATCHES:
            raise WatchRefused(
                "TOO_MANY_WATCHES", f"at most {MAX_WATCHES} tables on a stream"
            )
        gallery = self._host.gallery
        table = gallery.look(watch.table) if gallery is not None else None
        if table is None:
            raise WatchRefused(
                "RESOURCE_NOT_VISIBLE", "there is no such table for this caller"
            )
        if watch.after_seq > table.match.seq:
            raise WatchRefused.in_future(table)
        self.by_handle[handle] = FrameWatch(
            table, handle, watch.after_seq, changed=self._changed
        )
        self._session.watched.add(handle)
        self._changed()

    def remove(self, handle: int) -> None:
        """Ends one, if there is one."""
        watch = self.by_handle.pop(handle, None)
        if watch is not None:
            watch.close()
            self._session.watched.discard(handle)

    def take(self) -> list[frames_pb2.ServerFrame]:
        """What is new at all of them."""
        frames: list[frames_pb2.ServerFrame] = []
        for handle, watch in tuple(self.by_handle.items()):
            frames += watch.take()
            if watch.over:
                self.remove(handle)
        return frames

    def close(self) -> None:
        """Ends all of them, for good."""
        for handle in tuple(self.by_handle):
            self.remove(handle)
        # It belongs to the stream, which holds this.
        self._changed = _nothing


def _nothing() -> None:
    """Nobody is told any more."""


def _frame(
    item: Snapshot | Prompt | Notice | Outcome, handle: int
) -> frames_pb2.ServerFrame:
    frame = frames_pb2.ServerFrame()
    match item:
        case Snapshot(seen) | Prompt(seen):
            wire.write_view(frame.snapshot, seen)
            frame.snapshot.handle = handle
        case Notice():
            wire.write_notice(frame.notice, item, handle)
        case Outcome():
            wire.write_outcome(frame.ended, handle, item)
        case _:
            assert_never(item)
    return frame
