"""A rule set as one frozen value.

`Rules.of` reads a preset and its overrides; each parameter is described in
docs/rules.md under the name it has here. Values by themselves are checked in `reading`;
how parameters go together, and with a number of players, is in `validation`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Final

from engine.errors import Code, IllegalRules, Violation
from engine.pack import Pack, PackName, pack_of
from engine.parameters import (
    MAX_PLAYERS,
    BidAmend,
    BidMode,
    DealKind,
    DealShape,
    Direction,
    DuplicateWinner,
    End,
    FirstLeader,
    Forehead,
    FullPackTrump,
    JokerMode,
    JokerOppositeScope,
    LastBidAmend,
    NoTrumpDeals,
    Overshoot,
    RankOrder,
    Settlement,
    TiePolicy,
    TrumpMethod,
    TurnupJoker,
)
from engine.presets import ALIASES, PRESETS, preset_parameters
from engine.reading import (
    MAX_NUMBER,
    MAX_REPEATS,
    PLAYERS,
    ByPlayers,
    Reader,
    unknown,
)
from engine.scoring import SCHEMES, Coefficients
from engine.validation import (
    RulesWarning,
    combination_violations,
    warnings_of,
    written,
)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Every parameter under its public name; equal rule sets compare equal."""

    players: tuple[int, ...]
    direction: Direction
    first_dealer: str
    pack: PackName | ByPlayers[PackName]
    rank_order: RankOrder
    duplicate_winner: DuplicateWinner
    deal_shape: DealShape
    deal_low: int
    deal_high: int | ByPlayers[int]
    deal_step: int
    turn_repeat: int | str
    end_repeat: int | str
    deal_list: tuple[int, ...] | None
    deal_count: int | ByPlayers[int] | None
    deal_kinds: ByPlayers[DealKind] | None
    trump_method: TrumpMethod
    trump_suit: str | None
    trump_sequence: tuple[str, ...] | None
    turnup_min_rank: int | None
    turnup_joker: TurnupJoker
    no_trump_deals: NoTrumpDeals
    full_pack_trump: FullPackTrump
    bid_mode: BidMode
    hook: bool
    hook_min_cards: int
    bid_amend: BidAmend
    last_bid_amend: LastBidAmend
    no_bid_at_score: int | None
    forehead: Forehead
    first_leader: FirstLeader
    must_trump: bool
    must_overtrump: bool
    must_head: bool
    joker_mode: JokerMode
    joker_opposite_scope: JokerOppositeScope
    scoring: str | Coefficients
    end: End
    target_score: int | None
    overshoot: Overshoot
    tie_policy: TiePolicy
    settlement: Settlement
    stake_per_point: int
    max_deals: int | None

    @classmethod
    def of(
        cls,
        preset: str,
        overrides: Mapping[str, object] | None = None,
        *,
        players: int | None = None,
    ) -> Rules:
        """A preset, or an alias of one, with some parameters replaced as a whole.

        With `players` the rules are also checked for that number. IllegalRules holds
        every violation; the first one decides its code.
        """
        if preset not in PRESETS and preset not in ALIASES:
            raise IllegalRules((unknown("preset", preset, [*PRESETS, *ALIASES]),))
        return cls._read({**preset_parameters(preset), **(overrides or {})}, players)

    @classmethod
    def of_parameters(cls, parameters: Mapping[str, object]) -> Rules:
        """Inverse of `parameters`; a missing name is a violation, as an unknown is."""
        return cls._read(parameters, None)

    @classmethod
    def _read(cls, values: Mapping[str, object], players: int | None) -> Rules:
        reader = Reader(values, PARAMETER_NAMES)
        rules = _read(reader)
        violations = reader.violations
        if players is not None:
            known = {violation.parameter for violation in violations}
            violations = _in_order(violations, rules, players, known)
        if violations:
            raise IllegalRules(tuple(violations))
        return rules

    def __reduce__(self) -> tuple[object, tuple[dict[str, object]]]:
        return Rules.of_parameters, (self.parameters(),)

    def validate(self, players: int) -> tuple[Violation, ...]:
        """Everything that stands against playing these rules with so many players."""
        return tuple(_in_order([], self, players, set()))

    def warnings(self, players: int) -> tuple[RulesWarning, ...]:
        """Of legal rules: what is allowed and yet probably not meant."""
        return warnings_of(self, players)

    def with_overrides(self, overrides: Mapping[str, object]) -> Rules:
        return Rules.of_parameters({**self.parameters(), **overrides})

    def without_amending(self) -> Rules:
        return replace(self, bid_amend=BidAmend.NONE, last_bid_amend=LastBidAmend.NONE)

    def pack_for(self, players: int) -> Pack:
        """KeyError where the pack is a map without this number; as those below."""
        if isinstance(self.pack, PackName):
            return pack_of(self.pack)
        return pack_of(dict(self.pack)[players])

    def deal_high_for(self, players: int) -> int:
        if isinstance(self.deal_high, int):
            return self.deal_high
        return dict(self.deal_high)[players]

    def deal_count_for(self, players: int) -> int | None:
        """None for a game without a last deal."""
        if self.deal_count is None or isinstance(self.deal_count, int):
            return self.deal_count
        return dict(self.deal_count)[players]

    def kind_of(self, deal: int) -> DealKind:
        """Kind of a scheduled deal, counted from 1."""
        return dict(self.deal_kinds or ()).get(deal, DealKind.NORMAL)

    @property
    def first_dealer_seat(self) -> int | None:
        """None where chance decides; the host is whoever holds seat 0."""
        match self.first_dealer:
            case "draw_high" | "random":
                return None
            case "host":
                return 0
            case seat:
                return int(seat.removeprefix("seat:"))

    @property
    def coefficients(self) -> Coefficients | None:
        """None for the one scheme that is not of the formula, `ninety_nine`."""
        if isinstance(self.scoring, Coefficients):
            return self.scoring
        return SCHEMES.get(self.scoring)

    def parameters(self) -> dict[str, object]:
        """JSON values by parameter name, as they stand in a spec."""
        plain: dict[str, object] = {}
        for field in fields(self):
            plain[field.name] = _plain(getattr(self, field.name))
        return plain

    def canonical(self, players: int) -> str:
        """JSON of `n` and all parameters: keys sorted, no spaces, nulls kept."""
        return json.dumps(
            {"n": players, **self.parameters()},
            separators=(",", ":"),
            sort_keys=True,
        )

    def hash(self, players: int) -> str:
        """SHA-256 of `canonical` in 64 hexadecimal digits."""
        return hashlib.sha256(self.canonical(players).encode()).hexdigest()


PARAMETER_NAMES: Final = tuple(field.name for field in fields(Rules))


def _plain(value: object) -> object:
    if isinstance(value, Coefficients):
        return value._asdict()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return {str(key): _plain(item) for key, item in value}
        return list(value)
    return value


def _in_order(
    found: Sequence[Violation], rules: Rules, players: int, unreadable: set[str]
) -> list[Violation]:
    """The value of `players`, then whether n is in it, then everything else."""
    first = [violation for violation in found if violation.parameter == PLAYERS]
    rest = [violation for violation in found if violation.parameter != PLAYERS]
    allowed = range(2, MAX_PLAYERS + 1) if first else rules.players
    possible = type(players) is int and players in allowed
    if not first and not possible:
        counts = " ".join(str(n) for n in rules.players)
        first.append(
            Violation(
                Code.BAD_PLAYER_COUNT,
                "1",
                PLAYERS,
                written(players),
                f"{written(players)} players: these rules are for {counts}",
            )
        )
    if not possible:
        # The other questions have no meaning for such a number.
        return first + rest
    return first + rest + combination_violations(rules, players, unreadable)


def _read(reader: Reader) -> Rules:
    """Every parameter by its domain."""
    return Rules(
        players=reader.player_counts(),
        direction=reader.choice("direction", Direction),
        first_dealer=reader.first_dealer(),
        pack=reader.pack(),
        rank_order=reader.choice("rank_order", RankOrder),
        duplicate_winner=reader.choice("duplicate_winner", DuplicateWinner),
        deal_shape=reader.choice("deal_shape", DealShape),
        deal_low=reader.number("deal_low", 1),
        deal_high=reader.number_by_players("deal_high", MAX_NUMBER),
        deal_step=reader.number("deal_step", 1),
        turn_repeat=reader.repeat("turn_repeat"),
        end_repeat=reader.repeat("end_repeat"),
        deal_list=reader.deal_list(),
        deal_count=reader.optional_number_by_players("deal_count", MAX_REPEATS),
        deal_kinds=reader.deal_kinds(),
        trump_method=reader.choice("trump_method", TrumpMethod),
        trump_suit=reader.trump_suit(),
        trump_sequence=reader.trump_sequence(),
        turnup_min_rank=reader.optional_number("turnup_min_rank", 2, 14),
        turnup_joker=reader.choice("turnup_joker", TurnupJoker),
        no_trump_deals=reader.choice("no_trump_deals", NoTrumpDeals),
        full_pack_trump=reader.choice("full_pack_trump", FullPackTrump),
        bid_mode=reader.choice("bid_mode", BidMode),
        hook=reader.flag("hook"),
        hook_min_cards=reader.number("hook_min_cards", 1),
        bid_amend=reader.choice("bid_amend", BidAmend),
        last_bid_amend=reader.choice("last_bid_amend", LastBidAmend),
        no_bid_at_score=reader.optional_number("no_bid_at_score", 1),
        forehead=reader.choice("forehead", Forehead),
        first_leader=reader.choice("first_leader", FirstLeader),
        must_trump=reader.flag("must_trump"),
        must_overtrump=reader.flag("must_overtrump"),
        must_head=reader.flag("must_head"),
        joker_mode=reader.choice("joker_mode", JokerMode),
        joker_opposite_scope=reader.choice("joker_opposite_scope", JokerOppositeScope),
        scoring=reader.scoring(),
        end=reader.choice("end", End),
        target_score=reader.optional_number("target_score", 1),
        overshoot=reader.choice("overshoot", Overshoot),
        tie_policy=reader.choice("tie_policy", TiePolicy),
        settlement=reader.choice("settlement", Settlement),
        stake_per_point=reader.number("stake_per_point", 0),
        max_deals=reader.optional_number("max_deals", 1),
    )
