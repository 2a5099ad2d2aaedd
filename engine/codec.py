"""The log of a match as bytes: a few for each entry, decoded when they are asked for.

An entry is one byte for cause and type of event, then its fields in order. Whole
numbers are written in groups of seven bits, lowest first, with the top bit set on all
but the last; signed ones are folded first (0 -1 1 -2 as 0 1 2 3). A tuple is preceded
by its length, an optional number is one higher with zero for none, and text is UTF-8
preceded by its length. Numbers of entries are not stored: they are places in the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from engine.cards import LAST_CODE
from engine.errors import RecordError
from engine.events import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    CardPlayed,
    CardsShown,
    Cause,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    TrickTaken,
    TrumpMade,
)
from engine.parameters import MAX_PLAYERS


class _Writer:
    __slots__ = ("bytes",)

    def __init__(self, first: int) -> None:
        self.bytes = bytearray((first,))

    def number(self, value: int) -> None:
        while value > 127:
            self.bytes.append(value & 127 | 128)
            value >>= 7
        self.bytes.append(value)

    def flag(self, value: bool) -> None:  # noqa: FBT001  # the value is what is written
        self.bytes.append(value)

    def optional(self, value: int | None) -> None:
        self.number(0 if value is None else value + 1)

    def numbers(self, values: Sequence[int]) -> None:
        self.number(len(values))
        if max(values, default=0) < 128:
            # Nearly all are: then the numbers are the bytes.
            self.bytes += bytes(values)
        else:
            for value in values:
                self.number(value)

    def signed_numbers(self, values: Sequence[int]) -> None:
        self.numbers([2 * v if v >= 0 else -2 * v - 1 for v in values])

    def texts(self, values: Sequence[str]) -> None:
        self.number(len(values))
        for value in values:
            text = value.encode()
            self.number(len(text))
            self.bytes += text


class _Reader:
    __slots__ = ("at", "bytes")

    def __init__(self, data: bytes | bytearray, at: int) -> None:
        self.bytes = data
        self.at = at

    def number(self) -> int:
        value = 0
        shift = 0
        while True:
            byte = self.bytes[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def flag(self) -> bool:
        return self.number() != 0

    def optional(self) -> int | None:
        value = self.number()
        return value - 1 if value else None

    def signed(self) -> int:
        value = self.number()
        return -(value + 1) // 2 if value & 1 else value // 2

    def numbers(self) -> tuple[int, ...]:
        return tuple([self.number() for _ in range(self.number())])

    def signed_numbers(self) -> tuple[int, ...]:
        return tuple([self.signed() for _ in range(self.number())])

    def texts(self) -> tuple[str, ...]:
        return tuple([self._text() for _ in range(self.number())])

    def _text(self) -> str:
        length = self.number()
        text = self.bytes[self.at : self.at + length]
        if len(text) < length:
            raise IndexError
        self.at += length
        return text.decode()


_NUMBER: Final[dict[type[Event], int]] = {
    Dealt: 1,
    TrumpMade: 2,
    BidMade: 3,
    BidsOpened: 4,
    BidCardsLaid: 5,
    BidAmended: 6,
    CardsShown: 7,
    CardPlayed: 8,
    TrickTaken: 9,
    DealScored: 10,
    MatchEnded: 11,
}


def encode(cause: Cause, event: Event) -> bytes:
    first = cause << 4 | _NUMBER[type(event)]
    match event:
        case BidMade() | BidAmended() | CardPlayed() | TrickTaken():
            # All their fields are small numbers, so this is the general form as well.
            return bytes((first, *event))
        case Dealt() | TrumpMade() | BidsOpened() | BidCardsLaid() | CardsShown():
            return _encode_cards(_Writer(first), event)
        case DealScored() | MatchEnded():
            return _encode_scores(_Writer(first), event)
        case _:
            assert_never(event)


def _encode_cards(
    out: _Writer, event: Dealt | TrumpMade | BidsOpened | BidCardsLaid | CardsShown
) -> bytes:
    match event:
        case Dealt():
            out.number(event.deal)
            out.number(event.deal_kind)
            out.number(event.dealer)
            out.number(event.size)
            out.flag(event.extra)
            out.flag(event.forehead)
            out.numbers(event.cards)
            out.numbers(event.counts)
        case TrumpMade():
            out.number(event.trump)
            out.number(event.upcard)
            out.optional(event.seat)
        case BidsOpened():
            out.numbers(event.bids)
            out.numbers(event.bid_states)
        case BidCardsLaid():
            out.numbers(event.cards)
            out.numbers(event.counts)
            out.optional(event.premium_seat)
            out.number(event.premium_kind)
            out.numbers(event.claims)
        case CardsShown():
            out.number(event.why)
            out.numbers(event.cards)
            out.numbers(event.counts)
        case _:
            assert_never(event)
    return bytes(out.bytes)


def _encode_scores(out: _Writer, event: DealScored | MatchEnded) -> bytes:
    match event:
        case DealScored():
            out.numbers(event.tricks)
            out.signed_numbers(event.points)
            out.signed_numbers(event.scores)
        case MatchEnded():
            out.signed_numbers(event.scores)
            out.numbers(event.winners)
            out.numbers(event.ranks)
            out.texts(event.settlement_exact)
            out.signed_numbers(event.settlement_whole)
        case _:
            assert_never(event)
    return bytes(out.bytes)


def decode(data: bytes | bytearray) -> tuple[Cause, Event]:
    """Inverse of `encode`; RecordError for anything it cannot have written."""
    reader = _Reader(data, 1)
    try:
        cause = Cause(data[0] >> 4)
        event = _decode(data[0] & 15, reader)
    except (IndexError, ValueError):
        raise RecordError(f"{bytes(data).hex()} is no entry of a log") from None
    if reader.at != len(data):
        raise RecordError(f"{bytes(data).hex()}: an entry of a log, and more after it")
    return cause, event


def _decode(number: int, data: _Reader) -> Event:
    # Arguments are read from left to right, which is their order in the data.
    match number:
        case 1:
            return Dealt(
                data.number(),
                data.number(),
                data.number(),
                data.number(),
                data.flag(),
                data.flag(),
                data.numbers(),
                data.numbers(),
            )
        case 2:
            return TrumpMade(data.number(), data.number(), data.optional())
        case 3:
            return BidMade(data.number(), data.number())
        case 4:
            return BidsOpened(data.numbers(), data.numbers())
        case 5:
            return BidCardsLaid(
                data.numbers(),
                data.numbers(),
                data.optional(),
                data.number(),
                data.numbers(),
            )
        case 6:
            return BidAmended(data.number(), data.number())
        case 7:
            return CardsShown(data.number(), data.numbers(), data.numbers())
        case 8:
            return CardPlayed(data.number(), data.number(), data.number())
        case 9:
            return TrickTaken(data.number())
        case 10:
            return DealScored(
                data.numbers(), data.signed_numbers(), data.signed_numbers()
            )
        case 11:
            return MatchEnded(
                data.signed_numbers(),
                data.numbers(),
                data.numbers(),
                data.texts(),
                data.signed_numbers(),
            )
        case _:
            raise ValueError(number)


# By cause, seat and card: plays without a call, and tricks, are most of every log, so
# that their bytes are made once and shared.
_PLAYS: Final = tuple(
    [
        tuple(
            [
                tuple(
                    [
                        encode(cause, CardPlayed(seat, card, 0))
                        for card in range(LAST_CODE + 1)
                    ]
                )
                for seat in range(MAX_PLAYERS)
            ]
        )
        for cause in Cause
    ]
)
_TRICKS: Final = tuple(
    [
        tuple([encode(cause, TrickTaken(seat)) for seat in range(MAX_PLAYERS)])
        for cause in Cause
    ]
)


class Log:
    """Entries in order, kept as bytes; the last number is `len`."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: list[bytes] = []

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Bytes of all entries."""
        return sum(map(len, self._entries))

    def append(self, cause: Cause, event: Event) -> None:
        self._entries.append(encode(cause, event))

    def append_play(self, cause: Cause, seat: int, card: int) -> None:
        """A card played without a call; the event is made when somebody reads it."""
        self._entries.append(_PLAYS[cause][seat][card])

    def append_trick(self, cause: Cause, seat: int) -> None:
        """A trick taken; the event is made when somebody reads it."""
        self._entries.append(_TRICKS[cause][seat])

    def encoded(self, seq: int) -> bytes:
        """One entry as it is kept; IndexError for a number that is not there."""
        if not 1 <= seq <= len(self._entries):
            raise IndexError(f"no entry {seq}: there are {len(self._entries)}")
        return self._entries[seq - 1]

    def encoded_after(self, seq: int) -> list[bytes]:
        """Those with higher numbers than `seq`, as they are kept."""
        return self._entries[seq:]

    def entry(self, seq: int) -> Entry:
        cause, event = decode(self.encoded(seq))
        return Entry(seq, cause, event)

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Those with higher numbers than `after`."""
        return (self.entry(seq) for seq in range(after + 1, len(self) + 1))
