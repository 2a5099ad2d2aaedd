"""Commands as data files write them, sent to a match the way its referee would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.conformance.vectors import BadQuestion
from engine.bidding import Claim
from engine.cards import card_code, card_text, suit_code, trump_text
from engine.errors import NotationError, Refusal
from engine.match import Match
from engine.phase import Phase
from engine.trick import JokerCall

PHASES: Final = {
    Phase.TRUMP_CHOICE: "TRUMP_CHOICE",
    Phase.BIDDING: "BIDDING",
    Phase.PLAYING: "PLAYING",
    Phase.OVER: "GAME_OVER",
}

# What the data name in refused commands and what is none at all.
NOBODY: Final = -1
NO_CARD: Final = 0

_CALLS: Final = {"high": JokerCall.HIGH, "low": JokerCall.LOW}
_CLAIMS: Final = {"declare": Claim.DECLARE, "reveal": Claim.REVEAL}


class Difference(Exception):
    """The engine does something else than the data say."""

    def __init__(self, what: str, *, expected: object, got: object) -> None:
        super().__init__(f"{what}: expected {expected!r}, got {got!r}")


def compare(what: str, *, expected: object, got: object) -> None:
    if expected != got or type(expected) is not type(got):
        raise Difference(what, expected=expected, got=got)


def send(match: Match, command: Sequence[object]) -> None:
    """`["b", seat, amount]` and the like; Refusal as the match raises it."""
    match command:
        case ["b", seat, amount]:
            match.bid(_seat(seat), amount)
        case ["p", seat, card]:
            _play(match, seat, card, None)
        case ["p", seat, card, call]:
            _play(match, seat, card, call)
        case ["t", seat, suit]:
            match.choose_trump(_seat(seat), _suit(suit))
        case ["c", seat, cards, claim]:
            match.lay(_seat(seat), _cards(cards), _claim(claim))
        case _:
            raise BadQuestion(f"no command: {command!r}")


def _play(match: Match, seat: object, card: object, call: object) -> None:
    # The data name every card, also one that its holder does not see.
    play = match.play_face_up if match.forehead else match.play
    play(_seat(seat), _card(card), joker_call(call))


def accept(match: Match, command: Sequence[object]) -> None:
    try:
        send(match, command)
    except Refusal as refusal:
        raise Difference(
            f"command {command!r}", expected="accepted", got=str(refusal)
        ) from None


def refuse(match: Match, command: Sequence[object], code: object) -> None:
    """Sends a command that must be refused and must leave no trace."""
    before = match.digest()
    try:
        send(match, command)
    except Refusal as refusal:
        got = str(refusal.code)
    else:
        got = "accepted"
    compare(f"command {command!r}", expected=code, got=got)
    compare(f"state after the refused {command!r}", expected=before, got=match.digest())


def joker_call(value: object) -> object:
    """What is neither `high` nor `low` nor nothing stays as it is, to be refused."""
    return _CALLS.get(value, value) if isinstance(value, str) else value


def _seat(value: object) -> int:
    return value if type(value) is int else NOBODY


def _card(value: object) -> int:
    try:
        return card_code(value) if isinstance(value, str) else NO_CARD
    except NotationError:
        return NO_CARD


def _cards(value: object) -> list[int]:
    return [_card(word) for word in value.split()] if isinstance(value, str) else []


def _claim(value: object) -> object:
    return _CLAIMS.get(value, value) if isinstance(value, str) else value


def _suit(value: object) -> object:
    """Suits are numbers to the engine, so a number in the data must not become one."""
    try:
        return suit_code(value) if isinstance(value, str) else repr(value)
    except NotationError:
        return value


def card_or_none(code: int) -> str | None:
    return card_text(code) if code else None


def trump_or_none(trump: int) -> str | None:
    return trump_text(trump) if trump else None


def sorted_texts(codes: Sequence[int]) -> list[str]:
    return sorted([card_text(code) for code in codes])


def bids_by_seat(match: Match) -> list[int | None]:
    """The referee's: every bid that was made, open or not."""
    return [
        match.bid_of(seat) if match.has_bid(seat) else None
        for seat in range(match.players)
    ]
