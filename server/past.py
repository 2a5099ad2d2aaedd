"""A match made again from what the store has of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.bidding import Claim
from engine.codec import decode
from engine.errors import RecordError, Refusal
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
    TrumpMade,
    split_by_seat,
)
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard
from engine.match import Match
from engine.position import SealedBid
from engine.replay import replay
from engine.trick import JokerCall
from server.decision import DEFAULTED, Closed, accepted
from server.guard import Fault
from server.setup import TableSetup
from server.store import Charge, SealedAnswer, StoredFault
from server.store_journal import DISMISSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A match that has begun, and what is remembered beside its entries."""

    match: Match
    banks: Sequence[int]
    seq_before: int = 0
    """Last entry before those of the newest move."""
    faults: Sequence[tuple[int, Fault]] = ()
    """Seat and class, in the order in which they were counted."""
    dismissed: Sequence[int] = ()
    """Seats that an operator has taken away."""
    attempts: dict[int, int] = field(default_factory=dict)
    """Of seats whose open decision has had an illegal answer: the next attempt."""
    closed: dict[int, Closed] = field(default_factory=dict)
    """By seat, the last decision that is over."""
    amended: dict[int, int] = field(default_factory=dict)
    """How often seats have changed their present bid."""


def match_of_entries(setup: TableSetup, payloads: Iterable[bytes]) -> Match:
    """The match after its last entry; RecordError where the rules give another."""
    entries = [
        Entry(seq, *decode(payload)) for seq, payload in enumerate(payloads, start=1)
    ]
    return replay(
        setup.rules,
        len(setup.players),
        first_dealer=setup.first_dealer,
        entries=entries,
        decks=setup.decks,
    )


def past_of(
    setup: TableSetup,
    payloads: Iterable[bytes],
    *,
    charges: Iterable[Charge],
    faults: Iterable[StoredFault],
    sealed: Mapping[int, SealedAnswer],
) -> Past:
    """Everything that a table knew when its last commit was made; RecordError.

    `sealed` are the secret answers that came after the last entry.
    """
    match = match_of_entries(setup, payloads)
    banks = [setup.clock.bank_ms] * match.players
    for charge in charges:
        banks[charge.seat] = charge.bank_ms
    attempts: dict[int, int] = {}
    counted = []
    dismissed = []
    for fault in faults:
        if fault.fault == DISMISSED:
            dismissed.append(fault.seat)
            continue
        kind = Fault(fault.fault)
        counted.append((fault.seat, kind))
        if kind is Fault.ILLEGAL and fault.seq == match.seq:
            attempts[fault.seat] = fault.attempt + 1
    closed, amended = _last_answers(match)
    seq_before = max((seq for seq, _, _ in closed.values()), default=0)
    for seat, answer in sealed.items():
        bid = _sealed_bid(answer.payload)
        try:
            match.restore_sealed({seat: bid})
        except Refusal as refusal:
            raise RecordError(f"the sealed bid of seat {seat}: {refusal}") from None
        command = Lay(bid.cards, bid.claim) if bid.cards else PlaceBid(bid.bid)
        closed[seat] = _closed(answer.seq, command, bid.cause, entry=0)
        amended[seat] = answer.attempt - 1
    due = match.to_act()
    return Past(
        match=match,
        banks=banks,
        seq_before=seq_before,
        faults=counted,
        dismissed=dismissed,
        attempts={seat: n for seat, n in attempts.items() if seat in due},
        closed=closed,
        amended=amended,
    )


def _sealed_bid(payload: bytes) -> SealedBid:
    bid, cards, claim, cause = json.loads(payload)
    return SealedBid(bid, tuple(cards), Claim(claim), Cause(cause))


def _closed(seq: int, command: Command, cause: Cause, *, entry: int) -> Closed:
    by_fallback = cause is Cause.FALLBACK
    return seq, command, DEFAULTED if by_fallback else accepted(entry, 0)


def _last_answers(match: Match) -> tuple[dict[int, Closed], dict[int, int]]:
    """The last closed decision of each seat, and how often its bid was amended."""
    closed: dict[int, Closed] = {}
    amended: dict[int, int] = {}
    forehead = False
    for entry in match.entries():
        match entry.event:
            case Dealt():
                forehead = entry.event.forehead
            case BidMade(seat, _):
                amended[seat] = 0
            case BidAmended(seat, _):
                amended[seat] += 1
            case _:
                pass
        for seat, command in _commands(entry, forehead=forehead):
            closed[seat] = _closed(entry.seq - 1, command, entry.cause, entry=entry.seq)
    return closed, amended


def _commands(entry: Entry, *, forehead: bool) -> list[tuple[int, Command]]:
    """The answers that an entry records."""
    event = entry.event
    match event:
        case BidMade(seat, bid):
            return [(seat, PlaceBid(bid))]
        case CardPlayed(seat, card, call):
            return [(seat, PlayCard(None if forehead else card, JokerCall(call)))]
        case TrumpMade(trump, _, int(seat)):
            return [(seat, ChooseTrump(trump))]
        case BidsOpened():
            return [
                (seat, PlaceBid(bid))
                for seat, bid in enumerate(event.bids)
                if event.bid_states[seat] == BidState.OPEN
            ]
        case BidCardsLaid():
            laid = split_by_seat(event.cards, event.counts)
            return [
                (seat, Lay(tuple(cards), Claim(event.claims[seat])))
                for seat, cards in enumerate(laid)
            ]
        case _:
            return []
