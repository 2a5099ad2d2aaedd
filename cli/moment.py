"""One decision of a match on record: what its seat saw, and what it did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cli.play.faces import Faces
from cli.play.screen import Screen, amounts, call_note
from engine import Ask, Match, View, view
from engine.cards import SUITS, card_text, cards_text, trump_text
from engine.events import (
    BidCardsLaid,
    BidMade,
    BidsOpened,
    CardPlayed,
    Cause,
    Dealt,
    Entry,
    TrickTaken,
    split_by_seat,
)
from engine.plan import deal_plan
from engine.record import Record
from engine.replay import replay
from engine.shuffle import SeededDecks

_AT: Final = re.compile(r"(?P<deal>[0-9]{1,4})(\.(?P<trick>[0-9]{1,3}))?")


class NoSuchMoment(Exception):
    """The message says what is wrong with its name, or what there is."""


@dataclass(frozen=True)
class Moment:
    """`match` stands before the decision, `entry` is what became of it."""

    record: Record
    seat: int
    match: Match
    entry: Entry

    @property
    def seen(self) -> View:
        return view(self.match, self.seat)

    def lines(self) -> Iterator[str]:
        """The table as the seat saw it, what it might do, and what was done."""
        record = self.record
        deals = deal_plan(record.rules, len(record.players)).length
        screen = Screen(Faces(plain=True), record.players, deals)
        seen = self.seen
        yield from screen.table(seen)
        yield f"May {legal_text(seen)}"
        stood_in = self.entry.cause is Cause.FALLBACK
        who = "The fallback player" if stood_in else record.players[self.seat]
        yield f"{who} {deed(self.entry, self.seat)}"


def moment_of(record: Record, seat: str, at: str) -> Moment:
    """The decision of a seat at DEAL.TRICK, or at DEAL or DEAL.0 for its bid."""
    number = _seat(record, seat)
    found = _AT.fullmatch(at)
    if found is None:
        raise NoSuchMoment(f"{at!r} is not DEAL.TRICK: write 3.2, or 3 for the bid")
    deal, trick = int(found["deal"]), int(found["trick"] or 0)
    for place, entry in enumerate(_placed(record.entries, deal)):
        if entry is not None and _is_of(entry[1], number, trick, entry[0]):
            return _before(record, number, place)
    last = max([e.event.deal for e in record.entries if isinstance(e.event, Dealt)])
    raise NoSuchMoment(
        f"seat {number} decides nothing at {at}: there are deals 1 to {last}, with as"
        " many tricks as cards were dealt; trick 0 is the bid"
    )


def _seat(record: Record, seat: str) -> int:
    names = record.players
    if seat.isdecimal() and int(seat) < len(names):
        return int(seat)
    if names.count(seat) == 1:
        return names.index(seat)
    several = "has several seats" if seat in names else "has no seat"
    there = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    raise NoSuchMoment(f"{seat} {several} here; the seats are {there}")


def _placed(
    entries: tuple[Entry, ...], wanted: int
) -> Iterator[tuple[int, Entry] | None]:
    """Each entry of the wanted deal with the number of its trick; None for others."""
    deal, trick = 0, 1
    for entry in entries:
        if isinstance(entry.event, Dealt):
            deal, trick = entry.event.deal, 1
        yield (trick, entry) if deal == wanted else None
        if isinstance(entry.event, TrickTaken):
            trick += 1


def _is_of(entry: Entry, seat: int, trick: int, at: int) -> bool:
    match entry.event:
        case CardPlayed():
            return trick == at and entry.event.seat == seat
        case BidMade():
            return trick == 0 and entry.event.seat == seat
        case BidsOpened() | BidCardsLaid():
            return trick == 0
        case _:
            return False


def _before(record: Record, seat: int, place: int) -> Moment:
    players = len(record.players)
    match = replay(
        record.rules,
        players,
        first_dealer=record.first_dealer,
        entries=record.entries[:place],
        # For what would follow; nobody gets to see it.
        decks=SeededDecks(bytes(32), record.rules, players),
    )
    return Moment(record, seat, match, record.entries[place])


def legal_text(seen: View) -> str:
    """What the seat may do, behind `may`."""
    match seen.ask:
        case Ask.BID:
            return f"bid {amounts(seen.legal_bids)}"
        case Ask.PLAY if seen.legal_cards:
            return f"play {cards_text(dict.fromkeys(seen.legal_cards))}"
        case Ask.PLAY:
            return "play its card, unseen"
        case Ask.TRUMP:
            return f"name {' '.join(map(trump_text, SUITS))}"
        case _:
            return "lay three of its cards"


def deed(entry: Entry, seat: int) -> str:
    """What the seat did, behind its name."""
    match entry.event:
        case CardPlayed():
            played = entry.event
            return f"played {card_text(played.card)}{call_note(played.call)}"
        case BidMade():
            return f"bid {entry.event.bid}"
        case BidsOpened():
            return f"bid {entry.event.bids[seat]}"
        case BidCardsLaid():
            laid = split_by_seat(entry.event.cards, entry.event.counts)[seat]
            return f"laid {cards_text(laid)}"
        case _:
            raise ValueError(f"no decision: {entry.event}")
