"""What happens at the table, told to one seat as it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from cli.play.faces import Faces
from cli.play.screen import NAME_WIDTH, call_note, wrapped
from engine import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    CardsShown,
    Claim,
    DealScored,
    Dealt,
    Event,
    MatchEnded,
    ShownWhy,
    TrickTaken,
    TrumpMade,
)
from engine.bidding import bid_cards_value
from engine.cards import NO_TRUMP, TRUMP_UNKNOWN
from engine.events import KIND_OF_NUMBER, split_by_seat

UNSEEN: Final = "?"
_SEATS_A_TABLE: Final = 7


class Story:
    """Takes the events as the seat may see them, in order; gives lines.

    It knows nothing but these events: `bids` are by seat as text, for a bid may stay
    unseen to the end of its deal.
    """

    def __init__(self, faces: Faces, names: Sequence[str], seat: int) -> None:
        self._faces = faces
        self._names = names
        self._seat = seat
        self._bids = ["-"] * len(names)
        self._trick: list[str] = []
        self._tricks = 0
        self._size = 0
        self._deal = 0
        self._totals: list[tuple[int, ...]] = []
        self.last_trick = "no trick has been played yet"

    def tell(self, event: Event) -> Iterator[str]:
        """Give the lines about an event; many have none."""
        match event:
            case Dealt():
                yield from self._dealt(event)
            case TrumpMade():
                yield from wrapped(self._trump_made(event))
            case BidMade(seat, bid):
                self._bids[seat] = str(bid)
                yield f"{self._who(seat, 'bids', 'bid')} {bid}"
            case BidAmended(seat, bid):
                self._bids[seat] = str(bid)
                yield f"{self._who(seat, 'changes', 'change')} the bid to {bid}"
            case BidsOpened(bids, states):
                yield from self._bids_opened(bids, states)
            case BidCardsLaid():
                yield from self._bid_cards_laid(event)
            case CardsShown():
                yield from self._cards_shown(event)
            case CardPlayed(seat, card, call):
                shown = f"{self._faces.card(card)}{call_note(call)}"
                self._trick.append(f"{self._names[seat]} {shown}")
            case TrickTaken(seat):
                yield from self._trick_taken(seat)
            case DealScored():
                yield from self._deal_scored(event)
            case MatchEnded():
                yield from self._match_ended(event)
            case _:
                assert_never(event)

    def scores(self) -> Iterator[str]:
        """Print the totals after every deal so far."""
        if not self._totals:
            yield "no deal has been scored yet"
            return
        seats = range(len(self._names))
        for start in range(0, len(seats), _SEATS_A_TABLE):
            shown = seats[start : start + _SEATS_A_TABLE]
            for seat in shown:
                yield f"  {_letter(seat)} = {self._names[seat]}"
            yield "deal" + "".join(f"{_letter(seat):>10}" for seat in shown)
            for deal, totals in enumerate(self._totals, start=1):
                yield f"{deal:4}" + "".join(f"{totals[seat]:>10}" for seat in shown)

    def _who(self, seat: int, does: str, do: str) -> str:
        return f"You {do}" if seat == self._seat else f"{self._names[seat]} {does}"

    def _dealt(self, event: Dealt) -> Iterator[str]:
        self._bids = ["-"] * len(self._names)
        if KIND_OF_NUMBER[event.deal_kind].is_misere:
            self._bids = ["0"] * len(self._names)
        self._trick = []
        self._tricks = 0
        self._size = event.size
        self._deal = event.deal
        extra = "Extra deal" if event.extra else "Deal"
        yield ""
        yield f"---- {extra} {event.deal} ".ljust(60, "-")

    def _trump_made(self, event: TrumpMade) -> str:
        card = self._faces.card(event.upcard) if event.upcard else ""
        if event.seat is not None:
            who = self._who(event.seat, "names", "name")
            return f"{who} {self._faces.trump(event.trump)} as trump"
        if event.trump == TRUMP_UNKNOWN:
            return f"{card} is turned up: the dealer names the trump"
        says = "no trump"
        if event.trump != NO_TRUMP:
            says = f"trump: {self._faces.trump(event.trump)}"
        return f"{card} is turned up, {says}" if card else says.capitalize()

    def _bids_opened(self, bids: Sequence[int], states: Sequence[int]) -> list[str]:
        said = []
        for seat, state in enumerate(states):
            if state == BidState.OPEN:
                self._bids[seat] = str(bids[seat])
                said.append(f"{self._names[seat]} {bids[seat]}")
        return wrapped(f"The bids: {', '.join(said)}")

    def _bid_cards_laid(self, event: BidCardsLaid) -> Iterator[str]:
        for seat, cards in enumerate(split_by_seat(event.cards, event.counts)):
            self._bids[seat] = str(bid_cards_value(cards)) if cards else UNSEEN
        holder = event.premium_seat
        if holder is None:
            yield "All bid cards are laid; nobody claims a premium."
            return
        reveals = event.premium_kind == Claim.REVEAL
        does = ("reveals", "reveal") if reveals else ("declares", "declare")
        who = self._who(holder, *does)
        yield f"All bid cards are laid. {who} a bid of {self._bids[holder]}."

    def _cards_shown(self, event: CardsShown) -> Iterator[str]:
        if event.why != ShownWhy.DEALER_LAST_CARD:
            return
        for seat, cards in enumerate(split_by_seat(event.cards, event.counts)):
            if cards:
                who = self._who(seat, "shows", "show")
                yield f"{who} the last card dealt, {self._faces.cards(cards)}"

    def _trick_taken(self, seat: int) -> Iterator[str]:
        self._tricks += 1
        who = self._who(seat, "takes it", "take it")
        self.last_trick = f"Trick {self._tricks}: {', '.join(self._trick)}. {who}."
        self._trick = []
        yield from wrapped(self.last_trick)

    def _deal_scored(self, event: DealScored) -> Iterator[str]:
        self._totals.append(event.scores)
        yield ""
        yield (
            f"{f'after deal {self._deal}':{NAME_WIDTH}}{'bid':>6}{'won':>6}"
            f"{'points':>10}{'total':>10}"
        )
        for seat, name in enumerate(self._names):
            yield (
                f"{name:{NAME_WIDTH}}{self._bids[seat]:>6}{event.tricks[seat]:>6}"
                f"{event.points[seat]:>10}{event.scores[seat]:>10}"
            )

    def _match_ended(self, event: MatchEnded) -> Iterator[str]:
        yield ""
        yield "==== The match is over ".ljust(60, "=")
        yield from self.scores()
        yield ""
        order = sorted(range(len(self._names)), key=lambda seat: event.ranks[seat])
        for seat in order:
            line = f"{event.ranks[seat]:3}. {self._names[seat]:{NAME_WIDTH}}"
            line += f"{event.scores[seat]:>10}"
            if event.settlement_whole:
                line += f"   money {event.settlement_whole[seat]:+}"
            yield line
        yield from wrapped(self._winners(event.winners))

    def _winners(self, winners: Sequence[int]) -> str:
        if winners == (self._seat,):
            return "You win."
        names = " and ".join(self._names[seat] for seat in winners)
        return f"{names} {'wins' if len(winners) == 1 else 'win together'}."


def _letter(seat: int) -> str:
    return chr(ord("A") + seat)
