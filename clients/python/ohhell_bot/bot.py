"""The class that a bot writer extends, and what its methods return."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import NamedTuple

from ohhell_bot.cards import SUIT
from ohhell_bot.match import Match, Result
from ohhell_bot.view import View
from ohhell_bot.vocabulary import Claim, JokerCall


class Play(NamedTuple):
    """A card together with the call of a joker; a plain card does for all others."""

    card: int
    call: int = JokerCall.NONE


class Lay(NamedTuple):
    """Three bid cards and what is promised with them."""

    cards: Sequence[int]
    claim: int = Claim.NONE


class Bot(ABC):
    """Answers the prompts of one seat.

    Every method that is given a view may be `async`. A seat that may not see its own
    card is played by the library: there is nothing to choose.
    """

    @abstractmethod
    def bid(self, view: View) -> int | Awaitable[int]:
        """One of `view.legal_bids`."""

    @abstractmethod
    def play(self, view: View) -> int | Play | Awaitable[int | Play]:
        """One of `view.legal_cards`.

        A joker that needs a call is called low unless it comes in a `Play`.
        """

    def choose_trump(self, view: View) -> int | Awaitable[int]:
        """One of `view.legal_suits`; here the longest suit, the first of equals."""
        held = [SUIT[card] for card in view.hand]
        return max(view.legal_suits, key=lambda suit: (held.count(suit), -suit))

    def lay(self, view: View) -> Sequence[int] | Lay | Awaitable[Sequence[int] | Lay]:
        """Three cards of `view.hand` as a bid; here the three lowest, no promise."""
        return lowest_first(view.hand, view)[:3]

    def match_start(self, match: Match) -> None:  # noqa: B027  # most bots need none
        """Comes once, before the first prompt of a match."""

    def match_end(self, result: Result) -> None:  # noqa: B027  # most bots need none
        """Comes once, after the last; also when a match is cancelled or voided."""


def lowest_first(cards: Sequence[int], view: View) -> list[int]:
    """By rank order of the table, suits aside, then by code.

    Jesters come first, jokers and wizards last.
    """
    strength = view.match.rules.strength
    return sorted(cards, key=lambda card: (strength[card], card))
