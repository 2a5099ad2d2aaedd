"""What is trump in a deal, decided from plain values in a fixed order.

Forced no trump comes first, then the methods that need no card, then the card turned
up, and where none is left to turn up, what the rules say about a pack all dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from engine.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    JESTERS,
    JOKERS,
    NO_TRUMP,
    SPADES,
    TRUMP_UNKNOWN,
    WIZARDS,
    card_rank,
    card_suit,
    trump_code,
)
from engine.parameters import FullPackTrump, TrumpMethod, TurnupJoker

if TYPE_CHECKING:
    from engine.rules import Rules

# By the number of seats that made their bid in the deal before.
_AFTER_SUCCESSES: Final = (DIAMONDS, SPADES, HEARTS, CLUBS)


class TrumpDecision(NamedTuple):
    """`trump` is unknown exactly where the dealer has to name it.

    `upcard` is the card turned up that counts; `shown` is the dealer's last card where
    it decides: it stays in the dealer's hand.
    """

    trump: int
    upcard: int | None = None
    shown: int | None = None

    @property
    def dealer_names(self) -> bool:
        return self.trump == TRUMP_UNKNOWN


def decide_trump(
    rules: Rules,
    *,
    deal: int,
    forced_no_trump: bool,
    successes: int | None,
    undealt: Sequence[int],
    last_dealt: int | None,
) -> TrumpDecision:
    """Trump of deal number `deal`, counted from 1 and on through extra deals.

    `successes` are those of the deal before (None in the first), `undealt` the cards
    left with the top one first, `last_dealt` the dealer's last card.
    """
    if forced_no_trump:
        return TrumpDecision(NO_TRUMP)
    match rules.trump_method:
        case TrumpMethod.NONE:
            return TrumpDecision(NO_TRUMP)
        case TrumpMethod.FIXED:
            return TrumpDecision(_fixed(rules))
        case TrumpMethod.ROTATION:
            return TrumpDecision(rotation_trump(rules, deal))
        case TrumpMethod.PREVIOUS_SUCCESSES:
            return TrumpDecision(trump_after(successes))
        case TrumpMethod.TURN_UP:
            upcard = turned_up(rules, undealt)
            if upcard is None:
                return _of_full_pack(rules, deal, last_dealt)
            return TrumpDecision(_of_upcard(rules, upcard), upcard)
        case _:
            assert_never(rules.trump_method)


def turned_up(rules: Rules, undealt: Sequence[int]) -> int | None:
    """The card that counts: with `redraw` the first that is no joker."""
    if rules.turnup_joker is not TurnupJoker.REDRAW:
        return undealt[0] if undealt else None
    return next((card for card in undealt if card not in JOKERS), None)


def rotation_trump(rules: Rules, deal: int) -> int:
    sequence = rules.trump_sequence or ("NT",)
    return trump_code(sequence[(deal - 1) % len(sequence)])


def trump_after(successes: int | None) -> int:
    """By the successes of the deal before; None, in the first deal, is no trump."""
    return NO_TRUMP if successes is None else _AFTER_SUCCESSES[successes]


def _fixed(rules: Rules) -> int:
    return trump_code(rules.trump_suit or "NT")


def _of_upcard(rules: Rules, upcard: int) -> int:
    if upcard in JESTERS:
        return NO_TRUMP
    if upcard in WIZARDS:
        return TRUMP_UNKNOWN
    if upcard not in JOKERS and card_rank(upcard) < (rules.turnup_min_rank or 0):
        return NO_TRUMP
    return card_suit(upcard)


def _of_full_pack(rules: Rules, deal: int, last_dealt: int | None) -> TrumpDecision:
    match rules.full_pack_trump:
        case FullPackTrump.NONE:
            return TrumpDecision(NO_TRUMP)
        case FullPackTrump.FIXED:
            return TrumpDecision(_fixed(rules))
        case FullPackTrump.ROTATION:
            return TrumpDecision(rotation_trump(rules, deal))
        case FullPackTrump.DEALER_LAST_CARD:
            if last_dealt is None:
                raise ValueError("dealer_last_card needs the last card dealt")
            return TrumpDecision(card_suit(last_dealt), shown=last_dealt)
        case _:
            assert_never(rules.full_pack_trump)
