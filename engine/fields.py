"""Strict reading of the lines of a record."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import IntEnum
from typing import TypeVar

from engine.cards import card_code, cards_from, trump_code
from engine.errors import NotationError, RecordError
from engine.events import joined

T = TypeVar("T")
M = TypeVar("M", bound=IntEnum)


class Fields:
    """One JSON object, read strictly: each field once, of its type, and no other."""

    def __init__(self, values: dict[str, object]) -> None:
        self._left = values

    @classmethod
    def of(cls, line: str) -> Fields:
        try:
            value: object = json.loads(line, object_pairs_hook=_each_once)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"no JSON, or cut off: {error}") from None
        if not isinstance(value, dict):
            raise RecordError(f"expected an object, not {_short(value)}")
        return cls(value)

    def has(self, name: str) -> bool:
        return name in self._left

    def end(self) -> None:
        if self._left:
            raise RecordError(f"unknown fields: {' '.join(self._left)}")

    def all(self) -> dict[str, object]:
        """Takes every field that is left."""
        left, self._left = self._left, {}
        return left

    def only_one_left(self) -> str:
        if len(self._left) != 1:
            raise RecordError(
                f"expected one event, not {' '.join(self._left) or 'none'}"
            )
        return next(iter(self._left))

    def _take(self, name: str) -> object:
        if name not in self._left:
            raise RecordError(f"{name} is missing")
        return self._left.pop(name)

    def number(self, name: str) -> int:
        return _number(name, self._take(name))

    def text(self, name: str) -> str:
        return _text(name, self._take(name))

    def mark(self, name: str) -> bool:
        """There and true, or not there."""
        if not self.has(name):
            return False
        value = self._take(name)
        if value is not True:
            raise RecordError(f"{name}: expected true, not {_short(value)}")
        return True

    def fields(self, name: str) -> Fields:
        value = self._take(name)
        if not isinstance(value, dict):
            raise RecordError(f"{name}: expected an object, not {_short(value)}")
        return Fields(dict(value))

    def _items(self, name: str) -> list[object]:
        value = self._take(name)
        if not isinstance(value, list):
            raise RecordError(f"{name}: expected a list, not {_short(value)}")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        return tuple([_number(name, item) for item in self._items(name)])

    def numbers_or_none(self, name: str) -> list[int | None]:
        items = self._items(name)
        return [None if item is None else _number(name, item) for item in items]

    def texts(self, name: str) -> list[str]:
        return [_text(name, item) for item in self._items(name)]

    def member(self, name: str, members: type[M]) -> M:
        return _member(name, self.text(name), members)

    def members(self, name: str, members: type[M]) -> list[M]:
        return [_member(name, text, members) for text in self.texts(name)]

    def card(self, name: str) -> int:
        return _read(name, card_code, self.text(name))

    def trump(self, name: str) -> int:
        return _read(name, trump_code, self.text(name))

    def hands(self, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return joined([_read(name, cards_from, text) for text in self.texts(name)])


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise RecordError("a field stands there twice")
    return fields


def _number(name: str, value: object) -> int:
    if type(value) is not int:
        raise RecordError(f"{name}: expected a whole number, not {_short(value)}")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{name}: expected text, not {_short(value)}")
    return value


def _member(name: str, text: str, members: type[M]) -> M:
    if text not in members.__members__:
        known = " ".join(members.__members__)
        raise RecordError(f"{name}: {_short(text)} is none of {known}")
    return members[text]


def _read(name: str, reader: Callable[[str], T], text: str) -> T:
    try:
        return reader(text)
    except NotationError as error:
        raise RecordError(f"{name}: {error}") from None


def _short(value: object) -> str:
    return repr(value)[:60]
