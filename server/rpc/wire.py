"""Between engine values and messages, and nothing else.

Field names and numbers are the same on both sides, so that a view is copied number by
number. This is the only module that treats messages as untyped: their enum fields want
wrapped integers, which would cost more than everything else here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from engine.bidding import Claim
from engine.cards import card_code, trump_code
from engine.events import (
    KIND_NUMBER,
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    CardPlayed,
    CardsShown,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    TrickTaken,
    TrumpMade,
)
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard
from engine.plan import deal_plan, kind_of
from engine.rules import Rules
from engine.trick import JokerCall
from engine.view import View
from ohhell.v1 import frames_pb2, rules_pb2
from server.clock import TimeControl
from server.decision import Question, Reply
from server.notice import Notice
from server.outcome import Outcome
from server.rpc.untyped import Untyped
from server.setup import TableSetup
from server.table import Table

LONGEST_PLAN = 1_000
"""Deals of a plan that are listed."""


# Views


def write_view(message: Untyped, view: View) -> None:  # noqa: C901, PLR0912, PLR0915 - one field after another
    """Fills an empty View; numbers that are zero are left out, as on the wire."""
    message.seq = view.seq
    if view.seat is not None:
        message.seat = view.seat
    if view.ask:
        message.ask = view.ask
    message.phase = view.phase
    message.deal = view.deal
    message.deal_kind = view.deal_kind
    if view.dealer:
        message.dealer = view.dealer
    message.size = view.size
    if view.trump:
        message.trump = view.trump
    if view.upcard:
        message.upcard = view.upcard
    if view.hand:
        message.hand.extend(view.hand)
    if view.legal_bids:
        message.legal_bids.extend(view.legal_bids)
    if view.legal_cards:
        message.legal_cards.extend(view.legal_cards)
    if view.legal_suits:
        message.legal_suits.extend(view.legal_suits)
    message.bids.extend(view.bids)
    message.bid_states.extend(view.bid_states)
    message.tricks.extend(view.tricks)
    if view.plays:
        message.plays.extend(view.plays)
    if view.leaders:
        message.leaders.extend(view.leaders)
    if view.joker_calls:
        message.joker_calls.extend(view.joker_calls)
    if view.call:
        message.call = view.call
    if view.shown_cards:
        message.shown_cards.extend(view.shown_cards)
    message.shown_counts.extend(view.shown_counts)
    message.shown_why.extend(view.shown_why)
    if view.bid_cards:
        message.bid_cards.extend(view.bid_cards)
    if view.claim:
        message.claim = view.claim
    if view.premium_seat is not None:
        message.premium_seat = view.premium_seat
        message.premium_kind = view.premium_kind
    message.scores.extend(view.scores)
    message.to_act.extend(view.to_act)
    if view.amend_bids:
        message.amend_bids.extend(view.amend_bids)
    if view.forehead:
        message.forehead = True
    if view.extra:
        message.extra = True


def write_prompt(message: Untyped, view: View, question: Question, now: float) -> None:
    """Fills an empty View with a question and its time."""
    write_view(message, view)
    message.attempt = question.attempt
    limit, bank = question.time_left(now)
    if limit:
        message.limit_ms = limit
    if bank:
        message.bank_ms = bank


# Entries


_BODIES: Mapping[type[Event], str] = {
    Dealt: "dealt",
    TrumpMade: "trump",
    BidMade: "bid",
    BidsOpened: "bids",
    BidCardsLaid: "laid",
    BidAmended: "amended",
    CardsShown: "shown",
    CardPlayed: "played",
    TrickTaken: "trick",
    DealScored: "scored",
    MatchEnded: "ended",
}


def write_entry(message: Untyped, entry: Entry) -> None:
    """Fills an empty Entry."""
    message.seq = entry.seq
    message.cause = entry.cause
    body = getattr(message, _BODIES[type(entry.event)])
    body.SetInParent()
    for name, value in entry.event._asdict().items():
        if isinstance(value, tuple):
            getattr(body, name).extend(value)
        elif value is not None:
            setattr(body, name, value)


# Seats, results


def write_seat(
    message: Untyped, setup: TableSetup, seat: int, *, handle: int, with_rules: bool
) -> None:
    """Fills an empty SeatAssigned."""
    message.handle = handle
    message.table = setup.table
    message.seat = seat
    seats = len(setup.players)
    message.rules_hash = setup.rules_hash
    if with_rules:
        write_rules(message.rules, setup.rules, seats, preset=setup.preset)
    message.players.extend(setup.players)
    message.first_dealer = setup.first_dealer
    message.bot_seed = setup.bot_seeds[seat]
    write_clock(message.clock, setup.clock)
    message.amendments = setup.amendments


def write_clock(message: Untyped, clock: TimeControl) -> None:
    message.per_decision_ms = clock.per_decision_ms
    message.bank_ms = clock.bank_ms
    message.increment_ms = clock.increment_ms
    message.grace_ms = clock.grace_ms


def clock_of(message: frames_pb2.TimeControl) -> TimeControl:
    return TimeControl(
        per_decision_ms=message.per_decision_ms,
        bank_ms=message.bank_ms,
        increment_ms=message.increment_ms,
        grace_ms=message.grace_ms,
    )


def write_result(message: Untyped, handle: int, seq: int, reply: Reply) -> None:
    """Fills an empty AnswerResult."""
    message.handle = handle
    message.seq = seq
    message.attempt = reply.attempt
    message.entry = reply.entry
    message.accepted = reply.accepted
    message.duplicate = reply.duplicate
    message.reason = reply.reason
    message.message = reply.message
    legal_bids: Untyped = reply.details.get("legal_bids", ())
    message.legal_bids.extend(legal_bids)
    legal_cards: Untyped = reply.details.get("legal_cards", ())
    message.legal_cards.extend([card_code(text) for text in legal_cards])


def write_notice(message: Untyped, notice: Notice, handle: int) -> None:
    """Fills an empty Notice."""
    message.kind = notice.kind
    message.handle = handle
    if notice.seat is not None:
        message.seat = notice.seat
    message.reason = notice.reason
    message.message = notice.message
    message.milliseconds = notice.milliseconds


def write_outcome(message: Untyped, handle: int, outcome: Outcome | None) -> None:
    """Fills an empty SeatEnded; None: the bot has left the seat."""
    message.handle = handle
    if outcome is None:
        message.reason = frames_pb2.END_REASON_LEFT
        return
    message.reason = frames_pb2.EndReason.Value(f"END_REASON_{outcome.why}")
    message.scores.extend(outcome.scores)
    message.winners.extend(outcome.winners)


_NO_CALL: Final = JokerCall.NONE
# Nearly every answer is one of these: they are made once.
_UNCALLED: Final = {card: PlayCard(card, _NO_CALL) for card in range(1, 256)}
_CLAIMS = {int(claim): claim for claim in Claim}
_CALLS = {int(call): call for call in JokerCall}


def joker_call(number: int) -> Untyped:
    """The call; a number without meaning stays one, and the engine refuses it."""
    return _CALLS.get(number, number)


def claim(number: int) -> Untyped:
    """The claim; a number without meaning stays one, and the engine refuses it."""
    return _CLAIMS.get(number, number)


def enum_name(enum: Untyped, number: int) -> str:
    return str(enum.Name(number))


def command_of(answer: Untyped) -> Command | None:
    """The action of an answer; None where there is none."""
    card = answer.card
    if card and not answer.call:
        # Nearly all answers.
        return _UNCALLED.get(card) or PlayCard(card, _NO_CALL)
    match answer.WhichOneof("action"):
        case "card":
            return PlayCard(card or None, joker_call(answer.call))
        case "bid":
            return PlaceBid(answer.bid)
        case "trump":
            return ChooseTrump(answer.trump)
        case "bid_cards":
            return Lay(tuple(answer.bid_cards.cards), claim(answer.bid_cards.claim))
        case _:
            return None


# Records


def write_record(message: Untyped, table: Table) -> None:
    """Fills an empty Record with a match in the referee's view."""
    setup = table.setup
    seats = len(setup.players)
    message.version = 1
    write_rules(message.rules, setup.rules, seats, preset=setup.preset)
    message.first_dealer = setup.first_dealer
    message.players.extend(setup.players)
    for entry in table.match.entries():
        write_entry(message.entries.add(), entry)


# Rules

_TEXT_PARAMETERS = (
    "bid_mode",
    "bid_amend",
    "last_bid_amend",
    "forehead",
    "first_leader",
    "joker_mode",
    "joker_opposite_scope",
    "duplicate_winner",
    "trump_method",
    "end",
    "overshoot",
    "tie_policy",
)
_PLAIN_PARAMETERS = (
    "hook",
    "hook_min_cards",
    "must_trump",
    "must_overtrump",
    "must_head",
)
_OPTIONAL_PARAMETERS = ("no_bid_at_score", "target_score", "max_deals")


def write_rules(message: Untyped, rules: Rules, players: int, *, preset: str) -> None:
    """Fills an empty Rules with everything that follows from a rule set."""
    plan = deal_plan(rules, players)
    message.preset = preset
    message.players = players
    message.hash = rules.hash(players)
    message.parameters = rules.canonical(players)
    message.pack.extend(rules.pack_for(players).codes())
    open_ended = plan.length is None
    deals = 1 if plan.length is None else min(plan.length, LONGEST_PLAN)
    message.plan_open_ended = open_ended
    for deal in range(1, deals + 1):
        message.plan_sizes.append(plan.size(deal))
        message.plan_kinds.append(KIND_NUMBER[kind_of(rules, plan, deal)])
    if rules.coefficients is not None:
        for name, value in rules.coefficients._asdict().items():
            setattr(message.scoring, name.lower(), value)
    for name in _TEXT_PARAMETERS:
        setattr(message, name, str(getattr(rules, name)))
    for name in _PLAIN_PARAMETERS:
        setattr(message, name, getattr(rules, name))
    for name in _OPTIONAL_PARAMETERS:
        value = getattr(rules, name)
        if value is not None:
            setattr(message, name, value)
    message.trump_sequence.extend(
        [trump_code(trump) for trump in rules.trump_sequence or ()]
    )


def overrides_of(spec: rules_pb2.RulesSpec) -> Mapping[str, object]:
    """Overrides as values; ValueError names one that is not JSON."""
    values = {}
    for name, text in spec.overrides.items():
        try:
            values[name] = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(
                f'{name} = {text!r} is not JSON: write text as "\\"text\\""'
            ) from None
    return values
