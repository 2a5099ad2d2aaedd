"""Totals, the end of a match, and who has won it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from engine.parameters import End, Overshoot, TiePolicy

if TYPE_CHECKING:
    from engine.plan import Plan
    from engine.rules import Rules


class Next(Enum):
    """What follows a deal."""

    DEAL = "deal"
    EXTRA_DEAL = "extra_deal"
    OVER = "over"


def new_total(rules: Rules, old: int, points: int) -> int:
    """Total after a deal; with `bounce` what is above the target is taken off it."""
    total = old + points
    if rules.overshoot is Overshoot.BOUNCE and rules.target_score is not None:
        return min(total, 2 * rules.target_score - total)
    return total


def leaders(totals: Sequence[int]) -> tuple[int, ...]:
    """Seats with the highest total."""
    best = max(totals)
    return tuple([seat for seat, total in enumerate(totals) if total == best])


def next_after(rules: Rules, plan: Plan, deal: int, totals: Sequence[int]) -> Next:
    """Asked after each deal, with its totals: target, then stop, then end of plan."""
    if _target_hit(rules, totals):
        return Next.OVER
    if rules.max_deals is not None and deal >= rules.max_deals:
        return Next.OVER
    if plan.length is None or deal < plan.length:
        return Next.DEAL
    extra = rules.tie_policy is TiePolicy.EXTRA_MAX_DEALS and len(leaders(totals)) > 1
    return Next.EXTRA_DEAL if extra else Next.OVER


def winners(rules: Rules, totals: Sequence[int]) -> tuple[int, ...]:
    """Of a match that is over: those on the exact target, otherwise the leaders."""
    if rules.end is End.EXACT_TARGET and rules.target_score in totals:
        return tuple([s for s, t in enumerate(totals) if t == rules.target_score])
    return leaders(totals)


def ranks(rules: Rules, totals: Sequence[int]) -> tuple[int, ...]:
    """Places by seat from 1, equal ones shared (1 1 3); winners come before others."""
    won = winners(rules, totals)
    keys = [(seat in won, total) for seat, total in enumerate(totals)]
    return tuple([1 + sum([other > key for other in keys]) for key in keys])


def _target_hit(rules: Rules, totals: Sequence[int]) -> bool:
    if rules.target_score is None:
        return False
    match rules.end:
        case End.ALL_DEALS:
            return False
        case End.EXACT_TARGET:
            return rules.target_score in totals
        case End.TARGET_REACHED:
            return max(totals) >= rules.target_score
