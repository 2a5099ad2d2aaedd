"""Frames as lines of text, for people who look for a mistake in a bot."""

from __future__ import annotations

from google.protobuf import text_format

from ohhell.v1 import frames_pb2
from ohhell_bot.cards import TEXT
from ohhell_bot.match import Match, Rules
from ohhell_bot.view import View
from ohhell_bot.vocabulary import JokerCall, Suit


class Trace:
    """Tells the frames of one stream; remembers its seats to tell prompts fully."""

    def __init__(self) -> None:
        self._rules: dict[str, Rules] = {}
        self._matches: dict[int, Match] = {}

    def told_to_bot(self, frame: frames_pb2.ServerFrame) -> str:
        """A frame of the service."""
        match frame.WhichOneof("body"):
            case "prompt":
                return f"prompt {self._prompt(frame)}"
            case "seat":
                return f"seat {self._seat(frame.seat)}"
            case "ended":
                self._matches.pop(frame.ended.handle, None)
            case _:
                pass
        return _plain(frame)

    def told_by_bot(self, frame: frames_pb2.ClientFrame) -> str:
        """A frame of the bot."""
        if frame.HasField("answer"):
            return f"answer {_answer(frame.answer)}"
        return _plain(frame)

    def _seat(self, seat: frames_pb2.SeatAssigned) -> str:
        if seat.HasField("rules"):
            self._rules[seat.rules_hash] = Rules.from_wire(seat.rules)
        rules = self._rules.get(seat.rules_hash)
        if rules is None:
            return f"handle {seat.handle}: rules that were never told"
        match = self._matches[seat.handle] = Match.from_wire(seat, rules)
        names = ", ".join(match.players)
        return (
            f"handle {seat.handle}: table {match.table} seat {match.seat} of {names};"
            f" {rules.preset or 'rules'}; first dealer {match.first_dealer}"
        )

    def _prompt(self, frame: frames_pb2.ServerFrame) -> str:
        prompt = frame.prompt
        match = self._matches.get(prompt.handle)
        if match is None:
            return f"handle {prompt.handle}, which was never given"
        limit = f"; limit {prompt.limit_ms} ms, bank {prompt.bank_ms} ms"
        view = View.from_wire(prompt, match)
        clocked = view.limit_ms or view.bank_ms
        return f"handle {prompt.handle}: {view}{limit if clocked else ''}"


def _answer(answer: frames_pb2.Answer) -> str:
    said = _action(answer)
    if answer.call:
        said += f", called {_name(JokerCall, answer.call)}"
    if answer.note:
        said += f", with the note {answer.note!r}"
    attempt = answer.attempt or "now"
    return f"handle {answer.handle}: decision {answer.seq} attempt {attempt}: {said}"


def _action(answer: frames_pb2.Answer) -> str:
    match answer.WhichOneof("action"):
        case "bid":
            return f"bids {answer.bid}"
        case "card":
            return f"plays {_card(answer.card) if answer.card else 'the hidden card'}"
        case "trump":
            return f"names {_name(Suit, answer.trump)}"
        case "bid_cards":
            cards = " ".join([_card(card) for card in answer.bid_cards.cards])
            return f"lays {cards}, claim {answer.bid_cards.claim}"
        case _:
            return "nothing"


def _card(code: int) -> str:
    return TEXT[code] if 0 < code < len(TEXT) else f"the code {code} of no card"


def _name(vocabulary: type[JokerCall | Suit], number: int) -> str:
    try:
        return vocabulary(number).name.lower()
    except ValueError:
        return str(number)


def _plain(frame: frames_pb2.ServerFrame | frames_pb2.ClientFrame) -> str:
    """Names and values as the protocol has them."""
    return text_format.MessageToString(frame, as_one_line=True).strip() or "empty"
