"""Resampling whole blocks: each replicate weighs every block by a Poisson(1) draw."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Weights: TypeAlias = npt.NDArray[np.uint8]

REPLICATES = 400
_LABEL = b"ohhell standings: bootstrap by block"


def poisson_weights(blocks: int, replicates: int = REPLICATES) -> Weights:
    """Draw the weights, one row per replicate, one column per block.

    They are the same on every machine and with every numpy: raw words of PCG64 from a
    constant seed, compared with integer thresholds. A block's column depends only on
    its position, so a longer run extends the weights of a shorter one.
    """
    seed = int.from_bytes(hashlib.sha256(_LABEL).digest(), "big")
    generator = np.random.PCG64(seed)
    thresholds = np.array(list(_thresholds()), dtype=np.uint64)
    weights = np.empty((blocks, replicates), dtype=np.uint8)
    for block in range(blocks):
        words = generator.random_raw(replicates)
        weights[block] = np.searchsorted(thresholds, words, side="right")
    return np.ascontiguousarray(weights.T)


def _thresholds() -> Iterator[int]:
    """Give floor(2^64 P(X <= j)) for a Poisson(1) variable X, while below 2^64."""
    e = sum((Fraction(1, math.factorial(i)) for i in range(40)), Fraction(0))
    below = Fraction(0)
    for j in range(20):
        below += Fraction(1, math.factorial(j)) / e
        yield math.floor(2**64 * below)
