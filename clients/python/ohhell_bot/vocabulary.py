"""The closed sets of the wire, with the numbers they have there."""

from __future__ import annotations

from enum import IntEnum


class Suit(IntEnum):
    NONE = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4
    JOKERS = 5


class Trump(IntEnum):
    """`NONE` is a deal without trump; `UNKNOWN` is one whose trump is not shown yet."""

    UNKNOWN = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4
    JOKERS = 5
    NONE = 6


class Ask(IntEnum):
    NOTHING = 0
    BID = 1
    PLAY = 2
    TRUMP = 3
    BID_CARDS = 4


class Phase(IntEnum):
    NOT_BEGUN = 0
    TRUMP_CHOICE = 1
    BIDDING = 2
    PLAYING = 3
    OVER = 4


class DealKind(IntEnum):
    NO_DEAL = 0
    NORMAL = 1
    NO_TRUMP = 2
    MISERE_TRUMP = 3
    MISERE_NO_TRUMP = 4
    GUESS_TRUMP = 5
    BLIND = 6
    BLIND_IN_ORDER = 7


class BidState(IntEnum):
    """`NO_PART` scores one for each trick; `MISERE` counts as a bid of zero."""

    UNKNOWN = 0
    NOT_YET = 1
    HIDDEN = 2
    OPEN = 3
    NO_PART = 4
    MISERE = 5


class JokerCall(IntEnum):
    NONE = 0
    HIGH = 1
    LOW = 2


class CallRule(IntEnum):
    """What a joker played now needs: only `REQUIRED` takes a call."""

    UNKNOWN = 0
    NONE = 1
    REQUIRED = 2
    FIXED_HIGH = 3
    FIXED_LOW = 4


class Claim(IntEnum):
    NONE = 0
    DECLARE = 1
    REVEAL = 2


class ShownWhy(IntEnum):
    NOTHING = 0
    FOREHEAD = 1
    BIDS_IN = 2
    DECLARE = 3
    REVEAL = 4
    DEALER_LAST_CARD = 5


class EndReason(IntEnum):
    """`UNKNOWN` stands for every reason that a later service may have, too."""

    UNKNOWN = 0
    PLAYED = 1
    CANCELLED = 2
    VOIDED = 3
    LEFT = 4

    @classmethod
    def _missing_(cls, _value: object) -> EndReason:
        return cls.UNKNOWN
