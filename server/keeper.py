"""The one way from the event loop to the store: nothing is told before it is kept.

What tables have journalled is committed before any of it, or anything that follows
from it, leaves the process. A file is quick enough to be written where the loop stands
(`commit`), though single calls share a commit where many come (`committed`). A database
across a socket is written by one thread, a commit at a time, and whoever has something
to tell waits for it.

Where the store fails, trouble begins: the host stands still, everything is refused,
and what was applied but not stored waits, seen by nobody, for the try that succeeds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from server.store import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from server.receipt import Receipt
    from server.store import Store

T = TypeVar("T")

FIRST_RETRY: Final = 0.25
LAST_RETRY: Final = 4.0
"""Seconds between tries to store; they grow from the first to the last."""
APART: Final = 0.002
"""Seconds from one commit to a file to the next that single calls wait for, where many
come. gRPC takes in calls one by one: without it hardly two of them would share a
commit, and answers that leave together save it turns of its threads besides.
"""
MANY: Final = 4
"""Calls within `APART`. Fewer are not made to wait for others who may not come."""


class Keeper:
    """Commits for everybody; without a store nothing is kept, and all is well."""

    def __init__(
        self,
        store: Store | None,
        *,
        failed: Callable[[StoreError], None],
        recovered: Callable[[], None],
    ) -> None:
        self._store = store
        self._log = store.log if store else None
        self._failed = failed
        self._recovered = recovered
        self.trouble: StoreError | None = None
        """Why nothing can be stored now."""
        self._retry_after = FIRST_RETRY
        self._retry: asyncio.TimerHandle | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._readers: ThreadPoolExecutor | None = None
        if store is not None and not store.log.blocks:
            self._thread = ThreadPoolExecutor(1, "store")
            self._readers = ThreadPoolExecutor(2, "store-read")
        self.waits = self._thread is not None
        """Whether `commit` only begins what `committed` waits for."""
        self._writing: asyncio.Future[None] | None = None
        self._waiters: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._sharing: list[asyncio.Future[None]] = []
        """Those who wait for the same commit to a file."""
        self._shared_at = 0.0
        """When there was the last such, on the loop's clock."""
        self._asked_at = deque([0.0] * MANY, maxlen=MANY)
        """When calls last had something to be stored, on the loop's clock."""

    def check(self) -> None:
        """StoreError while nothing can be stored; asked before anything is changed."""
        if self.trouble is not None:
            raise self.trouble.with_traceback(None)

    def commit(self) -> None:
        """Stores everything that was journalled, or sees to it; StoreError."""
        if self._log is None:
            return
        if self.trouble is not None:
            raise self.trouble.with_traceback(None)
        if self._thread is not None:
            self._write()
            return
        try:
            self._log.commit()
        except StoreError as error:
            self._begin_trouble(error)
            raise

    async def committed(self) -> None:
        """Returns once everything that was journalled is stored; StoreError."""
        if self._log is None:
            return
        self.check()
        wanted = self._log.last_chunk
        if self._log.written == wanted:
            return
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[None] = loop.create_future()
        if self._thread is not None:
            self._write()
            self._waiters.append((wanted, stored))
        elif self._are_many(loop.time()):
            if not self._sharing:
                # At once after a pause.
                loop.call_at(self._shared_at + APART, self._share)
            self._sharing.append(stored)
        else:
            self.commit()
            return
        await stored

    def _are_many(self, now: float) -> bool:
        """Whether others have lately asked, too; counts this one."""
        asked = self._asked_at
        asked.append(now)
        return now - asked[0] < APART

    def _share(self) -> None:
        """Commits for all who wait."""
        self._shared_at = asyncio.get_running_loop().time()
        waiting, self._sharing = self._sharing, []
        error: Exception | None = None
        try:
            self.commit()
        except Exception as failed:  # noqa: BLE001 - whoever waits must not wait for ever
            error = failed
        for stored in waiting:
            if stored.done():
                continue
            if error is None:
                stored.set_result(None)
            else:
                stored.set_exception(error)

    async def read(self, query: Callable[[Store], T]) -> T:
        """What a query gives, without the loop waiting for a socket; StoreError."""
        if self._store is None:
            raise LookupError("there is no store")
        await self.committed()
        if self._readers is None:
            return query(self._store)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, query, self._store)

    async def receipt(self, call: bytes, *, now: int) -> Receipt | None:
        """What is stored of a call; StoreError."""
        if self._store is None:
            return None
        return await self.read(lambda store: store.receipts.find(call, now=now))

    def close(self) -> None:
        """Tries once more to store what is left, and ends the threads."""
        if self._retry is not None:
            self._retry.cancel()
        if self._readers is not None:
            self._readers.shutdown(cancel_futures=True)
        if self._log is None:
            return
        try:
            if self._thread is not None:
                # What is being written comes first.
                self._thread.submit(self._log.commit).result()
            else:
                self._log.commit()
        except StoreError as error:
            self._failed(error)
        finally:
            if self._thread is not None:
                self._thread.shutdown()

    # The thread

    def _write(self) -> None:
        """Has the thread write what there is, once it is through with the last."""
        log, thread = self._log, self._thread
        if log is None or thread is None or self._writing is not None:
            return
        if log.written == log.last_chunk:
            return
        log.cut()
        loop = asyncio.get_running_loop()
        self._writing = loop.run_in_executor(thread, log.write)
        self._writing.add_done_callback(self._wrote)

    def _wrote(self, writing: asyncio.Future[None]) -> None:
        self._writing = None
        if writing.cancelled() or self._log is None:
            return
        error = writing.exception()
        if error is not None:
            if not isinstance(error, StoreError):
                # A mistake of ours is no better a reason to go on.
                error = StoreUnavailable("log", repr(error))
            self._begin_trouble(error)
            return
        if self.trouble is not None:
            self._end_trouble()
        waiters = self._waiters
        while waiters and waiters[0][0] <= self._log.written:
            _, stored = waiters.popleft()
            if not stored.done():
                stored.set_result(None)
        if waiters:
            self._write()

    # Trouble

    def _begin_trouble(self, error: StoreError) -> None:
        first = self.trouble is None
        self.trouble = error
        waiters, self._waiters = self._waiters, deque()
        for _, stored in waiters:
            if not stored.done():
                stored.set_exception(error)
        self._retry = asyncio.get_running_loop().call_later(
            self._retry_after, self._try_again
        )
        self._retry_after = min(2 * self._retry_after, LAST_RETRY)
        if first:
            self._failed(error)

    def _try_again(self) -> None:
        self._retry = None
        if self._log is None:
            return
        if self._thread is not None:
            loop = asyncio.get_running_loop()
            self._log.cut()
            self._writing = loop.run_in_executor(self._thread, self._log.write)
            self._writing.add_done_callback(self._wrote)
            return
        try:
            self._log.commit()
        except StoreError as error:
            self._begin_trouble(error)
        else:
            self._end_trouble()

    def _end_trouble(self) -> None:
        self.trouble = None
        self._retry_after = FIRST_RETRY
        self._recovered()
