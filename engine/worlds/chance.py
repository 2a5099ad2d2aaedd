"""Uniform choices out of a source of chance that the caller brings.

A `Draw` gives a number from 0 to n - 1 for any n up to 2**16: `shuffle.Words.draw` is
one, and so is a generator's `randrange`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

Draw = Callable[[int], int]

_WORD_BITS: Final = 16
_WORD: Final = 2**_WORD_BITS

# Moduli of the two generators of `Dice`.
_FIRST: Final = 2147483563
_SECOND: Final = 2147483399


def below(draw: Draw, limit: int) -> int:
    """A uniform number from 0 to `limit` - 1, however large the limit."""
    if limit <= _WORD:
        return draw(limit)
    words = -(-limit.bit_length() // _WORD_BITS)
    whole = _WORD**words
    while True:
        number = 0
        for _ in range(words):
            number = number * _WORD + draw(_WORD)
        # Numbers above the largest multiple would favour small remainders.
        if number < whole - whole % limit:
            return number % limit


def shuffle(cards: list[int], draw: Draw) -> None:
    """Every order alike, in place."""
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]


class Dice:
    """A small fast source of chance for playouts; the same seed rolls the same.

    Two multiplicative generators combined (L'Ecuyer 1988, period about 2**61): good for
    search, and never for the shuffle of a match, because its rolls can be foretold.
    """

    __slots__ = ("_first", "_second")

    def __init__(self, seed: int) -> None:
        self._first: i64 = 1 + seed % (_FIRST - 1)
        self._second: i64 = 1 + seed // (_FIRST - 1) % (_SECOND - 1)
        # Seeds that are neighbours roll alike at first.
        for _ in range(4):
            self.roll(1)

    def roll(self, sides: i64) -> i64:
        """From 0 to `sides` - 1, at most 2**31; a `Draw`."""
        first = self._first * 40014 % _FIRST
        second = self._second * 40692 % _SECOND
        self._first = first
        self._second = second
        number = first - second
        if number < 1:
            number += _FIRST - 1
        # Less than 2**31 by so little that no side notices.
        return (number - 1) * sides >> 31

    def one_of(self, kinds: i64) -> i64:
        """A kind of a set that is not empty, all alike."""
        # Counted step by step, which machine code does in its registers.
        number: i64 = 0
        left = kinds
        while left:
            left &= left - 1
            number += 1
        for _ in range(self.roll(number)):
            kinds &= kinds - 1
        lowest: int = kinds & -kinds
        return lowest.bit_length() - 1


class BorrowedDice(Dice):
    """Dice that roll with a generator of the caller's, such as `Random(7).random`.

    `fraction` gives numbers from 0 to below 1; each roll takes one of them. The same
    fractions roll the same, and no roll is by the engine's own numbers.
    """

    __slots__ = ("_fraction",)

    def __init__(self, fraction: Callable[[], float]) -> None:
        # The seeds of the base are not wanted: whoever asked for other dice gets no
        # roll by the engine's numbers.
        self._fraction: Final = fraction

    def roll(self, sides: i64) -> i64:
        """From 0 to `sides` - 1; a `Draw`."""
        return int(self._fraction() * float(sides))
