"""A bot's randomness: a function of the seat's seed and the decision, nothing else.

The generator of a decision yields 32-bit words

    HMAC-SHA256(bot_seed, "decision" | u32be seq | u64be counter)   counter = 0, 1, ...

taken as eight big-endian words each, in order. So a decision that is asked again, in
another process, language or version of Python, meets the same chance.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import MutableSequence, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

_WORDS: Final = struct.Struct(">8I")
_COUNTER: Final = struct.Struct(">Q")
_TWO_32: Final = 1 << 32
_TWO_53: Final = 1 << 53


class Draws:
    """Unbiased draws from a stream of words; cheap to create, stateful to use."""

    __slots__ = ("_counter", "_key", "_prefix", "_words")

    def __init__(self, bot_seed: bytes, seq: int) -> None:
        self._key = bot_seed
        self._prefix = b"decision" + seq.to_bytes(4, "big")
        self._counter = 0
        self._words: list[int] = []

    def word(self) -> int:
        """0 <= word < 2**32."""
        if not self._words:
            message = self._prefix + _COUNTER.pack(self._counter)
            digest = hmac.digest(self._key, message, "sha256")
            self._words = list(reversed(_WORDS.unpack(digest)))
            self._counter += 1
        return self._words.pop()

    def below(self, m: int) -> int:
        """0 <= result < m, all equally likely; 1 <= m <= 2**32.

        Words of 2**32 - 2**32 mod m and above are thrown away.
        """
        if not 1 <= m <= _TWO_32:
            raise ValueError(f"cannot draw below {m}: 1..2**32")
        limit = _TWO_32 - _TWO_32 % m
        while (word := self.word()) >= limit:
            pass
        return word % m

    def random(self) -> float:
        """0.0 <= result < 1.0 with 53 random bits, out of two words."""
        high, low = self.word() >> 5, self.word() >> 6
        return (high * (1 << 26) + low) / _TWO_53

    def choice(self, items: Sequence[T]) -> T:
        """IndexError if there is nothing to choose from."""
        if not items:
            raise IndexError("cannot choose from an empty sequence")
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """In place: from the last place down, swap with one of the places up to it."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, items: Sequence[T], size: int) -> list[T]:
        """The first `size` of a shuffled copy."""
        if not 0 <= size <= len(items):
            raise ValueError(f"cannot sample {size} of {len(items)}")
        pool = list(items)
        self.shuffle(pool)
        return pool[:size]
