"""What a viewer may know: the only way out of the engine for hidden cards and bids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from engine.bidding import Claim
from engine.cards import SUITS, TRUMP_UNKNOWN
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
    joined,
    split_by_seat,
)
from engine.legality import CallRule
from engine.pack import Pack
from engine.parameters import MAX_PLAYERS, BidMode, DealKind
from engine.phase import Ask, Phase
from engine.position import Position
from engine.visibility import (
    REFEREE,
    Viewer,
    sees_bid,
    sees_bid_cards,
    sees_hand,
    sees_upcard,
)

# As `_make` does it, without the call; calling the class costs three times as much.
_tuple_of: Final = tuple.__new__


class View(NamedTuple):
    """The present deal as one viewer knows it; names and numbers are those of the wire.

    Lists named after seats, and `bids`, `tricks`, `scores`, have an item for each seat.
    `hand` is by strength, or in playing order where the deal asks for it. `plays` are
    the cards of the deal, `leaders` the seats that led its tricks. `bids` count where
    `bid_states` say OPEN. `shown_cards` are open cards of other seats, those of seat 0
    first, `shown_counts` how many each seat has there; of a seat that has shown bid
    cards these come first.
    """

    seq: int
    seat: int | None
    ask: int
    phase: int
    deal: int
    deal_kind: int
    dealer: int
    size: int
    trump: int
    upcard: int
    hand: tuple[int, ...]
    legal_bids: tuple[int, ...]
    legal_cards: tuple[int, ...]
    legal_suits: tuple[int, ...]
    bids: tuple[int, ...]
    bid_states: tuple[int, ...]
    tricks: tuple[int, ...]
    plays: tuple[int, ...]
    leaders: tuple[int, ...]
    joker_calls: tuple[int, ...]
    call: int
    shown_cards: tuple[int, ...]
    shown_counts: tuple[int, ...]
    shown_why: tuple[int, ...]
    bid_cards: tuple[int, ...]
    claim: int
    premium_seat: int | None
    premium_kind: int
    scores: tuple[int, ...]
    to_act: tuple[int, ...]
    amend_bids: tuple[int, ...]
    forehead: bool
    extra: bool


# Members of enumerations are slow to reach: these are asked for in every view.
_PLAYING: Final = Phase.PLAYING
_NOTHING: Final = Ask.NOTHING
_PLAY: Final = Ask.PLAY
_NO_CALL: Final = CallRule.NONE
_NO_CLAIM: Final = Claim.NONE

Shown = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]

# By number of players.
_NOTHING_SHOWN: Final[Sequence[Shown]] = tuple(
    [((), (0,) * n, (ShownWhy.NOTHING,) * n) for n in range(MAX_PLAYERS + 1)]
)


def view(match: Position, viewer: Viewer) -> View:
    """The present deal; with `ask` set it is a prompt and enough to answer it."""
    seat = viewer if isinstance(viewer, int) else None
    if seat is not None and not 0 <= seat < match.players:
        raise ValueError(f"seat {seat}: seats are 0..{match.players - 1}")
    to_act = match.to_act()
    ask = _NOTHING
    legal_bids: tuple[int, ...] = ()
    legal_cards: tuple[int, ...] = ()
    legal_suits: tuple[int, ...] = ()
    call = 0
    if seat is not None and seat in to_act:
        call = _NO_CALL
        if match.phase is _PLAYING:
            ask = _PLAY
            if match.forehead:
                call = match.joker_rule
            else:
                legal_cards = match.legal_cards(seat)
                call = match.call_rule_for(legal_cards)
        elif match.phase is Phase.TRUMP_CHOICE:
            ask = Ask.TRUMP
            legal_suits = SUITS
        elif match.rules.bid_mode is BidMode.BID_CARDS:
            ask = Ask.BID_CARDS
        else:
            ask = Ask.BID
            legal_bids = tuple(match.legal_bids(seat))
    premium = match.premium
    bid_states: tuple[int, ...]
    if seat is not None and match.hides_only_hands and not match.shown_card:
        # What the functions below come to then, at a fraction of the price.
        trump, upcard, hand = match.trump, match.upcard, tuple(match.hands[seat])
        bids, bid_states = match.amounts, match.bid_states
        shown_cards, shown_counts, shown_why = _NOTHING_SHOWN[match.players]
    else:
        trump, upcard = _trump(match, viewer), _upcard(match, viewer)
        hand = _own_hand(match, seat)
        bids, bid_states = _bids(match, viewer)
        shown_cards, shown_counts, shown_why = _shown(match, viewer)
    return _tuple_of(
        View,
        (
            match.seq,
            seat,
            ask,
            match.phase,
            match.deal_no,
            match.kind_number,
            match.dealer,
            match.size,
            trump,
            upcard,
            hand,
            legal_bids,
            legal_cards,
            legal_suits,
            bids,
            bid_states,
            match.tricks,
            match.plays,
            match.leaders,
            match.joker_calls,
            call,
            shown_cards,
            shown_counts,
            shown_why,
            () if seat is None else match.laid[seat],
            _NO_CLAIM if seat is None else match.claims[seat],
            None if premium is None else premium.seat,
            _NO_CLAIM if premium is None else match.claims[premium.seat],
            match.scores,
            to_act,
            # Who is asked for a bid has none to amend.
            ()
            if seat is None or legal_bids or match.played
            else _amend_bids(match, seat),
            match.forehead,
            match.extra,
        ),
    )


class Moving(NamedTuple):
    """What of a seat's view changes from one card of a deal to the next.

    Lists are bytes, a number each.
    """

    seq: int
    hand: bytes
    legal_cards: bytes
    tricks: bytes
    plays: bytes
    leaders: bytes
    joker_calls: bytes
    call: int


def moving(match: Position, seat: int) -> Moving | None:
    """The part of the prompt of the seat on turn that is not as it was a card ago.

    None where more may have changed: before the first card of a deal, and in deals in
    which cards of others lie open. For those who put the same prompt together again
    and again, at a third of the cost of a view.
    """
    deal = match.deal
    played = match.played
    if (
        not played
        or match.lies_open
        or seat != deal.turn
        or match.phase is not _PLAYING
    ):
        return None
    # All bids are in and it is no forehead deal: the seat sees its hand.
    hand = bytes(match.hands[seat])
    shared = match.shared
    legal = match.legal_kinds()
    if deal.orders is not None:
        cards = hand[:1]
    elif legal == deal.held[seat]:
        cards = hand
    else:
        cards = _cards(shared.pack, legal, legal & deal.twice[seat])
    called_mask = shared.duties.called_mask
    return _tuple_of(
        Moving,
        (
            match.seq,
            hand,
            cards,
            bytes(match.tricks),
            bytes(played),
            bytes(match.leaders),
            bytes(match.joker_calls) if called_mask else b"",
            match.joker_rule if legal & called_mask else _NO_CALL,
        ),
    )


@lru_cache(maxsize=8192)
def _cards(pack: Pack, held: int, twice: int) -> bytes:
    """By strength, as hands are; few sets of legal cards are new."""
    return bytes(pack.cards(held, twice))


def _bids_in(match: Position) -> bool:
    return match.phase in (Phase.PLAYING, Phase.OVER)


def _sees_hand(match: Position, viewer: Viewer, owner: int) -> bool:
    premium = match.premium
    reveals = premium is not None and match.claims[premium.seat] is Claim.REVEAL
    return sees_hand(
        viewer,
        owner,
        kind=match.kind,
        forehead=match.forehead,
        bids_in=_bids_in(match),
        revealed=premium.seat if premium is not None and reveals else None,
    )


def _own_hand(match: Position, seat: int | None) -> tuple[int, ...]:
    if seat is None or not _sees_hand(match, seat, seat):
        return ()
    return tuple(match.hands[seat])


def _upcard(match: Position, viewer: Viewer) -> int:
    if sees_upcard(viewer, kind=match.kind, bids_in=_bids_in(match)):
        return match.decision.upcard or 0
    return 0


def _trump(match: Position, viewer: Viewer) -> int:
    # While the dealer has to name it, and while the upcard is hidden, it is unknown.
    return match.trump or (match.decision.trump if viewer is REFEREE else TRUMP_UNKNOWN)


def _amend_bids(match: Position, seat: int) -> tuple[int, ...]:
    return tuple(match.legal_bids(seat)) if match.amendable(seat) else ()


def _bids(match: Position, viewer: Viewer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if match.rules.bid_mode is BidMode.TURN:
        return match.amounts, match.bid_states
    premium = match.premium
    bids = [0] * match.players
    states: list[int] = [*match.bid_states]
    for seat in range(match.players):
        if states[seat] not in (BidState.HIDDEN, BidState.OPEN):
            continue
        seen = sees_bid(
            viewer,
            seat,
            bid_mode=match.rules.bid_mode,
            bids_in=_bids_in(match),
            premium=None if premium is None else premium.seat,
        )
        states[seat] = BidState.OPEN if seen else BidState.HIDDEN
        if seen:
            bids[seat] = match.bid_of(seat)
    return tuple(bids), tuple(states)


def _shown(match: Position, viewer: Viewer) -> Shown:
    """Cards that are open besides the viewer's own, how many by seat, and why."""
    if not (match.forehead or match.premium or match.shown_card or viewer is REFEREE):
        return _NOTHING_SHOWN[match.players]
    cards: list[list[int]] = []
    why: list[int] = []
    for owner in range(match.players):
        if owner == viewer:
            cards.append([])
            why.append(ShownWhy.NOTHING)
        else:
            cards.append(_open_cards(match, viewer, owner))
            why.append(
                _why_open(match, viewer, owner) if cards[-1] else ShownWhy.NOTHING
            )
    last = match.shown_card
    if (
        last
        and last not in cards[match.dealer]
        and not (viewer == match.dealer and _sees_hand(match, viewer, match.dealer))
    ):
        cards[match.dealer].append(last)
        why[match.dealer] = why[match.dealer] or ShownWhy.DEALER_LAST_CARD
    return *joined(cards), tuple(why)


def _open_cards(match: Position, viewer: Viewer, owner: int) -> list[int]:
    premium = match.premium
    cards: list[int] = []
    if sees_bid_cards(
        viewer,
        owner,
        bids_in=_bids_in(match),
        premium=None if premium is None else premium.seat,
    ):
        cards += match.laid[owner]
    if _sees_hand(match, viewer, owner):
        cards += match.hands[owner]
    return cards


def _why_open(match: Position, viewer: Viewer, owner: int) -> ShownWhy:
    premium = match.premium
    if premium is not None and premium.seat == owner:
        reveals = match.claims[owner] is Claim.REVEAL
        return ShownWhy.REVEAL if reveals else ShownWhy.DECLARE
    if match.forehead and viewer is not REFEREE:
        return ShownWhy.FOREHEAD
    return ShownWhy.NOTHING


def project(entry: Entry, viewer: Viewer) -> Entry:
    """The entry as the viewer may see it; only the referee learns causes."""
    if viewer is REFEREE:
        return entry
    return Entry(entry.seq, Cause.UNTOLD, _project(entry.event, viewer))


def _project(event: Event, viewer: Viewer) -> Event:
    match event:
        case Dealt():
            seen = [
                sees_hand(
                    viewer,
                    owner,
                    kind=KIND_OF_NUMBER[event.deal_kind],
                    forehead=event.forehead,
                    bids_in=False,
                )
                for owner in range(len(event.counts))
            ]
            cards, counts = _only(event.cards, event.counts, seen)
            return event._replace(cards=cards, counts=counts)
        case BidCardsLaid():
            seen = [
                sees_bid_cards(viewer, owner, bids_in=True, premium=event.premium_seat)
                for owner in range(len(event.counts))
            ]
            cards, counts = _only(event.cards, event.counts, seen)
            return event._replace(cards=cards, counts=counts, claims=())
        case CardsShown(why=ShownWhy.BIDS_IN | ShownWhy.FOREHEAD):
            forehead = event.why == ShownWhy.FOREHEAD
            seen = [
                sees_hand(
                    viewer,
                    owner,
                    kind=DealKind.BLIND,
                    forehead=forehead,
                    bids_in=True,
                )
                for owner in range(len(event.counts))
            ]
            return CardsShown(event.why, *_only(event.cards, event.counts, seen))
        case CardsShown() | TrumpMade() | BidMade() | BidsOpened() | BidAmended():
            return event
        case CardPlayed() | TrickTaken() | DealScored() | MatchEnded():
            return event
        case _:
            assert_never(event)


def _only(
    cards: Sequence[int], counts: Sequence[int], seen: Sequence[bool]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    by_seat = split_by_seat(cards, counts)
    return joined(
        [hand if open_ else () for hand, open_ in zip(by_seat, seen, strict=True)]
    )
