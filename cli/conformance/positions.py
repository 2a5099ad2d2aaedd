"""Single questions about positions: legal cards, winners, views, scripted deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cli.conformance.commands import (
    PHASES,
    accept,
    bids_by_seat,
    card_or_none,
    joker_call,
    refuse,
    sorted_texts,
    trump_or_none,
)
from cli.conformance.vectors import BadQuestion, Question
from engine.bidding import Claim
from engine.cards import card_code, cards_from, trump_code
from engine.errors import NotationError
from engine.legality import Duties, legal_kinds
from engine.match import Match
from engine.pack import Pack
from engine.parameters import BidMode, DealKind
from engine.phase import Phase
from engine.plan import deal_plan, is_forehead, kind_of
from engine.rules import Rules
from engine.trick import JokerCall, on_table, trick_tables
from engine.visibility import sees_bid, sees_bid_cards, sees_hand, sees_upcard

HIDDEN: Final = "hidden"


def _pack_of(rules: Rules, cards: Sequence[int]) -> Pack:
    """Questions about a trick leave the number of players, and so the pack, open."""
    for players in rules.players:
        try:
            pack = rules.pack_for(players)
            pack.hand(cards)
        except (KeyError, NotationError):
            continue
        return pack
    raise BadQuestion(f"no pack of these rules holds {sorted_texts(cards)}")


def _plays(pack: Pack, plays: Sequence[object]) -> list[tuple[int, JokerCall]]:
    found = []
    for play in plays:
        match play:
            case [str(card), call]:
                named = joker_call(call)
                value = named if isinstance(named, JokerCall) else JokerCall.NONE
                found.append((pack.kind[card_code(card)], value))
            case _:
                raise BadQuestion(f"no card and call: {play!r}")
    return found


def _codes(plays: Sequence[object]) -> list[int]:
    return [
        card_code(play[0])
        for play in plays
        if isinstance(play, list) and isinstance(play[0], str)
    ]


def _legal_cards(q: Question) -> object:
    rules, table = q.rules(), q.items("table")
    hand = [card_code(text) for text in q.texts("hand")]
    pack = _pack_of(rules, [*hand, *_codes(table)])
    trump = trump_code(q.text("trump"))
    tables = trick_tables(rules, pack)
    lying = on_table(tables, trump, _plays(pack, table))
    held, twice = pack.hand(hand)
    legal = legal_kinds(
        Duties(rules, pack), held, trump, lying.suit, lying.beats, q.number("trick")
    )
    return sorted_texts(pack.cards(legal, twice & legal))


def _trick_winner(q: Question) -> object:
    rules, plays = q.rules(), q.items("plays")
    pack = _pack_of(rules, _codes(plays))
    tables = trick_tables(rules, pack)
    return on_table(tables, trump_code(q.text("trump")), _plays(pack, plays)).winner


class _Situation(NamedTuple):
    viewer: int
    bid_mode: BidMode
    kind: DealKind
    forehead: bool
    bids_in: bool
    premium: int | None
    revealed: int | None


def _view(q: Question) -> object:
    situation = _situation(q)
    answer: dict[str, object] = {}
    for name in ("hands", "bids", "bid_cards"):
        if q.has(name):
            field = q.question(name)
            answer[name] = {
                seat: _seen(situation, name, int(seat), field.value(seat))
                for seat in field.names()
            }
    if "up" in q.names():
        seen = q.value("up") is None or sees_upcard(
            situation.viewer, kind=situation.kind, bids_in=situation.bids_in
        )
        answer["up"] = q.value("up") if seen else HIDDEN
    return answer


def _situation(q: Question) -> _Situation:
    rules, players, deal = q.rules(), q.number("players"), q.number("deal")
    plan = deal_plan(rules, players)
    premium, claim = _premium(q.value("premium"))
    return _Situation(
        viewer=q.number("viewer"),
        bid_mode=rules.bid_mode,
        kind=kind_of(rules, plan, deal),
        forehead=is_forehead(rules, plan, deal),
        bids_in=q.text("phase") in (PHASES[Phase.PLAYING], PHASES[Phase.OVER]),
        premium=premium,
        revealed=premium if claim == Claim.REVEAL.name.lower() else None,
    )


def _premium(value: object) -> tuple[int | None, str | None]:
    match value:
        case None:
            return None, None
        case [int(seat), str(claim)]:
            return seat, claim
        case _:
            raise BadQuestion(f"premium: expected a seat and a claim, not {value!r}")


def _seen(situation: _Situation, name: str, owner: int, truth: object) -> object:
    viewer, bids_in = situation.viewer, situation.bids_in
    if truth is None:
        return None
    match name:
        case "hands":
            seen = sees_hand(
                viewer,
                owner,
                kind=situation.kind,
                forehead=situation.forehead,
                bids_in=bids_in,
                revealed=situation.revealed,
            )
        case "bids":
            seen = sees_bid(
                viewer,
                owner,
                bid_mode=situation.bid_mode,
                bids_in=bids_in,
                premium=situation.premium,
            )
        case _:
            seen = sees_bid_cards(
                viewer, owner, bids_in=bids_in, premium=situation.premium
            )
    return truth if seen else HIDDEN


def _script(q: Question) -> object:
    rules, players = q.rules(), q.number("players")
    first = cards_from(q.text("deck"))
    other = rules.pack_for(players).codes()
    match = Match(
        rules,
        players,
        first_dealer=q.number("dealer"),
        decks=lambda deal: first if deal == 1 else other,
    )
    match.start()
    for step in q.items("steps"):
        match step:
            case ["x", *command, code]:
                refuse(match, command, code)
            case [*command]:
                accept(match, command)
            case _:
                raise BadQuestion(f"no step: {step!r}")
    return {
        "phase": PHASES[match.phase],
        "to_act": [*match.to_act()],
        **{name: _report(match, name) for name in q.texts("report")},
    }


def _report(match: Match, name: str) -> object:
    to_act = match.to_act()
    match name:
        case "legal_bids":
            return match.legal_bids(to_act[0])
        case "legal_cards":
            return sorted_texts(match.legal_cards(to_act[0]))
        case "bids":
            return bids_by_seat(match)
        case "won":
            return match.deal.tricks[:]
        case "trump":
            return trump_or_none(match.trump)
        case "up":
            return card_or_none(match.upcard)
        case "premium":
            return None if match.premium is None else [*match.premium]
        case _:
            raise BadQuestion(f"nothing to report is called {name!r}")


POSITIONS: Final[dict[str, Callable[[Question], object]]] = {
    "legal_cards": _legal_cards,
    "script": _script,
    "trick_winner": _trick_winner,
    "view": _view,
}
