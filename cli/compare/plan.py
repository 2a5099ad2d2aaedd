"""The tournament behind a comparison: two bots and a field, always at one table."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from cli.house import HOUSE_BOTS
from server.address import Address
from tournament.spec import Spec, parse_spec, toml

NAMES: Final = ("A", "B")
USUAL_FIELD: Final = ("expected-tricks", "greedy")
"""In turn, for as many seats as are left."""
LOOKAHEAD: Final = 8
"""Blocks that are still played after the decision."""
STDIO: Final = "stdio:"


class CannotPlan(Exception):
    """The message says what is wrong with a bot that was named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be compared, and how far; `overrides` replace rules of the preset."""

    bots: tuple[str, str]
    field: Sequence[str] | None
    preset: str
    overrides: Mapping[str, object]
    players: int
    blocks: int
    early: bool
    """Whether it ends once it is decided."""
    trusted: bool
    seed: int | None
    name: str


def spec_of(wish: Wish) -> tuple[Spec, tuple[str, ...]]:
    """Write the spec and read it; A, B and the field as given.

    CannotPlan, IllegalSpec.
    """
    field = wish.field
    if field is None:
        field = [USUAL_FIELD[i % 2] for i in range(wish.players - len(NAMES))]
    if len(field) != wish.players - len(NAMES):
        raise CannotPlan(
            f"{wish.players} players are A, B and {wish.players - len(NAMES)} more:"
            f" --field has {len(field)}"
        )
    for parameter, value in wish.overrides.items():
        if value is None:
            raise CannotPlan(f"--set {parameter}=null: a tournament's spec has no null")
    bots = (*wish.bots, *field)
    top: dict[str, object] = {
        "name": wish.name,
        "seats": wish.players,
        "lookahead": LOOKAHEAD,
    }
    if wish.seed is not None:
        top["seed"] = wish.seed
    schedule: dict[str, object] = {"blocks": wish.blocks}
    if wish.early:
        schedule["decide"] = list(NAMES)
    text = toml.document(
        [
            ("", top),
            ("[rules]", {"preset": wish.preset}),
            ("[rules.overrides]", wish.overrides),
            ("[schedule]", schedule),
            *(("[[bots]]", keys) for keys in _entrants(bots, trusted=wish.trusted)),
        ]
    )
    # It is named in messages, and relative commands begin beside it: here.
    spec = parse_spec(text, file=Path("ohhell compare"), house_bots=HOUSE_BOTS)
    return spec, bots


def _entrants(bots: Sequence[str], *, trusted: bool) -> list[Mapping[str, object]]:
    others = len(bots) - len(NAMES)
    names = [*NAMES, *(f"field-{number}" for number in range(1, others + 1))]
    return [
        {"name": name, **_source(bot, trusted=trusted)}
        for name, bot in zip(names, bots, strict=True)
    ]


def _source(bot: str, *, trusted: bool) -> Mapping[str, object]:
    """A house bot's name, HOST:PORT, or a command."""
    if bot in HOUSE_BOTS:
        return {"house": bot, "in_process": True}
    try:
        address = Address.of(bot)
    except ValueError:
        return _command(bot) | ({"trusted": True} if trusted else {})
    return {"address": str(address), "trusted": trusted}


def _meant(word: str) -> str:
    """What a word may have been meant to be: a file here, or a house bot."""
    if Path(word).is_file():
        right = f"python {word}" if word.endswith(".py") else f"./{word}"
        return f"; for the file of that name write {right!r}"
    near = get_close_matches(word, HOUSE_BOTS, n=1)
    hint = f"; did you mean {near[0]}?" if near else "."
    return f"{hint} There are: {', '.join(HOUSE_BOTS)}"


def _command(bot: str) -> dict[str, object]:
    text = bot.removeprefix(STDIO)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CannotPlan(f"{bot!r} is no command: {error}") from None
    if not words:
        raise CannotPlan(
            "a bot is a house bot, HOST:PORT, or a command, as in --bot 'python bot.py'"
        )
    if len(words) == 1 and os.sep not in text and shutil.which(text) is None:
        raise CannotPlan(
            f"{text!r} is no program in PATH and no house bot{_meant(text)}"
        )
    keys: dict[str, object] = {"command": words}
    return keys | ({"protocol": "stdio"} if text != bot else {})
