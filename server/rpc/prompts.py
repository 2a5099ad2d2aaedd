"""Questions as bytes, joined by hand: the hottest message, 200 bytes of small numbers.

Building it with the protobuf library costs more than everything else that is done for a
decision. Nearly all of it are lists of numbers below 128, each a byte of its own on the
wire, so that `bytes` of the list is the packed field. A test compares every prompt of
whole matches with the message that `wire` builds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.view import View
from server.table import Question


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


def _tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


_LIST: Final = tuple(_tag(field, 2) for field in range(40))
_SCALAR: Final = tuple(_tag(field, 0) for field in range(40))

_HANDLE, _SEQ, _LIMIT, _BANK, _DEAL = (_SCALAR[field] for field in (1, 2, 6, 7, 9))
_FRAME: Final = _tag(1, 2)
_PROMPT: Final = _tag(3, 2)


@lru_cache(maxsize=8192)
def _scores(scores: tuple[int, ...]) -> bytes:
    """Signed numbers are folded: 0 -1 1 -2 as 0 1 2 3."""
    body = b"".join([_number(2 * s if s >= 0 else -2 * s - 1) for s in scores])
    return _LIST[33] + _number(len(body)) + body


@lru_cache(maxsize=64)
def _nothing_shown(seats: int) -> bytes:
    zeros = _SMALL[seats] + bytes(seats)
    return _LIST[27] + zeros + _LIST[28] + zeros


_HAND, _LEGAL_BIDS, _LEGAL_CARDS = (_LIST[field] for field in (15, 16, 17))
_BIDS, _STATES, _TRICKS = (_LIST[field] for field in (19, 20, 21))
_PLAYS, _LEADERS, _TO_ACT = (_LIST[field] for field in (22, 23, 34))
_CALL: Final = _SCALAR[25]
_SEAT, _ASK, _ATTEMPT = (_SCALAR[field][0] for field in (3, 4, 5))
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


def _has_rare(view: View) -> bool:
    """Whether there is anything that most prompts do not have."""
    return bool(
        view.legal_suits
        or view.joker_calls
        or view.bid_cards
        or view.amend_bids
        or view.forehead
        or view.extra
        or view.claim
        or view.premium_seat is not None
    )


def _rare(view: View) -> bytes:
    out = b""
    for field, numbers in (
        (18, view.legal_suits),
        (24, view.joker_calls),
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


def prompt_frame(handle: int, view: View, question: Question, now: float) -> bytes:
    """One question as an item of ConnectResponse.frames."""
    limit, bank = question.time_left(now)
    bids, cards, to_act = view.legal_bids, view.legal_cards, view.to_act
    hand, plays, leaders = view.hand, view.plays, view.leaders
    small, scores = _SMALL, view.scores
    seats = small[len(scores)]
    # Written out flat: grouping the parts would cost as much as joining them.
    head = bytes(
        (
            _SEAT,
            question.seat,
            _ASK,
            view.ask,
            _ATTEMPT,
            question.attempt,
            _PHASE,
            view.phase,
            _KIND,
            view.deal_kind,
            _DEALER,
            view.dealer,
            _SIZE,
            view.size,
            _TRUMP,
            view.trump,
            _UPCARD,
            view.upcard,
        )
    )
    body = b"".join(
        (
            _HANDLE,
            _number(handle),
            _SEQ,
            _number(view.seq),
            head,
            _LIMIT,
            _number(limit),
            _BANK,
            _number(bank),
            _DEAL,
            _number(view.deal),
            _HAND,
            small[len(hand)],
            bytes(hand),
            _LEGAL_CARDS if cards else _LEGAL_BIDS,
            small[len(cards or bids)],
            bytes(cards or bids),
            _BIDS,
            seats,
            bytes(view.bids),
            _STATES,
            seats,
            bytes(view.bid_states),
            _TRICKS,
            seats,
            bytes(view.tricks),
            _PLAYS,
            small[len(plays)],
            bytes(plays),
            _LEADERS,
            small[len(leaders)],
            bytes(leaders),
            _CALL,
            small[view.call],
            _TO_ACT,
            small[len(to_act)],
            bytes(to_act),
            _scores(scores),
            _shown(view),
            _rare(view) if _has_rare(view) else b"",
        )
    )
    prompt = _PROMPT + _number(len(body)) + body
    return _FRAME + _number(len(prompt)) + prompt
