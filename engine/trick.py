"""Who takes a trick.

Three values tell all that matters about the cards on the table: the suit to follow
(none until a card sets one), the kinds that would win if they were played now, and who
is winning. The duties to head and to overtrump ask the second one as well, so rank
orders, doubled packs and special cards are nothing but look-up tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.cards import NO_SUIT, NO_TRUMP
from engine.pack import BIT, Pack, pack_of
from engine.parameters import DuplicateWinner, JokerMode

if TYPE_CHECKING:
    from engine.rules import Rules

# The suit to follow after a led wizard: no card is of it, no later card sets another.
NOTHING_TO_FOLLOW: Final = NO_TRUMP


class JokerCall(IntEnum):
    """The value of a joker where jokers are called; NONE for every other card."""

    NONE = 0
    HIGH = 1
    LOW = 2

    @property
    def opposite(self) -> JokerCall:
        return _OPPOSITE[self]


_OPPOSITE: Final = (JokerCall.NONE, JokerCall.LOW, JokerCall.HIGH)


class TrickTables:
    """Immutable look-ups by kind; one instance for each pack and way of ranking it.

    `leads` is the suit to follow that a card sets. `beats`, by trump and then by kind,
    holds the kinds that win over that kind; for a called joker, when it is low.
    """

    __slots__ = ("beats", "leads", "pack")

    def __init__(
        self, pack: Pack, joker_mode: JokerMode, duplicate_winner: DuplicateWinner
    ) -> None:
        kinds = range(len(pack.kinds))
        called = pack.joker_mask if joker_mode is JokerMode.HIGH_LOW else 0
        twins = pack.twice_mask if duplicate_winner is DuplicateWinner.LAST else 0
        self.pack: Final = pack
        self.leads: Final = tuple([_suit_set_by(pack, k, called) for k in kinds])
        self.beats: Final = tuple(
            [
                tuple(
                    [_beaten_by(pack, k, trump, called) | BIT[k] & twins for k in kinds]
                )
                for trump in range(NO_TRUMP + 1)
            ]
        )


def _suit_set_by(pack: Pack, k: int, called: int) -> int:
    if BIT[k] & called:
        return NO_SUIT
    return NOTHING_TO_FOLLOW if BIT[k] & pack.wizard_mask else pack.suit[k]


def _beaten_by(pack: Pack, k: int, trump: int, called: int) -> int:
    bit = BIT[k]
    if bit & pack.wizard_mask:
        return 0
    if bit & pack.jester_mask:
        return pack.all_mask & ~pack.jester_mask
    if bit & called:
        return pack.suited_mask
    trumps = pack.suit_mask[trump] if pack.suit[k] != trump else 0
    return pack.higher[k] | trumps | pack.wizard_mask


@cache
def _tables(
    pack: str, joker_mode: JokerMode, duplicate_winner: DuplicateWinner
) -> TrickTables:
    return TrickTables(pack_of(pack), joker_mode, duplicate_winner)


def trick_tables(rules: Rules, pack: Pack) -> TrickTables:
    """The tables for one of the packs of these rules."""
    return _tables(pack.name, rules.joker_mode, rules.duplicate_winner)


class OnTable(NamedTuple):
    """The cards of an unfinished trick; `winner` counts from the leader, who is 0."""

    suit: int
    beats: int
    winner: int


def on_table(
    tables: TrickTables, trump: int, plays: Iterable[tuple[int, JokerCall]]
) -> OnTable:
    """Kinds, with the calls of jokers, in the order in which they were played."""
    suit = NO_SUIT
    beats = tables.pack.all_mask
    winner = 0
    for place, (k, call) in enumerate(plays):
        suit = suit or tables.leads[k]
        if call is JokerCall.HIGH:
            beats = 0
            winner = place
        elif beats & BIT[k]:
            beats = tables.beats[trump][k]
            winner = place
    return OnTable(suit, beats, winner)
