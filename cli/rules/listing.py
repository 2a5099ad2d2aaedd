"""The presets, a line each, and the search for one by whatever name it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from engine.presets import ALIASES, PRESETS, find_presets, preset_parameters

WIDTH = 80
_FEWEST_LETTERS = 2


class Listed(NamedTuple):
    """A preset as it is listed; `players` as text, 3-7 or 4."""

    preset: str
    title: str
    players: Sequence[int]
    aliases: Sequence[str]


def found(search: str) -> Iterator[Listed]:
    """Give presets with every word in a name, another name or the title."""
    words = re.split(r"[\W_]+", search.lower())
    # Of l'ascenseur the l says nothing.
    words = [word for word in words if len(word) >= _FEWEST_LETTERS]
    for name in find_presets(" ".join(words)):
        players = preset_parameters(name)["players"]
        assert isinstance(players, list)  # noqa: S101 - data of the engine
        aliases = [alias for alias, of in ALIASES.items() if of == name]
        yield Listed(name, PRESETS[name].title, players, aliases)


def listing_lines(listed: Sequence[Listed]) -> Iterator[str]:
    """Print a line a preset, and further ones for its other names."""
    width = max((len(one.preset) for one in listed), default=0)
    for one in listed:
        low, high = min(one.players), max(one.players)
        players = str(low) if low == high else f"{low}-{high}"
        head = f"{one.preset:{width}}  {players:4} "
        indent = " " * len(head)
        yield from wrap(one.title, WIDTH, initial_indent=head, subsequent_indent=indent)
        if one.aliases:
            names = "also " + ", ".join(one.aliases)
            yield from wrap(
                names, WIDTH, initial_indent=indent, subsequent_indent=indent
            )
