"""From the entries of a finished match to the counts that statistics rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.bidding import bid_cards_value
from engine.events import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    Cause,
    DealScored,
    Dealt,
    Entry,
    MatchEnded,
    TrumpMade,
)
from tournament.outcome import CopyResult, DealFact, FaultCount, tally


class UnfinishedMatch(ValueError):
    """Entries that do not end with the end of a match."""


def copy_result(
    entries: Iterable[Entry],
    *,
    seats: tuple[int, ...],
    faults: Sequence[Mapping[str, int]],
) -> CopyResult:
    """Sum up a match in the referee's view; `seats` are bot indices by seat.

    Raises `UnfinishedMatch`.
    """
    sums = _Sums(len(seats))
    for entry in entries:
        sums.add(entry)
    if sums.end is None:
        msg = "the match has not ended"
        raise UnfinishedMatch(msg)
    return CopyResult(
        seats=seats,
        totals=sums.end.scores,
        deals=len(sums.facts[0]),
        winners=sums.end.winners,
        ranks=sums.end.ranks,
        tallies=tuple(tally(facts) for facts in sums.facts),
        faults=tuple(
            tuple(FaultCount(name, count) for name, count in sorted(counts.items()))
            for counts in faults
        ),
        fallbacks=tuple(sums.fallbacks),
    )


class _Sums:
    """What has happened so far, by seat."""

    def __init__(self, players: int) -> None:
        self.facts: list[list[DealFact]] = [[] for _ in range(players)]
        self.fallbacks = [0] * players
        self.end: MatchEnded | None = None
        self._bids: list[int | None] = []
        self._size = 0

    def add(self, entry: Entry) -> None:
        match entry.event:
            case Dealt(size=size):
                self._size = size
                self._bids = [None] * len(self.facts)
            case BidMade() | BidAmended() | BidsOpened() | BidCardsLaid():
                self._bid(entry.event)
            case DealScored():
                self._score(entry.event)
            case MatchEnded():
                self.end = entry.event
            case _:
                pass
        if entry.cause is Cause.FALLBACK:
            self._stand_in(entry)

    def _bid(self, event: BidMade | BidAmended | BidsOpened | BidCardsLaid) -> None:
        match event:
            case BidMade(seat, bid) | BidAmended(seat, bid):
                self._bids[seat] = bid
            case BidsOpened(bids, states):
                for seat, state in enumerate(states):
                    if state == BidState.OPEN:
                        self._bids[seat] = bids[seat]
            case BidCardsLaid(cards, counts):
                start = 0
                for seat, count in enumerate(counts):
                    self._bids[seat] = bid_cards_value(cards[start : start + count])
                    start += count

    def _score(self, event: DealScored) -> None:
        for seat, bid in enumerate(self._bids):
            tricks = event.tricks[seat]
            self.facts[seat].append(
                DealFact(self._size, bid, tricks, bid == tricks, event.points[seat])
            )

    def _stand_in(self, entry: Entry) -> None:
        match entry.event:
            case BidMade(seat=seat) | CardPlayed(seat=seat):
                self.fallbacks[seat] += 1
            case TrumpMade(seat=int(seat)):
                self.fallbacks[seat] += 1
            case _:
                pass
