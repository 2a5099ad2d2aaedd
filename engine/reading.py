"""Parameters of a rule set, read from JSON values into their types.

Every value is checked by itself, in use or not; docs/rules.md describes each parameter
under the name it has here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, TypeGuard, TypeVar

from engine.errors import Code, Violation
from engine.pack import PackName
from engine.parameters import MAX_PLAYERS, DealKind
from engine.scoring import NINETY_NINE, SCHEMES, Coefficients
from engine.validation import LONGEST_SHOWN, written

MAX_NUMBER: Final = 1_000_000_000
# Of one size in a row: a plan is sent whole to everybody who asks.
MAX_REPEATS: Final = 10_000
MAX_COEFFICIENT: Final = 1_000
PLAYERS: Final = "players"

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

# A value by number of players, sorted; hashable, unlike the map it is read from.
ByPlayers = tuple[tuple[int, T], ...]


def unknown(what: str, name: object, known: Sequence[str]) -> Violation:
    text = str(name)[:LONGEST_SHOWN]
    near = get_close_matches(text, known, n=2, cutoff=0.75)
    near = near or [other for other in known if text and text in other][:3]
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    message = f"unknown {what} {written(name)}{hint}"
    return Violation(Code.BAD_CONFIG, "domain", text, written(name), message)


class Reader:
    """Reads parameters into their types and goes on after a wrong value.

    What it then returns in place of that value is only there to be of the right type:
    whoever finds `violations` keeps nothing of it.
    """

    def __init__(self, values: Mapping[str, object], names: Sequence[str]) -> None:
        self._values = values
        self.violations = [
            unknown("parameter", name, names) for name in values if name not in names
        ]

    def wrong(self, name: str, right: str, *, rule: str = "domain") -> None:
        if name in self._values:
            value = written(self._values[name])
            message = f"{name} = {value}: must be {right}"
        else:
            value = ""
            message = f"{name} is missing: it must be {right}"
        self.violations.append(Violation(Code.BAD_CONFIG, rule, name, value, message))

    def _is_null(self, name: str) -> bool:
        return name in self._values and self._values[name] is None

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

    def number(
        self, name: str, low: int, high: int = MAX_NUMBER, *, otherwise: str = ""
    ) -> int:
        """`otherwise` is what else a message should offer."""
        value = self._values.get(name)
        if _is_number(value, low, high):
            return value
        self.wrong(name, _range(value, low, high) + otherwise)
        return low

    def optional_number(
        self, name: str, low: int, high: int = MAX_NUMBER
    ) -> int | None:
        if self._is_null(name):
            return None
        return self.number(name, low, high, otherwise=", or null")

    def number_by_players(
        self, name: str, high: int, *, otherwise: str = ""
    ) -> int | ByPlayers[int]:
        """`otherwise` as in `number`."""
        value = self._values.get(name)
        if _is_number(value, 1, high):
            return value
        table = _by_players(value)
        if table is None:
            right = f"{_range(value, 1, high)}, or a map from number of players to that"
            self.wrong(name, right + otherwise)
            return 1
        numbers: list[tuple[int, int]] = []
        for players, item in table:
            if not _is_number(item, 1, high):
                self.wrong(name, f"for {players} players {_range(item, 1, high)}")
                return 1
            numbers.append((players, item))
        return tuple(numbers)

    def optional_number_by_players(
        self, name: str, high: int
    ) -> int | ByPlayers[int] | None:
        if self._is_null(name):
            return None
        return self.number_by_players(name, high, otherwise=", or null")

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
        right = f'{_range(value, 1, MAX_REPEATS)}, or "{PLAYERS}"'
        self.wrong(name, right, rule="12")
        return 1

    def deal_list(self) -> tuple[int, ...] | None:
        if self._is_null("deal_list"):
            return None
        value = self._values.get("deal_list")
        if isinstance(value, list | tuple) and value:
            sizes = [size for size in value if _is_number(size, 1, MAX_NUMBER)]
            if len(sizes) == len(value):
                return tuple(sizes)
        self.wrong("deal_list", "null or a list, not empty, of numbers from 1")
        return None

    def deal_kinds(self) -> ByPlayers[DealKind] | None:
        if self._is_null("deal_kinds"):
            return None
        value = self._values.get("deal_kinds")
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
        return tuple(sorted(kinds)) or None

    def trump_suit(self) -> str | None:
        if self._is_null("trump_suit"):
            return None
        value = self._values.get("trump_suit")
        if isinstance(value, str) and value in ("C", "D", "H", "S"):
            return value
        self.wrong("trump_suit", "one of C, D, H, S, or null")
        return None

    def trump_sequence(self) -> tuple[str, ...] | None:
        if self._is_null("trump_sequence"):
            return None
        value = self._values.get("trump_sequence")
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


def _range(wrong: object, low: int, high: int) -> str:
    """What is right; a limit that nobody meets is told to whoever went over it."""
    if high == MAX_NUMBER and not (type(wrong) is int and wrong > high):
        return f"a whole number from {low}"
    return f"a whole number from {low} to {high}"


def _by_players(value: object) -> list[tuple[int, object]] | None:
    """Items by number of players, sorted; None when it is no such map or empty."""
    counts = {str(n): n for n in range(2, MAX_PLAYERS + 1)}
    if not isinstance(value, Mapping) or not value or not {*value} <= {*counts}:
        return None
    return [(n, value[key]) for key, n in counts.items() if key in value]
