"""From a prompt to a decision: which method is asked, and what its answer means."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Iterable
from typing import NamedTuple, assert_never

from ohhell.v1 import frames_pb2
from ohhell_bot.bot import Bot, Lay, Play
from ohhell_bot.cards import JOKERS, TEXT
from ohhell_bot.errors import BadAnswer
from ohhell_bot.view import View
from ohhell_bot.vocabulary import Ask, CallRule, Claim, JokerCall, Suit

_NUMBERS = 2**32
"""Numbers of the wire are below."""


class Bid(NamedTuple):
    amount: int


class ChooseTrump(NamedTuple):
    suit: int


Decision = Bid | Play | ChooseTrump | Lay
"""`Play` of card zero plays the card that the seat may not see."""

Answer = object
"""Whatever a bot's method returned: it becomes a `Decision` or a `BadAnswer`."""


def ask(bot: Bot, view: View) -> Answer | Awaitable[Answer]:
    """Puts the question to the bot; raises what the bot raises."""
    kind = view.ask
    if kind == Ask.PLAY:
        return bot.play(view) if view.legal_cards else 0
    if kind == Ask.BID:
        return bot.bid(view)
    if kind == Ask.TRUMP:
        return bot.choose_trump(view)
    if kind == Ask.BID_CARDS:
        return bot.lay(view)
    raise BadAnswer(f"a question of a kind that this library does not know: {kind}")


def decision(view: View, answer: Answer) -> Decision:
    """BadAnswer if the answer is of the wrong shape; legality is for the table."""
    kind = view.ask
    if kind == Ask.PLAY:
        card, call = answer if isinstance(answer, Play) else (answer, JokerCall.NONE)
        played = _number(card, "play", "a card", below=len(TEXT))
        called = _number(call, "play", "a call", below=len(JokerCall))
        if not called and view.call == CallRule.REQUIRED and played in JOKERS:
            called = JokerCall.LOW
        return Play(played, called)
    if kind == Ask.BID:
        return Bid(_number(answer, "bid", "a whole number"))
    if kind == Ask.TRUMP:
        return ChooseTrump(_number(answer, "choose_trump", "a suit", below=len(Suit)))
    laid, claim = answer if isinstance(answer, Lay) else (answer, Claim.NONE)
    cards = [_number(card, "lay", "a card", below=len(TEXT)) for card in _cards(laid)]
    return Lay(tuple(cards), _number(claim, "lay", "a claim", below=len(Claim)))


def _number(answer: object, method: str, wanted: str, *, below: int = _NUMBERS) -> int:
    if type(answer) is int:
        number = answer
    elif hasattr(answer, "__index__") and not isinstance(answer, bool):
        number = operator.index(answer)  # numbers of other libraries
    else:
        number = -1
    if 0 <= number < below:
        return number
    raise BadAnswer(f"{method} returned {answer!r}, which is not {wanted}")


def _cards(answer: object) -> tuple[int, ...]:
    if isinstance(answer, Iterable) and not isinstance(answer, str | bytes):
        return tuple(answer)
    raise BadAnswer(f"lay returned {answer!r}, which is not three cards")


def to_wire(view: View, decided: Decision) -> frames_pb2.ClientFrame:
    frame = frames_pb2.ClientFrame()
    answer = frame.answer
    answer.handle = view.handle
    answer.seq = view.seq
    answer.attempt = view.attempt
    match decided:
        case Bid(amount):
            answer.bid = amount
        case Play(card, call):
            answer.card = card  # type: ignore[assignment]  # open enum: any int fits
            if call:
                answer.call = call  # type: ignore[assignment]  # open enum
        case ChooseTrump(suit):
            answer.trump = suit  # type: ignore[assignment]  # open enum
        case Lay(cards, claim):
            answer.bid_cards.cards.extend(cards)  # type: ignore[arg-type]  # open enum
            answer.bid_cards.claim = claim  # type: ignore[assignment]  # open enum
        case _:
            assert_never(decided)
    return frame


def no_answer(view: View, why: str) -> frames_pb2.ClientFrame:
    """An answer without an action: the table sees at once that the bot has none."""
    # Whatever a bot says may be in it, halves of characters included.
    note = why.encode(errors="replace")[:256].decode(errors="ignore")
    return frames_pb2.ClientFrame(
        answer=frames_pb2.Answer(
            handle=view.handle, seq=view.seq, attempt=view.attempt, note=note
        )
    )
