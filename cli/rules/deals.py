"""The deals of a game, one by one, with what is certain about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cli.rules.words import SUIT_NAMES
from engine.parameters import DealKind, FullPackTrump, TrumpMethod, TurnupJoker
from engine.plan import (
    Plan,
    cards_left,
    deal_plan,
    dealer_of,
    is_forced_no_trump,
    is_forehead,
    kind_of,
)
from engine.rules import Rules

NO_TRUMP: Final = "NT"
# A plan without end is shown until it repeats, and no plan longer than this.
MOST_SHOWN: Final = 1_000


class Trump(NamedTuple):
    """Who or what decides: a value of `trump_method` or `full_pack_trump`, or `decree`.

    `suit` is C, D, H, S or NT where it is certain, whatever is dealt.
    """

    by: str
    suit: str | None


class DealRow(NamedTuple):
    """A scheduled deal, counted from 1; seat 0 is the first dealer."""

    deal: int
    size: int
    kind: DealKind
    dealer: int
    trump: Trump
    forehead: bool


def deal_rows(rules: Rules, players: int) -> Iterator[DealRow]:
    """Give the deals of a plan, of one without end those until it repeats."""
    plan = deal_plan(rules, players)
    for deal in range(1, min(_shown(rules, plan, players), MOST_SHOWN) + 1):
        yield DealRow(
            deal,
            plan.size(deal),
            kind_of(rules, plan, deal),
            dealer_of(deal, first_dealer=0, players=players),
            trump_of(rules, plan, deal, players=players),
            is_forehead(rules, plan, deal),
        )


def _shown(rules: Rules, plan: Plan, players: int) -> int:
    if plan.length is not None:
        return plan.length
    special = [deal for deal, _ in rules.deal_kinds or ()]
    repeats = max(players, len(rules.trump_sequence or ()), *special, 1)
    return min(repeats, rules.max_deals or repeats)


def trump_of(rules: Rules, plan: Plan, deal: int, *, players: int) -> Trump:
    """Tell what makes the trump of a deal."""
    if is_forced_no_trump(rules, plan, deal):
        return Trump("decree", NO_TRUMP)
    method = rules.trump_method
    match method:
        case TrumpMethod.ROTATION:
            return Trump(method, _step(rules, deal))
        case TrumpMethod.FIXED:
            return Trump(method, rules.trump_suit)
        case TrumpMethod.NONE:
            return Trump(method, NO_TRUMP)
        case TrumpMethod.PREVIOUS_SUCCESSES:
            return Trump(method, NO_TRUMP if deal == 1 else None)
        case TrumpMethod.TURN_UP:
            pass
    if cards_left(rules, players, plan.size(deal)):
        return Trump(method, None)
    match rules.full_pack_trump:
        case FullPackTrump.NONE:
            return Trump(method, NO_TRUMP)
        case FullPackTrump.ROTATION:
            return Trump(FullPackTrump.ROTATION, _step(rules, deal))
        case FullPackTrump.FIXED:
            return Trump(FullPackTrump.FIXED, rules.trump_suit)
        case FullPackTrump.DEALER_LAST_CARD:
            return Trump(FullPackTrump.DEALER_LAST_CARD, None)


def _step(rules: Rules, deal: int) -> str:
    sequence = rules.trump_sequence or (NO_TRUMP,)
    return sequence[(deal - 1) % len(sequence)]


def trump_in_words(row: DealRow, rules: Rules) -> str:
    """Tell a row's trump as far as it is certain."""
    by, suit = row.trump
    if by == TrumpMethod.TURN_UP and suit == NO_TRUMP:
        return "no trump: no card is left to turn up"
    if suit is not None:
        return SUIT_NAMES[suit]
    if by == FullPackTrump.DEALER_LAST_CARD:
        return "suit of the dealer's last card"
    if by == TrumpMethod.PREVIOUS_SUCCESSES:
        return "by the bids made in the deal before"
    if row.kind.hides_upcard:
        return "upcard, shown when all bids are in"
    if rules.turnup_joker is TurnupJoker.WIZARD_RULES:
        return "upcard (jester: none; wizard: the dealer names it)"
    if rules.turnup_min_rank is not None:
        return f"upcard, none below rank {rules.turnup_min_rank}"
    return "upcard"


def plan_document(rules: Rules, players: int) -> dict[str, object]:
    """Give the plan as JSON values; sums and lengths of plans without end are null."""
    plan = deal_plan(rules, players)
    return {
        "deals_planned": plan.length,
        "open_ended": plan.length is None,
        "max_deals": rules.max_deals,
        "largest": plan.largest,
        "total_tricks": None if plan.length is None else sum(plan.sizes()),
        "deals": [_row_document(row) for row in deal_rows(rules, players)],
    }


def _row_document(row: DealRow) -> Mapping[str, object]:
    return {
        "deal": row.deal,
        "size": row.size,
        "kind": row.kind.value,
        "dealer": row.dealer,
        "trump_by": str(row.trump.by),
        "trump": row.trump.suit,
        "forehead": row.forehead,
    }


def plan_lines(rules: Rules, players: int) -> Iterator[str]:
    """Print the plan, a deal a line."""
    plan = deal_plan(rules, players)
    yield "deal  cards  dealer  trump"
    shown = 0
    for row in deal_rows(rules, players):
        shown = row.deal
        notes = [trump_in_words(row, rules)]
        if row.kind is not DealKind.NORMAL:
            notes.append(f"({row.kind.value})")
        if row.forehead:
            notes.append("(forehead: own card unseen)")
        line = f"{row.deal:4}  {row.size:5}  {row.dealer:6}  {'  '.join(notes)}"
        yield line.rstrip()
    if plan.length is None:
        yield "and so on: the plan has no end"
        yield f"the match ends by its target, or after {rules.max_deals} deals"
        return
    if plan.length > shown:
        yield f"and {plan.length - shown} more deals"
    yield f"{plan.length} deals, {sum(plan.sizes())} tricks"
