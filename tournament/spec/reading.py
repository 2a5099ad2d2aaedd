"""Reading tables of TOML so that every mistake is found in one go.

A `Table` hands out values of the type asked for and notes what is wrong with others;
what it gives in place of a wrong one only serves to go on looking for more mistakes.
"""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

T = TypeVar("T")

LONGEST_SHOWN = 63
"""Characters of a name that says which table is meant."""

_TYPE_NAMES = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    float: "a number",
    dt.date: "a date",
    dt.time: "a time",
    dt.datetime: "a date with a time",
}


class Mistake(NamedTuple):
    """`path` is the key as a person would look for it, `right` what would be right."""

    path: str
    wrong: str
    right: str

    def __str__(self) -> str:
        """Put the parts on one line."""
        return f"{self.path}: {self.wrong}; {self.right}"


class IllegalSpec(Exception):
    """A spec that cannot be played, with every reason at once."""

    def __init__(self, file: str, mistakes: Iterable[Mistake]) -> None:
        self.file = file
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(f"{file}: {mistake}" for mistake in self.mistakes))


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known word was probably meant, or list them all."""
    words = sorted(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    if close:
        return f'did you mean "{close[0]}"?'
    if not words:
        return "nothing is known here"
    shown = ", ".join(words[:12]) + (", ..." if len(words) > 12 else "")
    return f"known are: {shown}"


def _fits_a_line(name: str) -> bool:
    return name.isprintable() and 0 < len(name) <= LONGEST_SHOWN


@dataclass
class Table:
    """One table of a spec; `mistakes` is shared by all tables of the same spec."""

    path: str
    keys: Mapping[str, object]
    mistakes: list[Mistake]
    _asked: set[str] = field(default_factory=set)

    def wrong(self, key: str, wrong: str, right: str) -> None:
        """Note a mistake at `key` of this table ("" = the table itself)."""
        path = ".".join(part for part in (self.path, key) if part)
        self.mistakes.append(Mistake(path, wrong, right))

    def __contains__(self, key: object) -> bool:
        """Tell whether the key is there, whatever its value."""
        return key in self.keys

    def get(self, key: str, kind: type[T], default: T) -> T:
        """Give the value, or `default` where it is absent or of another type."""
        self._asked.add(key)
        if key not in self.keys:
            return default
        value = self.keys[key]
        # bool is an int to Python, never to a reader of a spec.
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        found = _TYPE_NAMES.get(type(value), type(value).__name__)
        self.wrong(key, f"is {found} ({value!r})", f"it must be {_TYPE_NAMES[kind]}")
        return default

    def require(self, key: str, kind: type[T], stand_in: T) -> T:
        """As `get`, and note a mistake where the key is absent."""
        if key not in self.keys:
            self._asked.add(key)
            self.wrong(key, "is missing", f"give {_TYPE_NAMES[kind]}")
            return stand_in
        return self.get(key, kind, stand_in)

    def number(self, key: str, default: int, *, least: int, most: int) -> int:
        """Give a whole number of the range least..most."""
        value = self.get(key, int, default)
        if not least <= value <= most:
            self.wrong(key, f"is {value}", f"it must be {least} to {most}")
            return default
        return value

    def table(self, key: str) -> Table:
        """Give a table inside this one, empty where it is absent."""
        path = ".".join(part for part in (self.path, key) if part)
        return Table(path, self.get(key, dict, {}), self.mistakes)

    def tables(self, key: str) -> list[Table]:
        """Give the tables of a `[[key]]` list; they are counted from 1."""
        found = []
        for place, item in enumerate(self.get(key, list, []), start=1):
            path = f"{key} #{place}"
            if isinstance(item, dict):
                name = item.get("name", item.get("house"))
                if isinstance(name, str) and _fits_a_line(name):
                    path += f" ({name})"
                found.append(Table(path, item, self.mistakes))
            else:
                right = f"write it as a table under [[{key}]]"
                self.mistakes.append(Mistake(path, f"is {item!r}", right))
        return found

    def strings(self, key: str) -> tuple[str, ...]:
        """Give a list of strings, empty where it is absent or wrong."""
        items = self.get(key, list, [])
        if not all(isinstance(item, str) for item in items):
            self.wrong(key, f"is {items!r}", "it must be a list of strings")
            return ()
        if any("\0" in item for item in items):
            self.wrong(key, f"is {items!r}", "no string in it may hold a NUL")
            return ()
        return tuple(items)

    def finish(self) -> None:
        """Note every key that nobody asked for."""
        for key in self.keys:
            if key not in self._asked:
                self.wrong(key, "is not a known key", nearest(key, self._asked))
