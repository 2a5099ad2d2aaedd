"""Blocks as arrays: points per deal of every bot in every copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tournament.outcome import BlockResult

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class BlockScores:
    """Scores of `bots` bots in n >= 1 blocks of k seats.

    `seated[b, p]` is the bot at place p of block b, `mean[b, p]` its points per deal
    over the block: the mean over the copies of final total / deals of that match.
    """

    bots: int
    seated: Indices
    mean: Floats

    @property
    def shape(self) -> tuple[int, int]:
        """The number of blocks and of seats."""
        blocks, seats = self.seated.shape
        return blocks, seats

    def blocks_of(self) -> Indices:
        """Count the blocks of every bot."""
        return np.bincount(self.seated.ravel(), minlength=self.bots)

    def shared(self) -> Indices:
        """Count the blocks shared by every two bots, on the diagonal a bot's own."""
        pairs = self.seated[:, :, None] * self.bots + self.seated[:, None, :]
        counts = np.bincount(pairs.ravel(), minlength=self.bots**2)
        return counts.reshape(self.bots, self.bots)


def copy_scores(result: BlockResult) -> list[list[float]]:
    """Give points per deal by copy and by place of the block's seating."""
    rows = []
    for copy in result.copies:
        by_bot = dict(zip(copy.seats, copy.totals, strict=True))
        rows.append([by_bot[bot] / copy.deals for bot in result.seating])
    return rows


def mean_scores(result: BlockResult) -> list[float]:
    """Give points per deal over all copies, by place of the block's seating."""
    return [sum(one) / len(one) for one in zip(*copy_scores(result), strict=True)]


def block_scores(results: Sequence[BlockResult], bots: int) -> BlockScores:
    """Lay out one or more blocks, all with the same number of seats."""
    mean = np.array([mean_scores(result) for result in results])
    seated = np.array([result.seating for result in results], dtype=np.intp)
    return BlockScores(bots, seated, mean)
