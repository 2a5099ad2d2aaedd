"""Ratings and standard errors while a run goes on.

They take too long for the event loop, so a thread works them out from the blocks
committed so far, again whenever these have become a quarter more. What it finds is
there at the next commit, with the number of blocks that it rests on.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournament.outcome import BlockResult
from tournament.stats.points import Points, points
from tournament.stats.ratings import Rating, ratings
from tournament.stats.scores import block_scores

REPLICATES = 100
"""Of the bootstrap: a standard error takes fewer than an interval."""
GROWTH = 1.25


@dataclass(frozen=True, slots=True)
class Estimates:
    """What the first `blocks` blocks say, by bot; None for one that is not in them."""

    blocks: int
    points: Sequence[Points | None]
    ratings: Sequence[Rating | None]


class _Closed(Exception):
    """Nobody wants to know any more."""


def estimates(
    results: Sequence[BlockResult],
    bots: int,
    *,
    between: Callable[[], None] = lambda: None,
) -> Estimates:
    """Conclude from one or more blocks; `between` may end it by raising."""
    return Estimates(
        len(results),
        points(block_scores(results, bots)),
        ratings(results, bots, replicates=REPLICATES, between=between).by_bot,
    )


class Estimator:
    """Works out one estimate at a time, beside whoever asks for it; to be closed."""

    def __init__(self, bots: int) -> None:
        """Begin with no blocks."""
        self._bots = bots
        self._found: Estimates | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def latest(self, committed: Sequence[BlockResult]) -> Estimates | None:
        """Give what was found last, and have more worked out where it is time."""
        found = self._found
        known = found.blocks if found else 0
        if not self._busy and len(committed) >= max(2, GROWTH * known):
            self._thread = threading.Thread(
                target=self._work, args=(tuple(committed),), name="estimates"
            )
            self._thread.start()
        return found

    def wait(self) -> None:
        """Return when nothing is being worked out."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Give up what is being worked out, at the next refit."""
        self._closed = True
        self.wait()

    @property
    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _work(self, results: tuple[BlockResult, ...]) -> None:
        with contextlib.suppress(_Closed):
            self._found = estimates(results, self._bots, between=self._check)

    def _check(self) -> None:
        if self._closed:
            raise _Closed
