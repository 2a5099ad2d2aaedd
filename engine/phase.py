"""Where a match stands and what a seat is asked; the numbers are those of the wire."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """NOT_STARTED is the time before `Match.start`."""

    NOT_STARTED = 0
    TRUMP_CHOICE = 1
    BIDDING = 2
    PLAYING = 3
    OVER = 4


class Ask(IntEnum):
    NOTHING = 0
    BID = 1
    PLAY = 2
    TRUMP = 3
    BID_CARDS = 4
