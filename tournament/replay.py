"""A match as a person reads it: deal by deal, bids, tricks, scores."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from engine.cards import card_text, cards_text, trump_text
from engine.events import (
    KIND_OF_NUMBER,
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    CardsShown,
    Cause,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    ShownWhy,
    TrickTaken,
    TrumpMade,
    split_by_seat,
)
from engine.parameters import DealKind
from engine.record import Record
from engine.trick import JokerCall
from tournament.records import UnreadableRecords, unpacked

STOOD_IN = "*"
"""Behind what the fallback player did for a seat."""


WIDTH = 80
SHORTEST_NAME = 5


class NoSuchMatch(Exception):
    """The message says which matches there are."""


def read_match(path: Path, copy: int) -> Record:
    """Read one match from the records of a block; raises `NoSuchMatch`."""
    try:
        records = unpacked(path.read_bytes())
    except FileNotFoundError as error:
        msg = f"there is no {path}: that block is not committed"
        raise NoSuchMatch(msg) from error
    except (OSError, UnreadableRecords) as error:
        msg = f"{path} cannot be read: {error}"
        raise NoSuchMatch(msg) from error
    if not 0 <= copy < len(records):
        msg = f"{path} has copies 0 to {len(records) - 1}, not {copy}"
        raise NoSuchMatch(msg)
    return records[copy]


def transcript(record: Record) -> Iterator[str]:
    """Give the lines of a match in the referee's view, `WIDTH` columns at most."""
    names = record.players
    shown = _short_names(names)
    if shown != names:
        for name, whole in zip(shown, names, strict=True):
            yield f"{name} is {whole}"
    writer = _Transcript(shown)
    for entry in record.entries:
        for line in writer.lines(entry):
            yield from _wrapped(line)


def _short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Cut names so that a trick fits a line, unless two would then look the same."""
    # "  12. NAME QH  NAME QH  -> NAME"
    players = len(names)
    if 9 + sum(map(len, names)) + 5 * players + max(map(len, names)) <= WIDTH:
        return names
    longest = max((WIDTH - 9 - 5 * players) // (players + 1), SHORTEST_NAME)
    cut = tuple(
        name if len(name) <= longest else f"{name[: longest - 1]}…" for name in names
    )
    if len(set(cut)) == len(names):
        return cut
    return tuple(f"seat{seat}" for seat in range(len(names)))


def _wrapped(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, subsequent_indent="      ", drop_whitespace=True)


class _Transcript:
    """Writes entries one after the other; a trick waits until its last card."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._width = max(map(len, names))
        self._trick = 0
        self._cards: list[str] = []
        self._stood_in = False

    def lines(self, entry: Entry) -> Iterator[str]:
        mark = STOOD_IN if entry.cause is Cause.FALLBACK else ""
        self._stood_in |= bool(mark)
        match entry.event:
            case CardPlayed():
                self._cards.append(self._played(entry.event) + mark)
            case TrickTaken(seat):
                self._trick += 1
                cards = "  ".join(self._cards)
                self._cards.clear()
                yield f"  {self._trick:>2}. {cards}  -> {self._names[seat]}"
            case Dealt():
                self._trick = 0
                yield from self._dealt(entry.event)
            case DealScored():
                yield from self._scored(entry.event)
            case MatchEnded():
                yield from self._ended(entry.event)
            case event:
                yield f"  {self._before_play(event)}{mark}"

    def _dealt(self, event: Dealt) -> Iterator[str]:
        kind = KIND_OF_NUMBER[event.deal_kind]
        extras = [
            *([] if kind is DealKind.NORMAL else [kind.value.replace("_", " ")]),
            *(["extra"] if event.extra else []),
            *(["on the forehead"] if event.forehead else []),
        ]
        what = f" ({', '.join(extras)})" if extras else ""
        cards = "1 card" if event.size == 1 else f"{event.size} cards"
        yield ""
        dealer = self._names[event.dealer]
        yield f"Deal {event.deal}{what}: {cards}, {dealer} deals"
        for name, hand in zip(
            self._names, split_by_seat(event.cards, event.counts), strict=True
        ):
            yield f"  {name:{self._width}}  {cards_text(sorted(hand))}"

    def _before_play(self, event: Event) -> str:
        match event:
            case TrumpMade(trump, upcard, seat):
                turned = f", {card_text(upcard)} turned up" if upcard else ""
                by = "" if seat is None else f", chosen by {self._names[seat]}"
                return f"trump {trump_text(trump)}{turned}{by}"
            case BidMade(seat, bid):
                return f"{self._names[seat]} bids {bid}"
            case BidAmended(seat, bid):
                return f"{self._names[seat]} bids {bid} instead"
            case BidsOpened(bids, states):
                opened = (
                    f"{name} {amount}"
                    for name, amount, state in zip(
                        self._names, bids, states, strict=True
                    )
                    if state == BidState.OPEN
                )
                return f"bids: {', '.join(opened)}"
            case BidCardsLaid(cards, counts):
                return f"bid cards: {self._by_seat(cards, counts)}"
            case CardsShown(why, cards, counts):
                reason = ShownWhy(why).name.lower().replace("_", " ")
                return f"shown ({reason}): {self._by_seat(cards, counts)}"
            case _:
                msg = f"{type(event).__name__} has no line of its own"
                raise AssertionError(msg)

    def _by_seat(self, cards: tuple[int, ...], counts: tuple[int, ...]) -> str:
        hands = zip(self._names, split_by_seat(cards, counts), strict=True)
        return ", ".join(f"{name} {cards_text(hand)}" for name, hand in hands if hand)

    def _played(self, event: CardPlayed) -> str:
        call = f" ({JokerCall(event.call).name.lower()})" if event.call else ""
        return f"{self._names[event.seat]} {card_text(event.card)}{call}"

    def _scored(self, event: DealScored) -> Iterator[str]:
        columns = zip(
            self._names, event.tricks, event.points, event.scores, strict=True
        )
        for name, tricks, points, score in columns:
            taken = "1 trick" if tricks == 1 else f"{tricks} tricks"
            yield f"  {name:{self._width}}  {taken:>9}  {points:>+4}  = {score}"

    def _ended(self, event: MatchEnded) -> Iterator[str]:
        yield ""
        winners = " and ".join(self._names[seat] for seat in event.winners)
        yield f"{winners} {'wins' if len(event.winners) == 1 else 'win'}"
        for rank, name, score in sorted(
            zip(event.ranks, self._names, event.scores, strict=True)
        ):
            yield f"  {rank}. {name:{self._width}}  {score}"
        if self._stood_in:
            yield f"{STOOD_IN} played for a seat whose bot did not act"
