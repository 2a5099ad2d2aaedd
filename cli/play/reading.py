"""What a person types at the table, understood without a look at the game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from cli.play.faces import typed_card, typed_suit
from engine import Ask, Claim, JokerCall, NotationError

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")
_LONGEST_SHOWN: Final = 20


class Word(Enum):
    """What can be typed at every prompt."""

    HELP = "?"
    RULES = "rules"
    SCORES = "scores"
    TRICK = "trick"
    QUIT = "quit"


_WORDS: Final = {word.value: word for word in Word} | {
    "help": Word.HELP,
    "h": Word.HELP,
    "score": Word.SCORES,
    "q": Word.QUIT,
    "exit": Word.QUIT,
}
_CALLS: Final = {"high": JokerCall.HIGH, "low": JokerCall.LOW}
_CLAIMS: Final = {"declare": Claim.DECLARE, "reveal": Claim.REVEAL}


class Bid(NamedTuple):
    """A number, in place of an earlier one where that may be changed."""

    amount: int


class Card(NamedTuple):
    """A card to play; None is the card that its holder may not see."""

    card: int | None
    call: JokerCall


class BidCards(NamedTuple):
    """Cards to lay aside, and what is claimed with them."""

    cards: tuple[int, ...]
    claim: Claim


class Suit(NamedTuple):
    """A suit to name as trump."""

    suit: int


Typed = Word | Bid | Card | BidCards | Suit


class NotUnderstood(Exception):
    """The message says what could have been typed."""


def understood(line: str, ask: Ask, *, card_hidden: bool) -> Typed:
    """Take a line as an answer to what is asked, or as one of the words."""
    words = line.split()
    if len(words) == 1 and words[0].lower() in _WORDS:
        return _WORDS[words[0].lower()]
    if words and words[0].lower() == "bid":
        return _bid(words[1:])
    match ask:
        case Ask.PLAY:
            return _card(_without("play", words), card_hidden=card_hidden)
        case Ask.TRUMP:
            return _suit(_without("trump", words))
        case Ask.BID_CARDS:
            return _bid_cards(_without("lay", words))
        case Ask.BID | Ask.NOTHING:
            return _bid(words)


def shown(text: str) -> str:
    """Repeat what was typed, but not at any length, and no sign that moves things."""
    short = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return ascii(short)


def _without(verb: str, words: Sequence[str]) -> Sequence[str]:
    return words[1:] if words and words[0].lower() == verb else words


def _bid(words: Sequence[str]) -> Bid:
    if len(words) != 1 or not _NUMBER.fullmatch(words[0]):
        raise NotUnderstood(
            f"{shown(' '.join(words))} is no bid: type a whole number, or ? for help"
        )
    return Bid(int(words[0]))


def _card(words: Sequence[str], *, card_hidden: bool) -> Card:
    call = JokerCall.NONE
    if words and words[-1].lower() in _CALLS:
        call = _CALLS[words[-1].lower()]
        words = words[:-1]
    if not words and card_hidden:
        return Card(None, call)
    if len(words) != 1:
        typed = shown(" ".join(words))
        raise NotUnderstood(f"{typed} is no card: type one, as KH, or ? for help")
    return Card(_code(words[0]), call)


def _bid_cards(words: Sequence[str]) -> BidCards:
    claim = Claim.NONE
    if words and words[-1].lower() in _CLAIMS:
        claim = _CLAIMS[words[-1].lower()]
        words = words[:-1]
    return BidCards(tuple([_code(word) for word in words]), claim)


def _suit(words: Sequence[str]) -> Suit:
    if len(words) != 1:
        raise NotUnderstood(f"{shown(' '.join(words))} is no suit: C D H or S")
    try:
        return Suit(typed_suit(words[0]))
    except NotationError as error:
        raise NotUnderstood(f"{shown(words[0])} is no suit: C D H or S") from error


def _code(word: str) -> int:
    try:
        return typed_card(word)
    except NotationError as error:
        raise NotUnderstood(
            f"{shown(word)} is no card: type rank and suit, as KH, or ? for help"
        ) from error
