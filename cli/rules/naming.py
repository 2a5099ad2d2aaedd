"""Rule sets as people name them on a command line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.exits import fail
from engine.errors import IllegalRules
from engine.presets import PRESETS, preset_called
from engine.rules import Rules

USUAL_PLAYERS: Final = 4


class Choice(NamedTuple):
    """Legal rules for a number of players, and the preset they come from."""

    preset: str
    rules: Rules
    players: int

    @property
    def title(self) -> str:
        """The line about the preset."""
        return PRESETS[self.preset].title


def preset_named(name: str) -> str:
    """Find a preset by its name or another one, in any spelling; or end the command."""
    if found := preset_called(name):
        return found
    try:
        Rules.of(name)
    except IllegalRules as error:
        fail(f"{error}\n`ohhell rules list` names the presets")
    raise AssertionError


def chosen(preset: str, settings: Sequence[str] | None, players: int | None) -> Choice:
    """Take rules as they were asked for; or end the command with what is wrong.

    Without a number of players it is four, or the nearest number that the rules allow.
    """
    name = preset_named(preset)
    overrides = overrides_of(settings)
    try:
        number = players
        if number is None:
            number = usual_players(Rules.of(name, overrides))
        return Choice(name, Rules.of(name, overrides, players=number), number)
    except IllegalRules as error:
        fail("\n".join(violation.message for violation in error.violations))


def usual_players(rules: Rules) -> int:
    """Give four, or the nearest number that the rules allow, the lower of two."""
    return min(rules.players, key=lambda n: (abs(n - USUAL_PLAYERS), n))


def overrides_of(settings: Sequence[str] | None) -> dict[str, object]:
    """Read what --set was given; or end the command with what is wrong."""
    return dict(_setting(text) for text in settings or ())


def _setting(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        fail(f"--set {text}: write NAME=VALUE, as in --set hook=false")
    return name.strip(), _value(value.strip())


def _value(text: str) -> object:
    """Read JSON (null included), a value of TOML, or else a bare word."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
