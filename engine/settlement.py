"""Money: each seat's distance from the mean total, times the stake.

Shares are exact; in whole units they are floored and the units missing go to the
lowest seats, one each, so that both forms add up to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def exact_shares(totals: Sequence[int], stake: int) -> list[Fraction]:
    """By seat, negative for a seat that pays; `stake` is in units a point."""
    mean = Fraction(sum(totals), len(totals))
    return [stake * (total - mean) for total in totals]


def whole_shares(totals: Sequence[int], stake: int) -> list[int]:
    """`exact_shares` in whole units."""
    shares = [share.__floor__() for share in exact_shares(totals, stake)]
    missing = -sum(shares)
    return [share + (seat < missing) for seat, share in enumerate(shares)]
