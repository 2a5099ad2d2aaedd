"""The lines: one flat JSON object for each question, and one for its answer.

Values are text, numbers, true and false, never lists or objects: a list is text with
spaces between its items, so that a shell can take a line apart. docs/stdio.md is the
reference for those who write such bots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from ohhell_bot.bot import Lay, Play
from ohhell_bot.cards import SUIT, TEXT, card_code, cards_text
from ohhell_bot.errors import BadAnswer
from ohhell_bot.match import Match, Result, Rules
from ohhell_bot.view import View
from ohhell_bot.vocabulary import (
    Ask,
    BidState,
    Claim,
    DealKind,
    EndReason,
    JokerCall,
    ShownWhy,
)

LONGEST_LINE: Final = 64 * 1024
"""Bytes of a line that a bot may write."""

NOBODY: Final = "-"
"""Stands for no item: no seat, no suit, a bid not made."""

ASKS: Final = {
    Ask.BID: "bid",
    Ask.PLAY: "play",
    Ask.TRUMP: "trump",
    Ask.BID_CARDS: "lay",
}
"""Names of the questions; the answer has its value under the same name."""

_SUITS: Final = "-CDHSX"
_TRUMPS: Final = ("?", "C", "D", "H", "S", "X", "NT")
_CALL_RULES: Final = ("none", "none", "required", "high", "low")
_CALLS: Final = {"none": JokerCall.NONE, "high": JokerCall.HIGH, "low": JokerCall.LOW}
_CLAIMS: Final = {word: Claim[word.upper()] for word in ("none", "declare", "reveal")}
_UNTOLD_BIDS: Final = {
    BidState.UNKNOWN: NOBODY,
    BidState.NOT_YET: NOBODY,
    BidState.HIDDEN: "?",
    BidState.NO_PART: "x",
    BidState.MISERE: "m",
}

Value: TypeAlias = str | int | float | bool | None


class Spoken(NamedTuple):
    """A line of a bot; `id` is empty where it names no question."""

    id: str
    values: Mapping[str, Value]


# To the bot


def question_id(view: View) -> str:
    """Names a question: match, seq, seat and attempt."""
    match = view.match
    return f"{match.table}.{view.seq}.{match.seat}.{view.attempt}"


def ask_line(view: View) -> str:
    """A question with all that its answer may depend on."""
    match = view.match
    rules = match.rules
    kind = Ask(view.ask)
    trick = cards_text([card for _, card in view.trick])
    line = {
        "ask": ASKS[kind],
        "id": question_id(view),
        "legal": _legal(view, kind),
        "call": _CALL_RULES[view.call],
        "hand": cards_text(view.hand),
        "hidden": _hidden(view),
        "trick": trick,
        "led": _SUITS[view.led_suit],
        "trump": _TRUMPS[view.trump],
        "upcard": TEXT[view.upcard],
        "seat": match.seat,
        "players": match.seats,
        "dealer": view.dealer,
        "deal": view.deal,
        "size": view.size,
        "kind": DealKind(view.deal_kind).name.lower(),
        "forehead": view.forehead,
        "extra": view.extra,
        "bids": _bids(view),
        "tricks": _numbers(view.tricks),
        "scores": _numbers(view.scores),
        "plays": cards_text(view.plays),
        "leaders": _numbers(view.leaders),
        "calls": " ".join([JokerCall(c).name.lower() for c in view.joker_calls]),
        "shown": _shown(view),
        "shown_why": " ".join([_why(number) for number in view.shown_why]),
        "bid_cards": cards_text(view.bid_cards),
        "claim": Claim(view.claim).name.lower(),
        "premium": NOBODY if view.premium_seat is None else str(view.premium_seat),
        "premium_kind": Claim(view.premium_kind).name.lower(),
        "ranks": rank_letters(rules),
        "match": match.table,
        "seq": view.seq,
        "attempt": view.attempt,
        "limit_ms": view.limit_ms,
        "bank_ms": view.bank_ms,
        "bot_seed": match.bot_seed.hex(),
    }
    return _text(line)


def start_line(match: Match) -> str:
    """What does not change during a match; wants no answer."""
    rules = match.rules
    line = {
        "tell": "start",
        "match": match.table,
        "seat": match.seat,
        "players": match.seats,
        "names": " ".join(["_".join(name.split()) for name in match.players]),
        "first_dealer": match.first_dealer,
        "bot_seed": match.bot_seed.hex(),
        "preset": rules.preset,
        "rules_hash": rules.hash,
        "ranks": rank_letters(rules),
        "pack": cards_text(rules.pack),
        "plan": _numbers(rules.plan_sizes),
        "kinds": " ".join([DealKind(kind).name.lower() for kind in rules.plan_kinds]),
        "open_ended": rules.plan_open_ended,
        "per_decision_ms": match.clock.per_decision_ms,
        "bank_ms": match.clock.bank_ms,
        "increment_ms": match.clock.increment_ms,
        "grace_ms": match.clock.grace_ms,
        "amendments": match.amendments,
        "parameters": json.dumps(rules.parameters, sort_keys=True),
    }
    return _text(line)


def end_line(result: Result) -> str:
    """How a match ended; wants no answer."""
    line = {
        "tell": "end",
        "match": result.match.table,
        "seat": result.match.seat,
        "reason": EndReason(result.reason).name.lower(),
        "scores": _numbers(result.scores),
        "winners": _numbers(result.winners),
    }
    return _text(line)


def rank_letters(rules: Rules) -> str:
    """First letters of the pack's cards of the four suits, weakest first."""
    strengths = {
        TEXT[card][0]: rules.strength[card]
        for card in rules.pack
        if 1 <= SUIT[card] <= 4
    }
    return "".join(sorted(strengths, key=strengths.__getitem__))


def _text(line: Mapping[str, object]) -> str:
    return json.dumps(line, separators=(",", ":"))


def _legal(view: View, kind: Ask) -> str:
    match kind:
        case Ask.BID:
            return _numbers(view.legal_bids)
        case Ask.PLAY:
            return cards_text(view.legal_cards)
        case Ask.TRUMP:
            return " ".join([_SUITS[suit] for suit in view.legal_suits])
        case _:
            return cards_text(view.hand)


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join([str(number) for number in numbers])


def _hidden(view: View) -> int:
    """Number of the seat's own cards, where it may not see them."""
    return 0 if view.hand else view.size - len(view.plays) // view.match.seats


def _bids(view: View) -> str:
    return " ".join(
        [
            str(bid) if bid is not None else _UNTOLD_BIDS[BidState(state)]
            for bid, state in zip(view.bids, view.bid_states, strict=True)
        ]
    )


def _shown(view: View) -> str:
    cards = iter(view.shown_cards)
    return " ".join(
        [
            f"{seat}:{TEXT[next(cards)]}"
            for seat, count in enumerate(view.shown_counts)
            for _ in range(count)
        ]
    )


def _why(number: int) -> str:
    return ShownWhy(number).name.lower() if number else NOBODY


# From the bot


def read_line(line: bytes) -> Spoken:
    """BadAnswer for anything but one flat object."""
    try:
        read: object = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise BadAnswer(
            f"wrote {shortened(line)}, which is no JSON object; what is meant for"
            " people goes to standard error"
        ) from None
    if not isinstance(read, dict):
        raise BadAnswer(f"wrote {shortened(line)}, which is no JSON object")
    for key, value in read.items():
        if isinstance(value, dict | list):
            raise BadAnswer(f"wrote {key!r} as a list or an object: answers are flat")
    named = read.get("id", "")
    if not isinstance(named, str):
        raise BadAnswer(f"wrote {named!r} as id: it is the text of the question's id")
    return Spoken(named, read)


def bid_of(spoken: Spoken) -> int:
    """A bid; as all of these, BadAnswer where the line holds something else."""
    value = _value(spoken, Ask.BID)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    # Shells write text more easily than numbers.
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    raise BadAnswer(f"bid is {value!r}, which is not a whole number")


def play_of(spoken: Spoken) -> Play:
    """A card, with the call of a joker."""
    card = _card(_value(spoken, Ask.PLAY), "play")
    return Play(card, _word(spoken, "call", _CALLS))


def trump_of(spoken: Spoken) -> int:
    """A suit."""
    value = _value(spoken, Ask.TRUMP)
    if isinstance(value, str) and len(value) == 1 and value in "CDHS":
        return _SUITS.index(value)
    raise BadAnswer(f"trump is {value!r}, which is none of C D H S")


def lay_of(spoken: Spoken) -> Lay:
    """Bid cards, with a claim."""
    value = _value(spoken, Ask.BID_CARDS)
    if not isinstance(value, str):
        raise BadAnswer(f"lay is {value!r}, which is not three cards")
    cards = tuple([_card(word, "lay") for word in value.split()])
    return Lay(cards, _word(spoken, "claim", _CLAIMS))


def _value(spoken: Spoken, ask: Ask) -> Value:
    name = ASKS[ask]
    if name not in spoken.values:
        there = ", ".join(sorted(spoken.values)) or "nothing"
        raise BadAnswer(f"the answer to a question {name!r} has no {name!r}: {there}")
    return spoken.values[name]


def _card(value: Value, name: str) -> int:
    try:
        return card_code(str(value))
    except ValueError as error:
        raise BadAnswer(f"{name}: {error}") from None


def _word(spoken: Spoken, name: str, words: Mapping[str, int]) -> int:
    value = spoken.values.get(name, "none")
    if not isinstance(value, str) or value not in words:
        raise BadAnswer(f"{name} is {value!r}, which is none of {', '.join(words)}")
    return words[value]


def shortened(line: bytes, most: int = 80) -> str:
    """The beginning of a line, as it can be shown to people."""
    text = repr(line[:most].decode(errors="replace").rstrip("\r\n"))
    return text if len(line) <= most else f"{text}..."
