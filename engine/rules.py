"""A rule set as one frozen value.

`Rules.of` reads a preset and its overrides; each parameter is described in
docs/rules.md under the name it has here. Reading checks every value by itself, in use
or not; how parameters go together, and with a number of players, is in `validation`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, TypeGuard, TypeVar

from engine.errors import Code, IllegalRules, Violation
from engine.pack import Pack, PackName, pack_of
from engine.parameters import (
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
from engine.scoring import NINETY_NINE, SCHEMES, Coefficients
from engine.validation import (
    LONGEST_SHOWN,
    RulesWarning,
    combination_violations,
    warnings_of,
    written,
)

MAX_PLAYERS: Final = 10
MAX_NUMBER: Final = 1_000_000_000
# Of one size in a row: a plan is sent whole to everybody who asks.
MAX_REPEATS: Final = 10_000
MAX_COEFFICIENT: Final = 1_000
PLAYERS: Final = "players"

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

# A value by number of players, sorted; hashable, unlike the map it is read from.
ByPlayers = tuple[tuple[int, T], ...]


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
            raise IllegalRules((_unknown("preset", preset, [*PRESETS, *ALIASES]),))
        return cls._read({**preset_parameters(preset), **(overrides or {})}, players)

    @classmethod
    def of_parameters(cls, parameters: Mapping[str, object]) -> Rules:
        """Inverse of `parameters`; a missing name is a violation, as an unknown is."""
        return cls._read(parameters, None)

    @classmethod
    def _read(cls, values: Mapping[str, object], players: int | None) -> Rules:
        reader = _Reader(values)
        rules = reader.rules()
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
            ensure_ascii=False,
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
    if not first and (type(players) is not int or players not in rules.players):
        allowed = " ".join(str(n) for n in rules.players)
        first.append(
            Violation(
                Code.BAD_PLAYER_COUNT,
                "1",
                PLAYERS,
                written(players),
                f"{written(players)} players: these rules are for {allowed}",
            )
        )
        # For any other number the questions below have no meaning.
        return first + rest
    return first + rest + combination_violations(rules, players, unreadable)


def _unknown(what: str, name: object, known: Sequence[str]) -> Violation:
    text = str(name)[:LONGEST_SHOWN]
    near = get_close_matches(text, known, n=2, cutoff=0.75)
    near = near or [other for other in known if text and text in other][:3]
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    message = f"unknown {what} {written(name)}{hint}"
    return Violation(Code.BAD_CONFIG, "domain", text, written(name), message)


class _Reader:
    """Reads parameters into their types and goes on after a wrong value.

    What it then returns in place of that value is only there to be of the right type:
    with violations found, no rules leave this module.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self.violations = [
            _unknown("parameter", name, PARAMETER_NAMES)
            for name in values
            if name not in PARAMETER_NAMES
        ]

    def rules(self) -> Rules:
        return Rules(
            players=self.player_counts(),
            direction=self.choice("direction", Direction),
            first_dealer=self.first_dealer(),
            pack=self.pack(),
            rank_order=self.choice("rank_order", RankOrder),
            duplicate_winner=self.choice("duplicate_winner", DuplicateWinner),
            deal_shape=self.choice("deal_shape", DealShape),
            deal_low=self.number("deal_low", 1),
            deal_high=self.number_by_players("deal_high", MAX_NUMBER),
            deal_step=self.number("deal_step", 1),
            turn_repeat=self.repeat("turn_repeat"),
            end_repeat=self.repeat("end_repeat"),
            deal_list=self.deal_list(),
            deal_count=self.optional_number_by_players("deal_count", MAX_REPEATS),
            deal_kinds=self.deal_kinds(),
            trump_method=self.choice("trump_method", TrumpMethod),
            trump_suit=self.trump_suit(),
            trump_sequence=self.trump_sequence(),
            turnup_min_rank=self.optional_number("turnup_min_rank", 2, 14),
            turnup_joker=self.choice("turnup_joker", TurnupJoker),
            no_trump_deals=self.choice("no_trump_deals", NoTrumpDeals),
            full_pack_trump=self.choice("full_pack_trump", FullPackTrump),
            bid_mode=self.choice("bid_mode", BidMode),
            hook=self.flag("hook"),
            hook_min_cards=self.number("hook_min_cards", 1),
            bid_amend=self.choice("bid_amend", BidAmend),
            last_bid_amend=self.choice("last_bid_amend", LastBidAmend),
            no_bid_at_score=self.optional_number("no_bid_at_score", 1),
            forehead=self.choice("forehead", Forehead),
            first_leader=self.choice("first_leader", FirstLeader),
            must_trump=self.flag("must_trump"),
            must_overtrump=self.flag("must_overtrump"),
            must_head=self.flag("must_head"),
            joker_mode=self.choice("joker_mode", JokerMode),
            joker_opposite_scope=self.choice(
                "joker_opposite_scope", JokerOppositeScope
            ),
            scoring=self.scoring(),
            end=self.choice("end", End),
            target_score=self.optional_number("target_score", 1),
            overshoot=self.choice("overshoot", Overshoot),
            tie_policy=self.choice("tie_policy", TiePolicy),
            settlement=self.choice("settlement", Settlement),
            stake_per_point=self.number("stake_per_point", 0),
            max_deals=self.optional_number("max_deals", 1),
        )

    def wrong(self, name: str, right: str, *, rule: str = "domain") -> None:
        if name in self._values:
            value = written(self._values[name])
            message = f"{name} = {value}: must be {right}"
        else:
            value = ""
            message = f"{name} is missing: it must be {right}"
        self.violations.append(Violation(Code.BAD_CONFIG, rule, name, value, message))

    def choice(self, name: str, options: type[E]) -> E:
        value = self._values.get(name)
        if isinstance(value, str) and value in options.__members__.values():
            return options(value)
        self.wrong(name, "one of " + ", ".join(options))
        return next(iter(options))

    def flag(self, name: str) -> bool:
        value = self._values.get(name)
        if isinstance(value, bool):
            return value
        self.wrong(name, "true or false")
        return False

    def number(self, name: str, low: int, high: int = MAX_NUMBER) -> int:
        value = self._values.get(name)
        if _is_number(value, low, high):
            return value
        self.wrong(name, _range(low, high))
        return low

    def optional_number(
        self, name: str, low: int, high: int = MAX_NUMBER
    ) -> int | None:
        value = self._values.get(name, "missing")
        if value is None or _is_number(value, low, high):
            return value
        self.wrong(name, f"{_range(low, high)}, or null")
        return None

    def number_by_players(self, name: str, high: int) -> int | ByPlayers[int]:
        value = self._values.get(name)
        if _is_number(value, 1, high):
            return value
        right = _range(1, high)
        table = _by_players(value)
        if table is None:
            self.wrong(name, f"{right}, or a map from number of players to that")
            return 1
        numbers: list[tuple[int, int]] = []
        for players, item in table:
            if not _is_number(item, 1, high):
                self.wrong(name, f"for {players} players {right}")
                return 1
            numbers.append((players, item))
        return tuple(numbers)

    def optional_number_by_players(
        self, name: str, high: int
    ) -> int | ByPlayers[int] | None:
        if name in self._values and self._values[name] is None:
            return None
        return self.number_by_players(name, high)

    def player_counts(self) -> tuple[int, ...]:
        value = self._values.get(PLAYERS)
        if isinstance(value, list | tuple) and value:
            counts = [n for n in value if _is_number(n, 2, MAX_PLAYERS)]
            if len(counts) == len(value):
                return tuple(sorted(set(counts)))
        self.wrong(PLAYERS, f"a list, not empty, of numbers from 2 to {MAX_PLAYERS}")
        return (2,)

    def first_dealer(self) -> str:
        value = self._values.get("first_dealer")
        if isinstance(value, str) and re.fullmatch(
            r"draw_high|random|host|seat:[0-9]", value
        ):
            return value
        self.wrong(
            "first_dealer",
            "draw_high, random, host, or seat:k with k from 0 to players - 1",
        )
        return "host"

    def pack(self) -> PackName | ByPlayers[PackName]:
        value = self._values.get("pack")
        known = PackName.__members__.values()
        if isinstance(value, str) and value in known:
            return PackName(value)
        right = "one of " + ", ".join(PackName)
        table = _by_players(value)
        if table is None:
            self.wrong("pack", f"{right}, or a map from number of players to that")
            return PackName.STD52
        names: list[tuple[int, PackName]] = []
        for players, item in table:
            if not (isinstance(item, str) and item in known):
                self.wrong("pack", f"for {players} players {right}")
                return PackName.STD52
            names.append((players, PackName(item)))
        return tuple(names)

    def repeat(self, name: str) -> int | str:
        value = self._values.get(name)
        if value == PLAYERS:
            return PLAYERS
        if _is_number(value, 1, MAX_REPEATS):
            return value
        self.wrong(name, f'{_range(1, MAX_REPEATS)}, or "{PLAYERS}"', rule="12")
        return 1

    def deal_list(self) -> tuple[int, ...] | None:
        value = self._values.get("deal_list", "missing")
        if value is None:
            return None
        if isinstance(value, list | tuple) and value:
            sizes = [size for size in value if _is_number(size, 1, MAX_NUMBER)]
            if len(sizes) == len(value):
                return tuple(sizes)
        self.wrong("deal_list", "null or a list, not empty, of numbers from 1")
        return None

    def deal_kinds(self) -> ByPlayers[DealKind] | None:
        value = self._values.get("deal_kinds", "missing")
        if value is None:
            return None
        right = "null or a map from deal number (as text, from 1) to one of "
        right += ", ".join(DealKind)
        if not isinstance(value, Mapping):
            self.wrong("deal_kinds", right)
            return None
        kinds: list[tuple[int, DealKind]] = []
        for deal, kind in value.items():
            if not (
                isinstance(deal, str)
                and re.fullmatch(r"[1-9][0-9]{0,9}", deal)
                and isinstance(kind, str)
                and kind in DealKind.__members__.values()
            ):
                self.wrong("deal_kinds", right)
                return None
            kinds.append((int(deal), DealKind(kind)))
        return tuple(sorted(kinds))

    def trump_suit(self) -> str | None:
        value = self._values.get("trump_suit", "missing")
        if value is None or (isinstance(value, str) and value in ("C", "D", "H", "S")):
            return value
        self.wrong("trump_suit", "one of C, D, H, S, or null")
        return None

    def trump_sequence(self) -> tuple[str, ...] | None:
        value = self._values.get("trump_sequence", "missing")
        if value is None:
            return None
        if isinstance(value, list | tuple) and value:
            steps = [
                step
                for step in value
                if isinstance(step, str) and step in ("C", "D", "H", "S", "NT")
            ]
            if len(steps) == len(value):
                return tuple(steps)
        self.wrong("trump_sequence", "null or a list, not empty, of C, D, H, S, NT")
        return None

    def scoring(self) -> str | Coefficients:
        value = self._values.get("scoring")
        if isinstance(value, str) and (value in SCHEMES or value == NINETY_NINE):
            return value
        if isinstance(value, Mapping) and value:
            given = {
                key: item
                for key, item in value.items()
                if isinstance(key, str)
                and key in Coefficients._fields
                and _is_number(item, -MAX_COEFFICIENT, MAX_COEFFICIENT)
            }
            if len(given) == len(value):
                return Coefficients(**given)
        names = ", ".join([*SCHEMES, NINETY_NINE])
        self.wrong(
            "scoring",
            f"one of {names}, or a map from {', '.join(Coefficients._fields)} to"
            f" whole numbers from -{MAX_COEFFICIENT} to {MAX_COEFFICIENT}",
        )
        return next(iter(SCHEMES))


def _is_number(value: object, low: int, high: int) -> TypeGuard[int]:
    """True and False are numbers to Python and to nobody else."""
    return type(value) is int and low <= value <= high


def _range(low: int, high: int) -> str:
    if high == MAX_NUMBER:
        return f"a whole number from {low}"
    return f"a whole number from {low} to {high}"


def _by_players(value: object) -> list[tuple[int, object]] | None:
    """Items by number of players, or None when it is no such map."""
    if not isinstance(value, Mapping):
        return None
    allowed = {str(n): n for n in range(2, MAX_PLAYERS + 1)}
    if not all(isinstance(key, str) and key in allowed for key in value):
        return None
    return sorted(
        [(allowed[key], item) for key, item in value.items()], key=lambda pair: pair[0]
    )
