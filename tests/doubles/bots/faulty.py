"""A bot of the library that plays like `lowest`, with one fault.

`python faulty.py FAULT [flags of ohhell_bot]`, where FAULT is one of the classes below.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys

from bots.lowest import Lowest
from ohhell_bot import Bot, Match, Result, View, run


class IgnoresHook(Lowest):
    def bid(self, view: View) -> int:
        amounts = range(view.size + 1)
        return next((n for n in amounts if n not in view.legal_bids), 0)


class BidsAboveHand(Lowest):
    def bid(self, view: View) -> int:
        return view.size + 1


class ZeroIsNoBid(Lowest):
    def bid(self, view: View) -> int:
        return super().bid(view) or None  # type: ignore[return-value]  # its fault


class GoesWrongThenEnds(Lowest):
    """Its second match of 15 cards is the one in which it does both."""

    cards = 0

    def play(self, view: View) -> int:
        self.__class__.cards += 1
        if self.cards == 30:
            os._exit(3)
        return 0 if self.cards == 20 else super().play(view)


class NeverFollows(Lowest):
    def play(self, view: View) -> int:
        others = [card for card in view.hand if card not in view.legal_cards]
        return others[0] if others else super().play(view)


class KeepsState(Lowest):
    """Bids by how many bids it has made in its life."""

    bids = 0

    def bid(self, view: View) -> int:
        KeepsState.bids += 1
        return view.legal_bids[KeepsState.bids % len(view.legal_bids)]


class DrawsItsOwnChance(Lowest):
    """No fault, but nothing can be told about its memory."""

    def bid(self, view: View) -> int:
        return secrets.choice(view.legal_bids)


class Leaks(Lowest):
    kept: list[bytes] = []  # noqa: RUF012 - for ever, that is its fault

    def play(self, view: View) -> int:
        self.kept.append(os.urandom(8_000))
        return super().play(view)


class MixesUpSeats(Lowest):
    """Remembers hands by seat, whatever the table."""

    hands: dict[int, list[int]] = {}  # noqa: RUF012 - of all objects, its fault

    def bid(self, view: View) -> int:
        self.hands[view.seat] = list(view.hand)
        return super().bid(view)

    def play(self, view: View) -> int:
        hand = self.hands[view.seat]
        legal = [card for card in hand if card in view.legal_cards] or hand
        card = legal[0] if legal else view.legal_cards[0]
        if card in hand:
            hand.remove(card)
        return card


class CannotDoTwoMatches(Lowest):
    """Ends itself when a second match begins."""

    begun = 0

    def match_start(self, match: Match) -> None:
        CannotDoTwoMatches.begun += 1
        if CannotDoTwoMatches.begun == 2:
            os._exit(3)


class EndsAfterItsMatch(Lowest):
    """Is gone a moment after the service has said that a match is over."""

    def match_end(self, result: Result) -> None:
        os._exit(1)


class IgnoresSigterm(Lowest):
    def match_start(self, match: Match) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def main() -> None:
    fault: type[Bot] = globals()[sys.argv[1]]
    run(fault, sys.argv[2:])


if __name__ == "__main__":
    main()
