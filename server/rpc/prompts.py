"""Questions, and what a seat sees after its move, as bytes joined by hand.

They are the hottest messages, 100 to 200 bytes of small numbers. Building one with the
protobuf library costs more than everything else that is done for a decision. Nearly all
of it are lists of numbers below 128, each a byte of its own on the wire: the packed
field is `bytes` of the list. Tests compare every prompt and every answer of whole
matches with the messages that `wire` builds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.legality import CallRule
from engine.view import Moving, View, moving, view
from server.decision import Question, Reply
from server.table import Table


@lru_cache(maxsize=4096)
def varint(number: int) -> bytes:
    """Seven bits a byte, lowest first, the top bit set on all but the last."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


_SMALL: Final = tuple(varint(number) for number in range(16_384))


def _number(number: int) -> bytes:
    return _SMALL[number] if number < 16_384 else varint(number)


def _head(length: int) -> bytes:
    """What precedes the fields of a prompt that have so many bytes together."""
    prompt = _PROMPT + _number(length)
    return _FRAME + _number(len(prompt) + length) + prompt


def _tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


_FRAME: Final = _tag(1, 2)
_PROMPT: Final = _tag(3, 2)
_HEADS: Final = tuple([_head(length) for length in range(1024)])
_LIST: Final = tuple(_tag(field, 2) for field in range(40))
_SCALAR: Final = tuple(_tag(field, 0) for field in range(40))

_HANDLE, _SEQ, _LIMIT, _BANK, _DEAL = (_SCALAR[field] for field in (1, 2, 6, 7, 9))


@lru_cache(maxsize=8192)
def _scores(scores: tuple[int, ...]) -> bytes:
    """Signed numbers are folded: 0 -1 1 -2 as 0 1 2 3."""
    body = b"".join([_number(2 * s if s >= 0 else -2 * s - 1) for s in scores])
    return _LIST[33] + _number(len(body)) + body


@lru_cache(maxsize=64)
def _nothing_shown(seats: int) -> bytes:
    zeros = _SMALL[seats] + bytes(seats)
    return _LIST[27] + zeros + _LIST[28] + zeros


_LEGAL_BIDS, _BIDS, _STATES, _TO_ACT = (_LIST[field] for field in (16, 19, 20, 34))
# Tag and length, by length: no list is longer than a pack, twice 60 kinds at most.
_HAND_HEADS, _CARDS_HEADS, _TRICKS_HEADS, _PLAYS_HEADS, _LEADERS_HEADS = (
    tuple(_LIST[field] + small for small in _SMALL[:128])
    for field in (15, 17, 21, 22, 23)
)
_CALLS: Final = tuple([_SCALAR[25] + _SMALL[n] for n in range(max(CallRule) + 1)])
_ATTEMPT: Final = _SCALAR[5]
_SEAT, _ASK = (_SCALAR[field][0] for field in (3, 4))
_PHASE, _KIND, _DEALER = (_SCALAR[field][0] for field in (8, 10, 11))
_SIZE, _TRUMP, _UPCARD = (_SCALAR[field][0] for field in (12, 13, 14))


def _shown(view: View) -> bytes:
    seats = len(view.scores)
    if not view.shown_cards:
        return _nothing_shown(seats)
    cards = view.shown_cards
    return b"".join(
        (
            _LIST[26],
            _number(len(cards)),
            bytes(cards),
            _LIST[27],
            _SMALL[seats],
            bytes(view.shown_counts),
            _LIST[28],
            _SMALL[seats],
            bytes(view.shown_why),
        )
    )


def _rare(view: View) -> bytes:
    """What most prompts do not have."""
    out = b""
    for field, numbers in (
        (18, view.legal_suits),
        (29, view.bid_cards),
        (35, view.amend_bids),
    ):
        if numbers:
            out += _LIST[field] + _number(len(numbers)) + bytes(numbers)
    if view.premium_seat is not None:
        out += _SCALAR[31] + _SMALL[view.premium_seat]
        out += _SCALAR[32] + _SMALL[view.premium_kind]
    if view.claim:
        out += _SCALAR[30] + _SMALL[view.claim]
    if view.forehead:
        out += _SCALAR[36] + b"\1"
    if view.extra:
        out += _SCALAR[37] + b"\1"
    return out


def _standing(handle: int, view: View) -> bytes:
    """The fields that stay the same from the first card of a deal to the last."""
    seats = _SMALL[len(view.scores)]
    seat = view.seat
    if seat is None:
        raise ValueError("only seats are asked")
    scalars = (
        *(_SEAT, seat, _ASK, view.ask, _PHASE, view.phase, _KIND, view.deal_kind),
        *(_DEALER, view.dealer, _SIZE, view.size),
        *(_TRUMP, view.trump, _UPCARD, view.upcard),
    )
    to_act, bids = view.to_act, view.legal_bids
    parts = (
        *(_HANDLE, _number(handle), bytes(scalars), _DEAL, _number(view.deal)),
        *(_LEGAL_BIDS, _SMALL[len(bids)], bytes(bids)),
        *(_BIDS, seats, bytes(view.bids), _STATES, seats, bytes(view.bid_states)),
        *(_TO_ACT, _SMALL[len(to_act)], bytes(to_act)),
        *(_scores(view.scores), _shown(view), _rare(view)),
        # Its number follows.
        _SEQ,
    )
    return b"".join(parts)


class Prompts:
    """The prompts of one seat; remembers the part that stays from card to card."""

    __slots__ = ("_deal", "_handle", "_standing")

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._deal = 0
        self._standing = b""

    def frame(self, question: Question, now: float) -> bytes:
        """One question as an item of ConnectResponse.frames."""
        table = question.table
        match = table.match
        seat = question.seat
        seen = moving(match, seat)
        if seen is None or self._deal != match.deal_no:
            whole = view(match, seat)
            self._standing = _standing(self._handle, whole)
            # Where more than cards may still change, nothing is remembered.
            self._deal = 0 if seen is None else match.deal_no
            seen = seen or _moving_of(whole)
        if question.handed_at == now:
            # What `time_left` comes to then.
            clocks = table.clocks
            limit, bank = clocks.limit_ms, clocks.banks[seat]
        else:
            limit, bank = question.time_left(now)
        body = _body(self._standing, seen, _clock(question.attempt, limit, bank))
        length = len(body)
        return (_HEADS[length] if length < 1024 else _head(length)) + body


def move_response(reply: Reply, table: Table, seat: int, now: float) -> bytes:
    """What an accepted move is answered with: its entry, and what the seat sees now.

    PlaceBid, PlayCard, ChooseTrump, LayBidCards and AmendBid have the same answer.
    """
    seen = view(table.match, seat)
    question = table.open[seat]
    clock = b""
    if question is not None:
        limit, bank = question.time_left(now)
        clock = _clock(question.attempt, limit, bank)
    body = _body(_standing(0, seen), _moving_of(seen), clock)
    return b"".join(
        (
            _ENTRY,
            _number(reply.entry),
            _REPEATED if reply.duplicate else b"",
            _SEEN,
            _number(len(body)),
            body,
        )
    )


_ENTRY: Final = _tag(1, 0)
_REPEATED: Final = _tag(2, 0) + b"\1"
_SEEN: Final = _tag(3, 2)


def _body(standing: bytes, seen: Moving, clock: bytes) -> bytes:
    """The fields of a View."""
    # Taken out all at once: one by one would cost as much as the rest.
    seq, hand, cards, tricks, plays, leaders, calls, call = seen
    # Written out flat: grouping the parts would cost as much as joining them.
    return b"".join(
        (
            standing,
            _SMALL[seq] if seq < 16_384 else varint(seq),
            clock,
            _HAND_HEADS[len(hand)],
            hand,
            _CARDS_HEADS[len(cards)],
            cards,
            _TRICKS_HEADS[len(tricks)],
            tricks,
            _PLAYS_HEADS[len(plays)],
            plays,
            _LEADERS_HEADS[len(leaders)],
            leaders,
            _joker_calls(calls) if calls else b"",
            _CALLS[call],
        )
    )


def _moving_of(view: View) -> Moving:
    return Moving(
        view.seq,
        bytes(view.hand),
        bytes(view.legal_cards),
        bytes(view.tricks),
        bytes(view.plays),
        bytes(view.leaders),
        bytes(view.joker_calls),
        view.call,
    )


@lru_cache(maxsize=4096)
def _clock(attempt: int, limit: int, bank: int) -> bytes:
    return b"".join(
        (_ATTEMPT, _number(attempt), _LIMIT, _number(limit), _BANK, _number(bank))
    )


def _joker_calls(calls: bytes) -> bytes:
    return _LIST[24] + _number(len(calls)) + calls
