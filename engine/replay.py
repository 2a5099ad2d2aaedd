"""Rebuilding a match from its entries, which proves them as well.

The commands among the entries are sent to a new match whose decks are read off the
deals on record; every entry that follows from them must be the one recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.bidding import Claim
from engine.course import Decks
from engine.errors import RecordError, Refusal
from engine.events import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    Dealt,
    Entry,
    TrumpMade,
    split_by_seat,
)
from engine.match import Match
from engine.trick import JokerCall

if TYPE_CHECKING:
    from engine.rules import Rules


def replay(
    rules: Rules,
    players: int,
    *,
    first_dealer: int,
    entries: Iterable[Entry],
    decks: Decks | None = None,
    dealt_from: Decks | None = None,
) -> Match:
    """The match after its last entry; RecordError where an entry cannot have happened.

    Without `decks` no cards can be dealt beyond those on record: then the entries must
    end where a command is due or the match is over. With `dealt_from` the deals on
    record must be those of these decks, too.
    """
    recorded = list(entries)
    match = Match(
        rules,
        players,
        first_dealer=first_dealer,
        decks=dealt_from or _RecordedDecks(rules, players, recorded, decks),
    )
    if not recorded:
        return match
    match.start()
    proved = _prove(match, recorded, 0)
    while proved < len(recorded):
        entry = recorded[proved]
        try:
            _send(match, entry)
        except Refusal as refusal:
            raise RecordError(f"entry {entry.seq}: {refusal}") from None
        if match.seq == proved:
            raise RecordError(f"entry {entry.seq} follows from nothing: {entry.event}")
        proved = _prove(match, recorded, proved)
    if decks is not None:
        match.use_decks(decks)
    return match


def _prove(match: Match, recorded: Sequence[Entry], proved: int) -> int:
    """Compares what has been added since; the new number of proved entries."""
    for made, stated in zip(match.log.entries(proved), recorded[proved:], strict=False):
        if made != stated:
            raise RecordError(
                f"entry {made.seq}: the rules give {made}, the record has {stated}"
            )
    return match.seq


def _send(match: Match, entry: Entry) -> None:
    """The command that an entry records; nothing for what follows by the rules."""
    cause = entry.cause
    match entry.event:
        case BidMade(seat, bid) | BidAmended(seat, bid):
            match.bid(seat, bid, cause)
        case BidsOpened():
            for seat, bid in enumerate(entry.event.bids):
                if entry.event.bid_states[seat] == BidState.OPEN:
                    match.bid(seat, bid, cause)
        case BidCardsLaid():
            laid = split_by_seat(entry.event.cards, entry.event.counts)
            for seat, cards in enumerate(laid):
                match.lay(seat, cards, Claim(entry.event.claims[seat]), cause)
        case TrumpMade(trump, _, int(seat)):
            match.choose_trump(seat, trump, cause)
        case CardPlayed(seat, card, _):
            match.play_face_up(seat, card, _spoken(match, entry.event), cause)
        case _:
            return


def _spoken(match: Match, played: CardPlayed) -> JokerCall | None:
    """The call that was made: none for a joker whose value was fixed already."""
    if match.deal.called is not JokerCall.NONE or not played.call:
        return None
    return JokerCall(played.call)


class _RecordedDecks:
    """Orders of the pack that give the deals on record."""

    def __init__(
        self,
        rules: Rules,
        players: int,
        recorded: Sequence[Entry],
        further: Decks | None,
    ) -> None:
        self._pack = rules.pack_for(players).codes()
        self._further = further
        self._players = players
        self._dealt: dict[int, Dealt] = {}
        self._upcards: dict[int, int] = {}
        for entry in recorded:
            match entry.event:
                case Dealt():
                    deal = entry.event.deal
                    self._dealt[deal] = entry.event
                case TrumpMade() if self._dealt:
                    self._upcards[max(self._dealt)] = entry.event.upcard

    def __call__(self, deal: int) -> Sequence[int]:
        dealt = self._dealt.get(deal)
        if dealt is not None and deal in self._upcards:
            return self._order(dealt, self._upcards[deal])
        if self._further is None:
            what = "is not" if dealt is None else "is without its trump"
            raise RecordError(f"deal {deal} {what} on record: it needs decks to go on")
        return self._further(deal)

    def _order(self, dealt: Dealt, upcard: int) -> list[int]:
        hands = split_by_seat(dealt.cards, dealt.counts)
        first = (dealt.dealer + 1) % self._players
        rest = list(self._pack)
        try:
            rows = zip(*hands[first:], *hands[:first], strict=True)
            deck = [card for row in rows for card in row]
            for card in [*deck, upcard] if upcard else deck:
                rest.remove(card)
        except ValueError:
            raise RecordError(
                f"deal {dealt.deal} has unequal hands, or cards that its pack has not"
            ) from None
        return [*deck, upcard, *rest] if upcard else [*deck, *rest]
