"""The choices that parameters of a rule set offer; values are their names in a spec."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

MAX_PLAYERS: Final = 10


class Direction(StrEnum):
    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class RankOrder(StrEnum):
    A_HIGH = "A_high"
    SPANISH_A3 = "spanish_A3"


class DuplicateWinner(StrEnum):
    LAST = "last"
    FIRST = "first"


class DealShape(StrEnum):
    UP = "up"
    DOWN = "down"
    UP_DOWN = "up_down"
    DOWN_UP = "down_up"
    FIXED = "fixed"
    LIST = "list"


class DealKind(StrEnum):
    NORMAL = "normal"
    NO_TRUMP = "no_trump"
    MISERE_TRUMP = "misere_trump"
    MISERE_NO_TRUMP = "misere_no_trump"
    GUESS_TRUMP = "guess_trump"
    BLIND = "blind"
    BLIND_IN_ORDER = "blind_in_order"

    @property
    def is_misere(self) -> bool:
        """Nobody bids and everybody counts as having bid zero."""
        return self in (DealKind.MISERE_TRUMP, DealKind.MISERE_NO_TRUMP)

    @property
    def has_forced_no_trump(self) -> bool:
        return self in (DealKind.NO_TRUMP, DealKind.MISERE_NO_TRUMP)

    @property
    def hides_upcard(self) -> bool:
        """The upcard becomes known only when all bids are in."""
        return self is DealKind.GUESS_TRUMP or self.hides_hands

    @property
    def hides_hands(self) -> bool:
        """No seat sees its hand before all bids are in."""
        return self in (DealKind.BLIND, DealKind.BLIND_IN_ORDER)


class TrumpMethod(StrEnum):
    TURN_UP = "turn_up"
    ROTATION = "rotation"
    FIXED = "fixed"
    NONE = "none"
    PREVIOUS_SUCCESSES = "previous_successes"


class TurnupJoker(StrEnum):
    NOT_APPLICABLE = "not_applicable"
    JOKER_SUIT_TRUMP = "joker_suit_trump"
    REDRAW = "redraw"
    WIZARD_RULES = "wizard_rules"


class NoTrumpDeals(StrEnum):
    NONE = "none"
    LAST = "last"
    LARGEST = "largest"


class FullPackTrump(StrEnum):
    NONE = "none"
    ROTATION = "rotation"
    FIXED = "fixed"
    DEALER_LAST_CARD = "dealer_last_card"


class BidMode(StrEnum):
    TURN = "turn"
    SIMULTANEOUS = "simultaneous"
    BID_CARDS = "bid_cards"


class BidAmend(StrEnum):
    NONE = "none"
    UNTIL_NEXT_BID = "until_next_bid"


class LastBidAmend(StrEnum):
    NONE = "none"
    UNTIL_FIRST_LEAD = "until_first_lead"


class Forehead(StrEnum):
    NONE = "none"
    LAST_ONE_CARD = "last_one_card"
    ALL_ONE_CARD = "all_one_card"


class FirstLeader(StrEnum):
    ELDEST = "eldest"
    DEALER = "dealer"


class JokerMode(StrEnum):
    NONE = "none"
    SUIT = "suit"
    HIGH_LOW = "high_low"
    WIZARD = "wizard"


class JokerOppositeScope(StrEnum):
    DEAL = "deal"
    TRICK = "trick"


class End(StrEnum):
    ALL_DEALS = "all_deals"
    EXACT_TARGET = "exact_target"
    TARGET_REACHED = "target_reached"


class Overshoot(StrEnum):
    NONE = "none"
    BOUNCE = "bounce"


class TiePolicy(StrEnum):
    SHARED = "shared"
    EXTRA_MAX_DEALS = "extra_max_deals"


class Settlement(StrEnum):
    NONE = "none"
    MEAN_DIFFERENCE = "mean_difference"
