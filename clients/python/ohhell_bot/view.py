"""What one seat may know now, as a bot reads it.

A view reads its source (a message of the wire, or any object with attributes of the
same names) only where it is asked to, and remembers what it has read: a bot that looks
at three attributes pays for three.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

from ohhell.v1 import match_pb2
from ohhell_bot.cards import JOKERS, SUIT, TEXT, WIZARDS, cards_text
from ohhell_bot.draws import Draws
from ohhell_bot.match import Match
from ohhell_bot.vocabulary import Ask, BidState, CallRule, JokerCall, Suit, Trump

T_co = TypeVar("T_co", covariant=True)

_OPEN: Final = int(BidState.OPEN)

# Powers of cards within one trick, far enough apart for every strength to fit between.
_OF_LED_SUIT: Final = 100
_OF_TRUMP: Final = 200
_OUTRIGHT: Final = 300


class _Once(Generic[T_co]):
    """Computed when it is first read; an ordinary attribute from then on."""

    def __init__(self, compute: Callable[[Any], T_co]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, view: None, owner: type) -> _Once[T_co]: ...
    @overload
    def __get__(self, view: object, owner: type) -> T_co: ...
    def __get__(self, view: object | None, owner: type) -> _Once[T_co] | T_co:
        if view is None:
            return self
        value = view.__dict__[self._name] = self._compute(view)
        return value


def _number(name: str) -> _Once[int]:
    return _Once(attrgetter(f"_source.{name}"))


def _number_of_transport(name: str) -> _Once[int]:
    """Zero where no wire lies between the bot and the game."""

    source = attrgetter("_source")

    def compute(view: object) -> int:
        number: int = getattr(source(view), name, 0)
        return number

    return _Once(compute)


def _flag(name: str) -> _Once[bool]:
    return _Once(attrgetter(f"_source.{name}"))


def _numbers(name: str) -> _Once[tuple[int, ...]]:
    read = attrgetter(f"_source.{name}")

    def compute(view: object) -> tuple[int, ...]:
        return tuple(read(view))

    return _Once(compute)


class Played(NamedTuple):
    """A card on the table and the seat that played it."""

    seat: int
    card: int


class View:
    """A prompt, and what follows from it. Lists "by seat" have an item for every seat.

    The first part has the names and numbers of the wire's message `View`, except that
    `bids` holds None wherever the amount is not open to this seat (`bid_states` says
    why), and `premium_seat` is None where nobody has it.
    """

    def __init__(self, source: object, match: Match) -> None:
        """`source` has the attributes of the wire's message under the same names."""
        self._source = source
        self.match = match

    @classmethod
    def from_wire(cls, message: match_pb2.View, match: Match) -> View:
        view = cls(message, match)
        if not message.HasField("premium_seat"):
            view.__dict__["premium_seat"] = None
        return view

    handle = _number_of_transport("handle")
    seq = _number("seq")
    seat = _number("seat")
    ask = _number("ask")
    attempt = _number_of_transport("attempt")
    limit_ms = _number_of_transport("limit_ms")
    bank_ms = _number_of_transport("bank_ms")
    phase = _number("phase")
    deal = _number("deal")
    deal_kind = _number("deal_kind")
    dealer = _number("dealer")
    size = _number("size")
    trump = _number("trump")
    upcard = _number("upcard")
    hand = _numbers("hand")
    legal_bids = _numbers("legal_bids")
    legal_cards = _numbers("legal_cards")
    legal_suits = _numbers("legal_suits")
    bid_states = _numbers("bid_states")
    tricks = _numbers("tricks")
    plays = _numbers("plays")
    leaders = _numbers("leaders")
    joker_calls = _numbers("joker_calls")
    call = _number("call")
    shown_cards = _numbers("shown_cards")
    shown_counts = _numbers("shown_counts")
    shown_why = _numbers("shown_why")
    bid_cards = _numbers("bid_cards")
    claim = _number("claim")
    premium_kind = _number("premium_kind")
    scores = _numbers("scores")
    to_act = _numbers("to_act")
    amend_bids = _numbers("amend_bids")
    forehead = _flag("forehead")
    extra = _flag("extra")

    premium_seat: _Once[int | None] = _Once(attrgetter("_source.premium_seat"))

    @_Once
    def bids(self) -> tuple[int | None, ...]:
        """Amounts by seat; None for a bid not made, or not open to this seat."""
        return tuple(
            [
                bid if state == _OPEN else None
                for bid, state in zip(
                    self._source.bids,  # type: ignore[attr-defined]  # any source
                    self.bid_states,
                    strict=True,
                )
            ]
        )

    # What follows.

    @_Once
    def rng(self) -> Draws:
        """Chance that depends on `match.bot_seed` and `seq` alone: docs in `draws`."""
        return Draws(self.match.bot_seed, self.seq)

    @_Once
    def my_bid(self) -> int | None:
        return self.bids[self.match.seat]

    @_Once
    def my_tricks(self) -> int:
        """Tricks this seat has taken in this deal."""
        return self.tricks[self.match.seat]

    @_Once
    def needed(self) -> int:
        """Tricks still missing to the own bid, below zero beyond it.

        Zero where the seat has no open bid.
        """
        return 0 if self.my_bid is None else self.my_bid - self.my_tricks

    @_Once
    def tricks_left(self) -> int:
        """Tricks not taken yet in this deal, the one on the table included."""
        return self.size - sum(self.tricks)

    @_Once
    def trick(self) -> tuple[Played, ...]:
        """Cards of the unfinished trick in order of play; empty for the leader."""
        seats = self.match.seats
        start = len(self.plays) // seats * seats
        if start == len(self.plays):
            return ()
        leader = self.leaders[start // seats]
        return tuple(
            [
                Played((leader + i) % seats, card)
                for i, card in enumerate(self.plays[start:])
            ]
        )

    @_Once
    def led_suit(self) -> int:
        """Suit to be followed in the unfinished trick; zero where there is none."""
        return self.match.rules.led_suit([card for _, card in self.trick])

    @_Once
    def position(self) -> int:
        """Seats that play to this trick, or bid in this deal, before this one."""
        if self.ask == Ask.PLAY:
            return len(self.trick)
        seats = self.match.seats
        return (self.match.seat - self.dealer - 1) % seats

    @_Once
    def plays_last(self) -> bool:
        """Whether this seat's card completes the trick."""
        return len(self.trick) == self.match.seats - 1

    @_Once
    def unseen(self) -> tuple[int, ...]:
        """Cards whose place is not known, by code: in other hands, or not dealt.

        The pack without the own hand and bid cards, everything played, the upcard, and
        what others show.
        """
        seen = [0] * len(TEXT)
        for cards in (self.hand, self.plays, self.bid_cards, self.shown_cards):
            for card in cards:
                seen[card] += 1
        seen[self.upcard] += 1
        unseen = []
        for card in self.match.rules.pack:
            if seen[card]:
                seen[card] -= 1
            else:
                unseen.append(card)
        return tuple(unseen)

    @_Once
    def _table_power(self) -> tuple[int, int]:
        """Place in the trick and power of the card that wins so far, or (-1, -1)."""
        place, power = -1, -1
        calls = iter(self._calls_of_trick())
        for i, (_, card) in enumerate(self.trick):
            call = next(calls, 0) if card in JOKERS else 0
            own = self._power(card, self.led_suit, call)
            if place < 0 or self._beats(card, own, self.trick[place].card, power):
                place, power = i, own
        return place, power

    @_Once
    def winner_so_far(self) -> Played | None:
        """The card that wins the unfinished trick as it lies; None for the leader."""
        return self.trick[self._table_power[0]] if self.trick else None

    def wins(self, card: int, call: int = JokerCall.NONE) -> bool:
        """Whether a card played now would be the winning one so far.

        `call` counts only for a joker that needs one; a fixed value is known anyway.
        """
        if not self.trick:
            return True
        if card in JOKERS:
            call = _FIXED_CALLS.get(self.call, call)
        led = self.led_suit or self.match.rules.led_suit(
            [*[played for _, played in self.trick], card]
        )
        place, power = self._table_power
        own = self._power(card, led, call)
        return self._beats(card, own, self.trick[place].card, power)

    def _calls_of_trick(self) -> tuple[int, ...]:
        jokers = sum([card in JOKERS for _, card in self.trick])
        return self.joker_calls[len(self.joker_calls) - jokers :] if jokers else ()

    def _power(self, card: int, led: int, call: int) -> int:
        rules = self.match.rules
        if card in rules.suitless:
            won_outright = card in WIZARDS or call == JokerCall.HIGH
            return _OUTRIGHT if won_outright else 0
        if SUIT[card] == self.trump:
            return _OF_TRUMP + rules.strength[card]
        return _OF_LED_SUIT + rules.strength[card] if SUIT[card] == led else 0

    def _beats(self, card: int, power: int, best: int, best_power: int) -> bool:
        if power == best_power and card == best and power:
            return self.match.rules.duplicate_winner == "last"
        return power > best_power

    def __str__(self) -> str:
        """One paragraph for a log: enough to know the position again."""
        attempt = f" attempt {self.attempt}" if self.attempt else ""
        parts = [
            f"table {self.match.table or '?'} seat {self.match.seat}",
            f"decision {self.seq}{attempt}: {_name(Ask, self.ask)}",
            f"deal {self.deal} of {self.size} cards, dealer {self.dealer},"
            f" trump {_name(Trump, self.trump)}, upcard {TEXT[self.upcard]}",
            f"hand {cards_text(self.hand) or 'none'}",
            f"bids {list(self.bids)} tricks {list(self.tricks)}",
        ]
        if self.ask == Ask.BID:
            parts.append(f"legal {list(self.legal_bids)}")
        if self.ask == Ask.PLAY:
            table = [f"{seat}:{TEXT[card]}" for seat, card in self.trick]
            parts.append(f"trick {' '.join(table) or 'empty'}")
            parts.append(f"legal {cards_text(self.legal_cards) or 'the hidden card'}")
            parts.append(f"call {_name(CallRule, self.call)}")
        if self.ask == Ask.TRUMP:
            parts.append(f"legal {[_name(Suit, suit) for suit in self.legal_suits]}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<View {self}>"


_FIXED_CALLS: Final = {
    int(CallRule.FIXED_HIGH): int(JokerCall.HIGH),
    int(CallRule.FIXED_LOW): int(JokerCall.LOW),
}


def _name(vocabulary: type[Any], number: int) -> str:
    try:
        return str(vocabulary(number).name).lower()
    except ValueError:
        return str(number)
