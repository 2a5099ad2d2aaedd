"""The log as bytes."""

from __future__ import annotations

import pytest

from engine.cards import LAST_CODE
from engine.codec import Log, decode, encode
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

EVENTS: list[Event] = [
    Dealt(300, 1, 2, 3, True, False, (1, 74, 52), (1, 1, 1)),
    TrumpMade(6, 0, None),
    TrumpMade(1, 55, 0),
    BidMade(0, 0),
    BidsOpened((3, 0, 39), (3, 4, 3)),
    BidCardsLaid((1, 2, 3), (3, 0, 0), None, 0, (0, 0, 0)),
    BidCardsLaid((1, 2, 3), (3, 0, 0), 0, 2, (2, 1, 0)),
    BidAmended(9, 13),
    CardsShown(5, (7,), (0, 1, 0)),
    CardPlayed(3, 74, 2),
    TrickTaken(9),
    DealScored((0, 1), (-1, -400), (1_000_000_000, -64)),
    MatchEnded((0, -1), (0,), (1, 2), ("20/3", "-20/3"), (7, -7)),
    MatchEnded((0, -1), (0,), (1, 2), (), ()),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("cause", Cause)
def test_every_event_comes_back_as_it_was(event: Event, cause: Cause) -> None:
    got = decode(encode(cause, event))
    assert got == (cause, event)
    assert type(got[1]) is type(event)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_entry_that_is_cut_off_or_too_long_is_an_error(event: Event) -> None:
    data = encode(Cause.ANSWER, event)
    for wrong in [*[data[:i] for i in range(len(data))], data + b"\0"]:
        with pytest.raises(RecordError):
            decode(wrong)


@pytest.mark.parametrize("data", [b"\x10", b"\x1c\0", b"\xf3\0\0", b"\x00\0"])
def test_an_unknown_event_or_cause_is_an_error(data: bytes) -> None:
    with pytest.raises(RecordError):
        decode(data)


def test_a_log_gives_entries_by_number_and_from_a_number_on() -> None:
    log = Log()
    for event in EVENTS:
        log.append(Cause.RULES, event)
    assert len(log) == len(EVENTS)
    assert log.entry(2) == Entry(2, Cause.RULES, EVENTS[1])
    assert [entry.seq for entry in log.entries(10)] == [11, 12, 13, 14]
    assert log.encoded(4) == encode(Cause.RULES, EVENTS[3])
    assert log.size == sum(len(encode(Cause.RULES, event)) for event in EVENTS)


@pytest.mark.parametrize("cause", [Cause.ANSWER, Cause.FALLBACK, Cause.OPERATOR])
def test_plays_and_tricks_that_were_never_events_are_logged_like_those_that_were(
    cause: Cause,
) -> None:
    short, long = Log(), Log()
    for seat in range(10):
        for card in range(1, LAST_CODE + 1):
            short.append_play(cause, seat, card)
            long.append(cause, CardPlayed(seat, card, 0))
        short.append_trick(cause, seat)
        long.append(cause, TrickTaken(seat))
    assert [*short.entries()] == [*long.entries()]
    assert short.size == long.size


def test_common_events_take_few_bytes() -> None:
    assert len(encode(Cause.ANSWER, CardPlayed(3, 74, 0))) == 4
    assert len(encode(Cause.ANSWER, TrickTaken(3))) == 2
