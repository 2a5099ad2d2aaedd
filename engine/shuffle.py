"""Chance, from seeds alone: orders of the pack, first dealers, suits, bots' seeds.

Anybody who is shown a block's seed can compute its cards in any language; the layout
of every label is in docs/decisions/0009-seeds.md, with vectors beside the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, count, permutations, repeat
from struct import Struct
from typing import Final

from engine.bidding import bid_cards_value
from engine.cards import LAST_CODE, NO_TRUMP, SUITS, french_card, trump_code
from engine.pack import Pack
from engine.parameters import BidMode, TrumpMethod
from engine.rules import Rules

SEED_BYTES: Final = 32
BOT_SEED_BYTES: Final = 16

_WORDS_RANGE: Final = 2**32
# Words below this one count in every draw of up to 2**16 choices.
_NEVER_REJECTED: Final = _WORDS_RANGE - 2**16
_HASH_BLOCK_BYTES: Final = 64
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])
_U64: Final = Struct(">Q")
_U32: Final = Struct(">I")
_EIGHT_U32: Final = Struct(">8I")

# What each of C D H S becomes, as suits 1..4.
SuitPermutation = tuple[int, int, int, int]


def published_seed(seed: int) -> bytes:
    """The 32 bytes that a number in a spec stands for; 0 <= seed < 2**64."""
    return sha256(b"OH1-seed" + _U64.pack(seed)).digest()


def block_seed(secret: bytes, block: int, attempt: int, nonces: bytes = b"") -> bytes:
    """Seed of a block counted from 0; later attempts have nothing to do with it."""
    label = b"block" + _U64.pack(block) + _U32.pack(attempt) + nonces
    return _hmac(secret, label)


def deal_label(deal: int) -> bytes:
    """Deals are counted from 1."""
    return b"deal" + _U32.pack(deal)


def suits_label(copy: int) -> bytes:
    return b"suits" + bytes([copy])


def copy_label(copy: int) -> bytes:
    return b"copy" + bytes([copy])


def bot_label(copy: int, seat: int) -> bytes:
    return b"bot" + bytes([copy, seat])


DEALER_LABEL: Final = b"dealer"
ORDER_LABEL: Final = b"order"


class Words:
    """Uniform numbers drawn one after the other from a label of a block's seed."""

    __slots__ = ("_words",)

    def __init__(self, seed: bytes, label: bytes) -> None:
        inner, outer = _pads(_hmac(seed, label))
        numbers = map(_U64.pack, count())
        blocks = map(_hashed, repeat(inner), repeat(outer), numbers)
        self._words: Iterator[int] = chain.from_iterable(map(_EIGHT_U32.unpack, blocks))

    def __iter__(self) -> Iterator[int]:
        """The words themselves, without end; each is spent once."""
        return self._words

    def draw(self, choices: int) -> int:
        """A number from 0 to `choices` - 1, 1 <= choices <= 2**32.

        Words above the largest multiple of `choices` are rejected and spent.
        """
        limit = _limit(choices)
        return next(word for word in self._words if word < limit) % choices


def _limit(choices: int) -> int:
    return _WORDS_RANGE - _WORDS_RANGE % choices


def shuffled(cards: Sequence[int], words: Words) -> list[int]:
    """A uniform order of cards given in the order of `Pack.codes`."""
    deck = list(cards)
    i = len(deck)
    if i < 2:
        return deck
    # As `words.draw(i)` for each place from the last to the second, without the calls.
    for word in words:
        if word < _NEVER_REJECTED or word < _limit(i):
            j = word % i
            i -= 1
            deck[i], deck[j] = deck[j], deck[i]
            if i == 1:
                break
    return deck


def first_dealer(seed: bytes, players: int) -> int:
    """The same in every copy of a block."""
    return Words(seed, DEALER_LABEL).draw(players)


def bot_seed(seed: bytes, copy: int, seat: int) -> bytes:
    """16 bytes for one seat of one copy."""
    return _hmac(seed, bot_label(copy, seat))[:BOT_SEED_BYTES]


def copy_seed(seed: bytes, copy: int) -> bytes:
    """32 bytes for the decks of one copy, where copies have deals of their own."""
    return _hmac(seed, copy_label(copy))


def admissible_permutations(rules: Rules, pack: Pack) -> list[SuitPermutation]:
    """Permutations of the suits that leave the game the same, identity included.

    They map the pack onto itself, keep each suit that the rules name, and keep what
    bid cards count. Lexicographic by what C, D, H, S become.
    """
    named = _named_suits(rules)
    cards = sorted(pack.codes())
    found: list[SuitPermutation] = []
    for c, d, h, s in permutations(SUITS):
        becomes = (c, d, h, s)
        if any(becomes[suit - 1] != suit for suit in named):
            continue
        table = _card_table(becomes)
        if sorted([table[code] for code in cards]) == cards:
            found.append(becomes)
    return found


def suit_permutation(
    seed: bytes, copy: int, choices: Sequence[SuitPermutation]
) -> SuitPermutation:
    """That of one copy, for the whole match."""
    return choices[Words(seed, suits_label(copy)).draw(len(choices))]


class SeededDecks:
    """Whole packs by deal number, the first card dealt first.

    Copies of a block differ in their suits alone; without a copy the suits stay.
    """

    def __init__(
        self, seed: bytes, rules: Rules, players: int, copy: int | None = None
    ) -> None:
        pack = rules.pack_for(players)
        self._seed = seed
        becomes: SuitPermutation = (1, 2, 3, 4)
        if copy is not None:
            choices = admissible_permutations(rules, pack)
            becomes = suit_permutation(seed, copy, choices)
        table = _card_table(becomes)
        # A shuffle moves places, whatever lies there.
        self._cards = [table[code] for code in pack.codes()]

    def __call__(self, deal: int) -> list[int]:
        return shuffled(self._cards, Words(self._seed, deal_label(deal)))


def _hmac(key: bytes, message: bytes) -> bytes:
    return _hashed(*_pads(key), message)


def _pads(key: bytes) -> tuple[bytes, bytes]:
    """The blocks that HMAC-SHA256 puts before the inner and the outer hash."""
    if len(key) > _HASH_BLOCK_BYTES:
        key = sha256(key).digest()
    padded = key.ljust(_HASH_BLOCK_BYTES, b"\0")
    return padded.translate(_INNER), padded.translate(_OUTER)


def _hashed(inner: bytes, outer: bytes, message: bytes) -> bytes:
    """HMAC as it is defined, at a quarter of the price of the library's call."""
    return sha256(outer + sha256(inner + message).digest()).digest()


def _named_suits(rules: Rules) -> set[int]:
    if rules.trump_method is TrumpMethod.PREVIOUS_SUCCESSES:
        return set(SUITS)
    named = {trump_code(step) for step in rules.trump_sequence or ()} - {NO_TRUMP}
    if rules.trump_suit is not None:
        named.add(trump_code(rules.trump_suit))
    if rules.bid_mode is BidMode.BID_CARDS:
        worth = [bid_cards_value([french_card(suit, 14)]) for suit in SUITS]
        named |= {suit for suit in SUITS if worth.count(worth[suit - 1]) == 1}
    return named


def _card_table(becomes: SuitPermutation) -> tuple[int, ...]:
    """What each card code becomes; special cards and code 0 stay."""
    table = list(range(LAST_CODE + 1))
    for suit in SUITS:
        image = becomes[suit - 1]
        for first, step in ((french_card(1, 2), 13), (63, 3)):
            start = first + step * (suit - 1)
            target = first + step * (image - 1)
            table[start : start + step] = range(target, target + step)
    return tuple(table)
