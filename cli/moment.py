"""One decision of a match on record: what its seat saw, and what it did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cli.play.faces import Faces
from cli.play.screen import Screen, amounts, call_note
from engine import Ask, Match, View, view
from engine.bidding import Claim
from engine.cards import card_text, cards_text, trump_text
from engine.events import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    Cause,
    Dealt,
    Entry,
    Event,
    TrickTaken,
    TrumpMade,
    split_by_seat,
)
from engine.legality import CallRule
from engine.plan import deal_plan
from engine.record import Record
from engine.replay import replay
from engine.shuffle import SeededDecks

_AT: Final = re.compile(
    r"(?P<deal>[0-9]{1,4})(\.(?P<what>[0-9]{1,3}|bid|trump|amend[2-9]?))?"
)


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

    @property
    def is_amendment(self) -> bool:
        """Whether nobody asked for it."""
        return isinstance(self.entry.event, BidAmended)

    def lines(self) -> Iterator[str]:
        """The table as the seat saw it, what it might do, and what was done."""
        record = self.record
        deals = deal_plan(record.rules, len(record.players)).length
        screen = Screen(Faces(plain=True), record.players, deals)
        seen = self.seen
        yield from screen.table(seen)
        yield f"May {legal_text(seen, amends=self.is_amendment)}"
        stood_in = self.entry.cause is Cause.FALLBACK
        who = "The fallback player" if stood_in else record.players[self.seat]
        yield f"{who} {deed(self.entry, self.seat)}"


def moment_of(record: Record, seat: str, at: str) -> Moment:
    """The decision of a seat at DEAL.TRICK, DEAL.bid, DEAL.trump or DEAL.amend."""
    number = _seat(record, seat)
    found = _AT.fullmatch(at)
    if found is None:
        raise NoSuchMoment(
            f"{at!r} names no decision: write DEAL.TRICK, as 3.2, or 3.bid, 3.trump or"
            " 3.amend"
        )
    what = found["what"] or "bid"
    if what.isdecimal():
        what = str(int(what)) if int(what) else "bid"
    deal = int(found["deal"])
    places = dict(_decisions(record.entries, number))
    if (deal, what) not in places:
        last = max([e.event.deal for e in record.entries if isinstance(e.event, Dealt)])
        names = ", ".join(f"{one}.{name}" for one, name in places if one == deal)
        there = f"there it decides at {names}" if names else f"deals are 1 to {last}"
        raise NoSuchMoment(f"seat {number} decides nothing at {at}: {there}")
    return _before(record, number, places[deal, what])


def _seat(record: Record, seat: str) -> int:
    names = record.players
    if seat.isdecimal() and int(seat) < len(names):
        return int(seat)
    if names.count(seat) == 1:
        return names.index(seat)
    several = "has several seats" if seat in names else "has no seat"
    there = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    raise NoSuchMoment(f"{seat} {several} here; the seats are {there}")


def _decisions(
    entries: tuple[Entry, ...], seat: int
) -> Iterator[tuple[tuple[int, str], int]]:
    """Deal and name of each decision of the seat, with the place of its entry."""
    deal, trick, amended = 0, 1, 0
    for place, entry in enumerate(entries):
        match entry.event:
            case Dealt():
                deal, trick, amended = entry.event.deal, 1, 0
            case TrickTaken():
                trick += 1
            case BidAmended(by, _) if by == seat:
                amended += 1
                yield (deal, "amend" if amended == 1 else f"amend{amended}"), place
            case event:
                name = _name(event, seat, trick)
                if name:
                    yield (deal, name), place


def _name(event: Event, seat: int, trick: int) -> str:
    """What a decision of the seat is called; empty for what is none."""
    match event:
        case CardPlayed(by, _, _) if by == seat:
            return str(trick)
        case BidMade(by, _) if by == seat:
            return "bid"
        case BidsOpened(_, states) if states[seat] == BidState.OPEN:
            return "bid"
        case BidCardsLaid():
            return "bid"
        case TrumpMade(_, _, by) if by == seat:
            return "trump"
        case _:
            return ""


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


def legal_text(seen: View, *, amends: bool = False) -> str:
    """What the seat may do, behind `may`."""
    if amends:
        return f"amend its bid to {amounts(seen.amend_bids)}"
    match seen.ask:
        case Ask.BID:
            return f"bid {amounts(seen.legal_bids)}"
        case Ask.PLAY if seen.legal_cards:
            called = (
                ", and call it high or low" if seen.call == CallRule.REQUIRED else ""
            )
            return f"play {cards_text(dict.fromkeys(seen.legal_cards))}{called}"
        case Ask.PLAY:
            return "play its card, unseen"
        case Ask.TRUMP:
            return f"name {' '.join(map(trump_text, seen.legal_suits))}"
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
        case BidAmended(_, bid):
            return f"amended its bid to {bid}"
        case TrumpMade(trump, _, _):
            return f"named {trump_text(trump)}"
        case BidCardsLaid():
            laid = split_by_seat(entry.event.cards, entry.event.counts)[seat]
            claim = Claim(entry.event.claims[seat])
            claimed = f", to {claim.name.lower()} them" if claim else ""
            return f"laid {cards_text(laid)}{claimed}"
        case _:
            raise ValueError(f"no decision: {entry.event}")
