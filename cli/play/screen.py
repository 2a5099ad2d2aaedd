"""What a seat sees of the present deal, as lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from cli.play.faces import Faces
from cli.rules.words import KIND_WORDS
from engine import Ask, BidState, CallRule, JokerCall, Phase, ShownWhy, View
from engine.cards import JOKERS
from engine.events import KIND_OF_NUMBER, split_by_seat
from engine.parameters import DealKind

WIDTH: Final = 80
NAME_WIDTH: Final = 18

_WHY: Final = {
    ShownWhy.FOREHEAD: "you see all cards but your own",
    ShownWhy.DECLARE: "bid cards declared",
    ShownWhy.REVEAL: "revealed, bid cards first",
    ShownWhy.DEALER_LAST_CARD: "the dealer's last card",
}


class Screen:
    """Draws views for one seat; `names` are the players by seat."""

    def __init__(self, faces: Faces, names: Sequence[str], deals: int | None) -> None:
        self._faces = faces
        self._names = names
        self._deals = deals

    def table(self, view: View) -> Iterator[str]:
        """Draw the table: a line a player, then what else lies open, then the hand."""
        yield f"{self._deal(view)}, dealer {self._names[view.dealer]}"
        yield f"Trump: {self._trump(view)}"
        kind = KIND_OF_NUMBER[view.deal_kind]
        if kind is not DealKind.NORMAL:
            yield from wrapped(f"special deal: {KIND_WORDS[kind]}")
        yield f"   {'player':{NAME_WIDTH}}{'score':>10}{'bid':>6}{'won':>5}   table"
        on_table = self._on_table(view)
        for seat, name in enumerate(self._names):
            leads = view.phase == Phase.PLAYING and seat == view.leaders[-1]
            cells = (
                f"{view.scores[seat]:>10}{_bid(view, seat):>6}{view.tricks[seat]:>5}"
            )
            card = on_table.get(seat, "")
            line = f" {'>' if leads else ' '} {name:{NAME_WIDTH}}{cells}   {card}"
            yield line.rstrip()
        yield from self._open_cards(view)
        if view.phase == Phase.BIDDING:
            yield from self._bids_so_far(view)
        yield from self._own(view, kind)

    def legal(self, view: View) -> Iterator[str]:
        """Say what may be done now."""
        match view.ask:
            case Ask.PLAY if view.legal_cards:
                yield from wrapped(f"You may play: {self._legal_cards(view)}", hang=14)
                if view.call == CallRule.REQUIRED:
                    yield "a joker is called: type X1 high, or X1 low"
                elif view.call in (CallRule.FIXED_HIGH, CallRule.FIXED_LOW):
                    value = "high" if view.call == CallRule.FIXED_HIGH else "low"
                    yield f"a joker played now is {value}, and is not called"
            case Ask.PLAY:
                yield "Your card is hidden from you: Enter plays it."
                if view.call == CallRule.REQUIRED:
                    yield "Type high or low instead, in case it is a joker."
            case Ask.BID_CARDS:
                yield from wrapped(
                    "Lay three cards aside: clubs count 3, hearts 2, spades 1,"
                    " diamonds 0. Add declare or reveal to claim the premium."
                )
            case _:
                return

    def _legal_cards(self, view: View) -> str:
        if len(view.legal_cards) == len(view.hand) > 1:
            return "any card"
        # One held twice is named once.
        return self._faces.hand(list(dict.fromkeys(view.legal_cards)), view.trump)

    def _deal(self, view: View) -> str:
        cards = "1 card" if view.size == 1 else f"{view.size} cards"
        if view.extra:
            return f"Extra deal {view.deal}, {cards} each"
        of = "" if self._deals is None else f" of {self._deals}"
        return f"Deal {view.deal}{of}, {cards} each"

    def _trump(self, view: View) -> str:
        trump = self._faces.trump(view.trump)
        if view.upcard:
            return f"{trump} ({self._faces.card(view.upcard)} turned up)"
        return trump

    def _on_table(self, view: View) -> dict[int, str]:
        if view.phase != Phase.PLAYING:
            return {}
        players = len(self._names)
        start = (len(view.leaders) - 1) * players
        calls = called(view)
        return {
            (view.leaders[-1] + i) % players: self._faces.card(card) + calls[start + i]
            for i, card in enumerate(view.plays[start:])
        }

    def _open_cards(self, view: View) -> Iterator[str]:
        hands = split_by_seat(view.shown_cards, view.shown_counts)
        for seat, cards in enumerate(hands):
            if cards:
                why = _WHY.get(ShownWhy(view.shown_why[seat]), "open")
                text = f"{self._names[seat]} shows {self._faces.cards(cards)} ({why})"
                yield from wrapped(text, hang=2)

    def _bids_so_far(self, view: View) -> Iterator[str]:
        if BidState.OPEN in view.bid_states:
            states = zip(view.bids, view.bid_states, strict=True)
            made = sum(bid for bid, state in states if state == BidState.OPEN)
            yield f"bids so far: {made} of {view.size} tricks"

    def _own(self, view: View, kind: DealKind) -> Iterator[str]:
        if view.bid_cards:
            yield f"Your bid cards: {self._faces.cards(view.bid_cards)}"
        if view.hand and kind is DealKind.BLIND_IN_ORDER:
            cards = self._faces.cards(view.hand)
            yield from wrapped(f"Your hand, to be played in this order: {cards}")
        elif view.hand:
            hand = self._faces.hand(view.hand, view.trump)
            yield from wrapped(f"Your hand: {hand}", hang=11)
        elif view.forehead:
            yield "Your hand: a card that you may not see"
        elif view.phase == Phase.BIDDING:
            yield "Your hand: hidden until all bids are in"


def called(view: View) -> list[str]:
    """Give what stands behind each card played: the value of a joker that has one."""
    calls = iter(view.joker_calls)
    notes = []
    for card in view.plays:
        call = next(calls, JokerCall.NONE) if card in JOKERS else JokerCall.NONE
        notes.append(call_note(call))
    return notes


def call_note(call: int) -> str:
    """Say the value of a joker, behind its card."""
    return f" {JokerCall(call).name.lower()}" if call else ""


def amounts(legal: Sequence[int]) -> str:
    """Say which bids are legal, as in 0-10, not 3."""
    if not legal:
        return "none"
    top = legal[-1]
    missing = [amount for amount in range(legal[0], top) if amount not in legal]
    span = str(top) if legal[0] == top else f"{legal[0]}-{top}"
    return f"{span}, not {missing[0]}" if missing else span


def wrapped(text: str, *, hang: int = 2) -> list[str]:
    """Break a text into lines that fit."""
    return wrap(text, WIDTH, subsequent_indent=" " * hang)


def _bid(view: View, seat: int) -> str:
    match view.bid_states[seat]:
        case BidState.OPEN:
            return str(view.bids[seat])
        case BidState.HIDDEN:
            return "?"
        case BidState.NO_PART:
            return "none"
        case BidState.MISERE:
            return "0"
        case _:
            return "-"
