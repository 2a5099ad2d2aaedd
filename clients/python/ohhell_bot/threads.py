"""Where bots think that are slow by design."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def thinking_threads(count: int) -> Iterator[Executor | None]:
    """None for 0: bots then think on the event loop."""
    if not count:
        yield None
        return
    threads = ThreadPoolExecutor(count, "bot")
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
