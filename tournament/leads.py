"""How far one seat of a match can be ahead of another, whatever is dealt and played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bidding import Claim, granted_premium
from engine.parameters import End, Overshoot, TiePolicy
from engine.plan import deal_plan
from engine.scoring import ninety_nine_points, points, points_without_bid

if TYPE_CHECKING:
    from engine.rules import Rules


def widest_lead(rules: Rules, players: int) -> float:
    """The most points a deal between two seats of a match that is over.

    The mean over the plan where it is always played to its end and no further; else
    that of the widest size of hand, for there is no telling how many of it are played.
    Rules must be legal for so many players.
    """
    plan = deal_plan(rules, players)
    if plan.length is None:
        return float(_lead(rules, plan.largest))
    sizes = list(plan.sizes())
    leads = {size: _lead(rules, size) for size in set(sizes)}
    whole = (
        rules.end is End.ALL_DEALS
        and rules.tie_policy is TiePolicy.SHARED
        and rules.max_deals is None
    )
    if whole:
        return sum(leads[size] for size in sizes) / len(sizes)
    return float(max(leads.values()))


def _lead(rules: Rules, size: int) -> int:
    """In one deal; the two have no more tricks between them than there are."""
    extremes = [_extremes(rules, won=won, size=size) for won in range(size + 1)]
    if rules.overshoot is Overshoot.BOUNCE:
        # What is above the target is taken off: at most the points of the deal.
        reach = [max(-low, high) for low, high in extremes]
        extremes = [(-most, most) for most in reach]
    return max(
        extremes[won][1] - extremes[other][0]
        for won in range(size + 1)
        for other in range(size + 1 - won)
    )


def _extremes(rules: Rules, *, won: int, size: int) -> tuple[int, int]:
    """The least and the most points that so many tricks can come to."""
    coefficients = rules.coefficients
    if coefficients is None:
        # The only success, with the dearest claim granted; or a miss without one.
        premium = granted_premium([Claim.REVEAL, Claim.NONE, Claim.NONE], dealer=0)
        best, *_ = ninety_nine_points([won, None, None], [won, 0, 0], premium)
        return won, best
    found = [
        points(coefficients, bid=bid, won=won, size=size) for bid in range(size + 1)
    ]
    if rules.no_bid_at_score is not None:
        found.append(points_without_bid(won))
    return min(found), max(found)
