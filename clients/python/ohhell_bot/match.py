"""What a seat knows for a whole match: the rules, the players, its seed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from ohhell.v1 import frames_pb2, rules_pb2
from ohhell_bot.cards import JESTERS, JOKERS, RANK, SUIT, TEXT, WIZARDS

_FRENCH_ORDER: Final = tuple(range(2, 15))
_SPANISH_ORDER: Final = (2, 4, 5, 6, 7, 11, 12, 13, 3, 14)

ABOVE_ALL_RANKS: Final = 20
"""Strength of jokers and wizards; every rank is below, jesters have zero."""


class Scoring(NamedTuple):
    """Coefficients of a score. With d = |tricks - bid|:

    made a bid: a + b * bid + q * bid**2; made zero: z0 + zc * size;
    missed: m0 + mt * tricks + md * d + mq * d**2. A seat without a bid gets its tricks.
    """

    a: int = 0
    b: int = 0
    q: int = 0
    z0: int = 0
    zc: int = 0
    m0: int = 0
    mt: int = 0
    md: int = 0
    mq: int = 0


@dataclass(frozen=True)
class Rules:
    """A resolved rule set. The words are those of the parameter reference.

    `parameters` holds every parameter under its name; the attributes are those that a
    bot is likely to ask for. `scoring` is None where the scheme is not of the common
    formula.
    """

    preset: str
    players: int
    pack: tuple[int, ...]
    plan_sizes: tuple[int, ...] = ()
    plan_kinds: tuple[int, ...] = ()
    plan_open_ended: bool = False
    hash: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict, repr=False)
    scoring: Scoring | None = None
    bid_mode: str = "turn"
    hook: bool = True
    hook_min_cards: int = 1
    no_bid_at_score: int | None = None
    forehead: str = "none"
    first_leader: str = "eldest"
    must_trump: bool = False
    must_overtrump: bool = False
    must_head: bool = False
    joker_mode: str = "none"
    joker_opposite_scope: str = "deal"
    duplicate_winner: str = "last"
    trump_method: str = "turn_up"
    trump_sequence: tuple[int, ...] = ()
    end: str = "all_deals"
    target_score: int | None = None
    overshoot: str = "none"
    tie_policy: str = "shared"
    max_deals: int | None = None

    @classmethod
    def from_wire(cls, rules: rules_pb2.Rules) -> Rules:
        return cls(
            preset=rules.preset,
            players=rules.players,
            pack=tuple(rules.pack),
            plan_sizes=tuple(rules.plan_sizes),
            plan_kinds=tuple(rules.plan_kinds),
            plan_open_ended=rules.plan_open_ended,
            hash=rules.hash,
            parameters=json.loads(rules.parameters) if rules.parameters else {},
            scoring=_scoring(rules.scoring) if rules.HasField("scoring") else None,
            bid_mode=rules.bid_mode,
            hook=rules.hook,
            hook_min_cards=rules.hook_min_cards,
            no_bid_at_score=(
                rules.no_bid_at_score if rules.HasField("no_bid_at_score") else None
            ),
            forehead=rules.forehead,
            first_leader=rules.first_leader,
            must_trump=rules.must_trump,
            must_overtrump=rules.must_overtrump,
            must_head=rules.must_head,
            joker_mode=rules.joker_mode,
            joker_opposite_scope=rules.joker_opposite_scope,
            duplicate_winner=rules.duplicate_winner,
            trump_method=rules.trump_method,
            trump_sequence=tuple(rules.trump_sequence),
            end=rules.end,
            target_score=(
                rules.target_score if rules.HasField("target_score") else None
            ),
            overshoot=rules.overshoot,
            tie_policy=rules.tie_policy,
            max_deals=rules.max_deals if rules.HasField("max_deals") else None,
        )

    @cached_property
    def strength(self) -> tuple[int, ...]:
        """By card code: the place of its rank in the table's rank order, from 1.

        Zero for jesters, `ABOVE_ALL_RANKS` for jokers and wizards.
        """
        spanish = any(SUIT[card] and TEXT[card][0] in "SCR" for card in self.pack)
        order = _SPANISH_ORDER if spanish else _FRENCH_ORDER
        place = {rank: i for i, rank in enumerate(order, start=1)}
        return tuple(
            [
                ABOVE_ALL_RANKS
                if code in JOKERS or code in WIZARDS
                else place.get(RANK[code], 0)
                for code in range(len(TEXT))
            ]
        )

    @cached_property
    def suitless(self) -> frozenset[int]:
        """Wizards and jesters, and jokers where they are no suit of their own."""
        jokers = JOKERS if self.joker_mode == "high_low" else frozenset[int]()
        return WIZARDS | JESTERS | jokers

    def led_suit(self, cards: Iterable[int]) -> int:
        """What the cards of a trick, in order of play, ask for; zero for no suit."""
        for card in cards:
            if card not in self.suitless:
                return SUIT[card]
            if card in WIZARDS:
                return 0
        return 0


def _scoring(scoring: rules_pb2.Scoring) -> Scoring:
    return Scoring(*[getattr(scoring, name) for name in Scoring._fields])


class Clock(NamedTuple):
    """Milliseconds; all zero where there is no clock."""

    per_decision_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    grace_ms: int = 0


@dataclass(frozen=True)
class Match:
    """One seat of one match. `bot_seed` is what its chance may depend on (16 bytes)."""

    seat: int
    rules: Rules
    bot_seed: bytes = field(repr=False)
    table: str = ""
    players: tuple[str, ...] = ()
    first_dealer: int = 0
    clock: Clock = Clock()
    amendments: bool = False

    @classmethod
    def from_wire(cls, assigned: frames_pb2.SeatAssigned, rules: Rules) -> Match:
        clock = assigned.clock
        return cls(
            seat=assigned.seat,
            rules=rules,
            bot_seed=assigned.bot_seed,
            table=assigned.table,
            players=tuple(assigned.players),
            first_dealer=assigned.first_dealer,
            clock=Clock(
                clock.per_decision_ms,
                clock.bank_ms,
                clock.increment_ms,
                clock.grace_ms,
            ),
            amendments=assigned.amendments,
        )

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.rules.players


class Result(NamedTuple):
    """How a match ended for a seat: final totals by seat, and the seats that won."""

    match: Match
    reason: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
