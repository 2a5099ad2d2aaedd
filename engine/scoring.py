"""Points of a deal.

All schemes but one are instances of one formula in the bid b, the tricks won t, the
hand size c and the distance d = |t - b|:

    made, b > 0    A + B*b + Q*b*b
    made, b = 0    Z0 + Zc*c
    missed         M0 + Mt*t + Md*d + Mq*d*d
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.rules import Rules


class Coefficients(NamedTuple):
    """The formula's coefficients under their names in a spec; those left out are 0."""

    A: int = 0
    B: int = 0
    Q: int = 0
    Z0: int = 0
    Zc: int = 0
    M0: int = 0
    Mt: int = 0
    Md: int = 0
    Mq: int = 0


NINETY_NINE: Final = "ninety_nine"

SCHEMES: Final[dict[str, Coefficients]] = {
    "blackout": Coefficients(A=10, B=1, Z0=10),
    "standard": Coefficients(A=10, B=1, Z0=10, Mt=1),
    "standard_zero5": Coefficients(A=10, B=1, Z0=5, Mt=1),
    "blackout_zero5": Coefficients(A=10, B=1, Z0=5),
    "standard_zero5plus": Coefficients(A=10, B=1, Z0=5, Zc=1, Mt=1),
    "blackout_zero5plus": Coefficients(A=10, B=1, Z0=5, Zc=1),
    "ten_per_trick": Coefficients(B=10, Z0=10, Md=-10),
    "five_ten": Coefficients(A=5, B=10, Z0=5, M0=-5, Md=-5),
    "square": Coefficients(A=10, Q=1, Z0=10, Mq=-1),
    "boerenbridge": Coefficients(A=10, B=1, Z0=20, Mt=1),
    "seven_truf": Coefficients(B=10, Zc=5, Mt=1),
    "romanian": Coefficients(A=5, B=1, Z0=5, Md=-1),
    "podrida_es": Coefficients(A=10, B=3, Z0=10, Md=-3),
    "pocha": Coefficients(A=10, B=5, Z0=10, Md=-5),
    "clag2": Coefficients(A=10, B=2, Z0=10),
    "wizard": Coefficients(A=20, B=10, Z0=20, Md=-10),
}


def points(coefficients: Coefficients, *, bid: int, won: int, size: int) -> int:
    """Points of a seat that bid; misère deals count as a bid of zero."""
    k = coefficients
    if won == bid:
        return k.A + bid * (k.B + bid * k.Q) if bid else k.Z0 + k.Zc * size
    distance = abs(won - bid)
    return k.M0 + k.Mt * won + distance * (k.Md + distance * k.Mq)


def points_without_bid(won: int) -> int:
    """A seat that takes no part in the bidding gets one a trick in every scheme."""
    return won


class Premium(NamedTuple):
    """The claim that was granted: 30 for bid cards shown, 60 for the hand as well."""

    seat: int
    worth: int


def ninety_nine_points(
    bids: Sequence[int | None], won: Sequence[int], premium: Premium | None
) -> list[int]:
    """Points by seat; a seat without a bid gets its tricks and is no success.

    Successes share a bonus of 10 (three succeed), 20 (two) or 30 (one). The premium
    goes to its holder who succeeds, and otherwise to each of the opponents.
    """
    made = [bid == tricks for bid, tricks in zip(bids, won, strict=True)]
    bonus = 10 * (4 - sum(made))
    scores = [
        tricks + (bonus if hit else 0) for tricks, hit in zip(won, made, strict=True)
    ]
    if premium is not None:
        for seat, hit in enumerate(made):
            gains = hit if seat == premium.seat else not made[premium.seat]
            if gains:
                scores[seat] += premium.worth
    return scores


def successes(bids: Sequence[int | None], won: Sequence[int]) -> int:
    """Number of seats that took exactly what they bid."""
    return sum([bid == tricks for bid, tricks in zip(bids, won, strict=True)])


def deal_points(
    rules: Rules,
    *,
    bids: Sequence[int | None],
    won: Sequence[int],
    size: int,
    premium: Premium | None,
) -> list[int]:
    """Points by seat before any bounce; a bid of None took no part in the bidding."""
    coefficients = rules.coefficients
    if coefficients is None:
        return ninety_nine_points(bids, won, premium)
    return [
        points_without_bid(tricks)
        if bid is None
        else points(coefficients, bid=bid, won=tricks, size=size)
        for bid, tricks in zip(bids, won, strict=True)
    ]
