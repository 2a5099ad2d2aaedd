"""Packs as tables over card kinds.

A kind is what identical copies have in common. The kinds of a pack are numbered by
suit and, inside a suit, by strength; jokers, jesters and wizards come last. No pack
has more than 60 kinds, so a set of kinds is an integer that fits a machine word, and
a hand is two of them: the kinds held, and the kinds held twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from engine.cards import (
    JESTERS,
    JOKER_SUIT,
    JOKERS,
    SUITS,
    WIZARDS,
    card_rank,
    card_suit,
    card_text,
    french_card,
    spanish_court_card,
)
from engine.errors import NotationError

MAX_KINDS: Final = 60


def _powers_of_two() -> tuple[int, ...]:
    powers = [1]
    while len(powers) < MAX_KINDS:
        powers.append(powers[-1] + powers[-1])
    return tuple(powers)


# Looked up and never computed: a literal shifted by a variable is narrowed to a
# machine word by ahead-of-time compilers.
BIT: Final = _powers_of_two()


class PackName(StrEnum):
    STD52 = "std52"
    STD54 = "std54"
    ATK50 = "atk50"
    TOP24 = "top24"
    TOP32 = "top32"
    TOP36 = "top36"
    TOP40 = "top40"
    TOP48 = "top48"
    BUST39 = "bust39"
    BUST65 = "bust65"
    BUST78 = "bust78"
    SPANISH40 = "spanish40"
    WIZ60 = "wiz60"


def _ranks_from(lowest: int) -> list[int]:
    return [french_card(suit, rank) for suit in SUITS for rank in range(lowest, 15)]


def _low_block(size: int) -> list[int]:
    """The lowest cards of the four suits; inside a rank clubs before diamonds etc."""
    by_rank = [french_card(suit, rank) for rank in range(2, 15) for suit in SUITS]
    return by_rank[:size]


def _spanish_suit(suit: int) -> list[int]:
    """2 4 5 6 7 sota caballo rey 3 ace, weakest first."""
    plain = [french_card(suit, rank) for rank in (2, 4, 5, 6, 7)]
    court = [spanish_court_card(suit, i) for i in range(3)]
    return [*plain, *court, french_card(suit, 3), french_card(suit, 14)]


def _spanish() -> list[int]:
    return [code for suit in SUITS for code in _spanish_suit(suit)]


# Kinds in their order, and those of them that are there twice.
_COMPOSITION: Final[dict[PackName, tuple[list[int], list[int]]]] = {
    PackName.STD52: (_ranks_from(2), []),
    PackName.STD54: ([*_ranks_from(2), *JOKERS], []),
    PackName.ATK50: ([*_ranks_from(3), *JOKERS], []),
    PackName.TOP24: (_ranks_from(9), []),
    PackName.TOP32: (_ranks_from(7), []),
    PackName.TOP36: (_ranks_from(6), []),
    PackName.TOP40: (_ranks_from(5), []),
    PackName.TOP48: (_ranks_from(3), []),
    PackName.BUST39: ([c for c in _ranks_from(2) if c not in _low_block(13)], []),
    PackName.BUST65: (_ranks_from(2), _low_block(13)),
    PackName.BUST78: (_ranks_from(2), _low_block(26)),
    PackName.SPANISH40: (_spanish(), []),
    PackName.WIZ60: ([*_ranks_from(2), *JESTERS, *WIZARDS], []),
}


class Pack:
    """Immutable look-up tables; one instance per name, from `pack_of`.

    Tables indexed by kind: `kinds` (code), `copies` (1 or 2), `suit` (1..5, zero for
    wizards and jesters), `rank`, `higher` (kinds of the same suit that beat it; equal
    cards such as the two jokers are not among them). Indexed by suit, and by trump as
    well because unknown and no trump are empty: `suit_mask`.
    """

    __slots__ = (
        "all_mask",
        "copies",
        "higher",
        "jester_mask",
        "joker_mask",
        "kind",
        "kinds",
        "name",
        "rank",
        "size",
        "suit",
        "suit_mask",
        "suited_mask",
        "twice_mask",
        "wizard_mask",
    )

    def __init__(self, name: PackName) -> None:
        kinds, doubled = _COMPOSITION[name]
        self.name: Final = name
        self.kinds: Final[tuple[int, ...]] = tuple(kinds)
        self.kind: Final[dict[int, int]] = {code: k for k, code in enumerate(kinds)}
        self.copies: Final = tuple([2 if c in doubled else 1 for c in kinds])
        self.size: Final = sum(self.copies)
        self.suit: Final = tuple([card_suit(code) for code in kinds])
        self.rank: Final = tuple([card_rank(code) for code in kinds])
        self.all_mask: Final = sum(BIT[: len(kinds)])
        self.twice_mask: Final = self._mask_of(doubled)
        self.suit_mask: Final = tuple(
            [0] + [self._mask_of(self._codes_of_suit(s)) for s in (*SUITS, 5)] + [0]
        )
        self.joker_mask: Final = self.suit_mask[JOKER_SUIT]
        self.suited_mask: Final = sum([self.suit_mask[suit] for suit in SUITS])
        self.jester_mask: Final = self._mask_of(JESTERS)
        self.wizard_mask: Final = self._mask_of(WIZARDS)
        self.higher: Final = tuple([self._above(k) for k in range(len(kinds))])

    def _codes_of_suit(self, suit: int) -> list[int]:
        return [code for code in self.kinds if card_suit(code) == suit]

    def _mask_of(self, codes: Iterable[int]) -> int:
        return sum([BIT[self.kind[code]] for code in codes if code in self.kind])

    def _above(self, k: int) -> int:
        suit = self.suit[k]
        if suit not in SUITS:
            return 0
        stronger = range(k + 1, len(self.kinds))
        return sum([BIT[other] for other in stronger if self.suit[other] == suit])

    def __repr__(self) -> str:
        return f"Pack({self.name.value!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pack_of, (self.name.value,)

    @property
    def has_special_cards(self) -> bool:
        return self.suited_mask != self.all_mask

    def codes(self) -> tuple[int, ...]:
        """Every card by code, copies adjacent: the order a shuffle starts from."""
        cards = sorted(range(len(self.kinds)), key=lambda k: self.kinds[k])
        return tuple([self.kinds[k] for k in cards for _ in range(self.copies[k])])

    def hand(self, codes: Iterable[int]) -> tuple[int, int]:
        """Kinds held, and kinds held twice; NotationError for what the pack has not."""
        held = 0
        twice = 0
        for code in codes:
            k = self.kind.get(code)
            if k is None:
                raise NotationError(f"{card_text(code)} is not in the pack {self.name}")
            bit = BIT[k]
            if held & bit:
                if twice & bit or not self.twice_mask & bit:
                    raise NotationError(
                        f"too many {card_text(code)}: the pack {self.name} has"
                        f" {self.copies[k]}"
                    )
                twice |= bit
            held |= bit
        return held, twice

    def cards(self, held: int, twice: int = 0) -> list[int]:
        """Codes in the order of kinds; a kind in both masks appears two times."""
        codes: list[int] = []
        for k in kinds_in(held):
            codes.append(self.kinds[k])
            if twice & BIT[k]:
                codes.append(self.kinds[k])
        return codes


def kinds_in(mask: int) -> Iterator[int]:
    """Kinds of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@cache
def _pack(name: PackName) -> Pack:
    return Pack(name)


def pack_of(name: str) -> Pack:
    """NotationError for an unknown name."""
    try:
        return _pack(PackName(name))
    except ValueError:
        known = ", ".join(PackName)
        raise NotationError(f"unknown pack {name!r}: one of {known}") from None
