"""95 % intervals from a number of blocks that may be small."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    lo: float
    hi: float


@cache
def t_quantile(freedom: int) -> float:
    """Give the two-sided 95 % point of Student's t, for `freedom` >= 1.

    To 1e-9 by bisection of the distribution's finite series (Abramowitz and Stegun
    26.7.3, 26.7.4); from 200 degrees on by the Cornish-Fisher expansion (26.7.5).
    """
    if freedom >= 200:
        z = 1.959963984540054
        terms = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return math.fsum(term / freedom**power for power, term in enumerate(terms))
    below, above = 0.0, 13.0
    while above - below > 1e-12:
        middle = (below + above) / 2
        if _within(middle, freedom) < CONFIDENCE:
            below = middle
        else:
            above = middle
    return above


def _within(t: float, freedom: int) -> float:
    """Give the probability that |T| < t."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for i in range(freedom // 2):
        total += term
        step = 2 * i + 1 + odd
        term *= cosine * cosine * step / (step + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def around(estimate: float, error: float, blocks: int) -> Interval | None:
    """Give estimate -+ t * error with blocks - 1 degrees; None for fewer than 2."""
    if blocks < 2:
        return None
    half = t_quantile(blocks - 1) * error
    return Interval(estimate - half, estimate + half)


def around_share(share: float, error: float, blocks: int) -> Interval | None:
    """Give an interval inside 0..1 that has a width also at 0 and 1.

    Wilson's score interval with Student's t for the normal quantile and, for the
    number of trials, the number of independent ones that has this standard error
    (after Korn and Graubard 1998); where the error is 0, the number of blocks.
    """
    if blocks < 2:
        return None
    t = t_quantile(blocks - 1)
    spread = share * (1 - share)
    trials = spread / error**2 if error > 0 and spread > 0 else float(blocks)
    shrink = 1 + t * t / trials
    middle = (share + t * t / (2 * trials)) / shrink
    half = t / shrink * math.sqrt(spread / trials + (t / (2 * trials)) ** 2)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def percentile_levels(blocks: int) -> Interval:
    """Give the levels between which a bootstrap of `blocks` >= 2 blocks holds 95 %.

    Plain percentiles (0.025 and 0.975) are too narrow for few blocks; these are widened
    by what Student's t adds to the normal quantile and by sqrt(n / (n - 1)) for the
    bootstrap's variance (Hesterberg 2015, "expanded percentile interval").
    """
    reach = t_quantile(blocks - 1) * math.sqrt(blocks / (blocks - 1))
    tail = math.erfc(reach / math.sqrt(2)) / 2
    return Interval(tail, 1 - tail)


def percentile(ordered: list[float], level: float) -> float:
    """Interpolate linearly between the order statistics of a non-empty sorted list."""
    at = level * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])
