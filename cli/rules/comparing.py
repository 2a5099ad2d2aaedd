"""What tells two rule sets apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from cli.rules.words import in_words, plan_in_words
from engine.plan import deal_plan
from engine.rules import PARAMETER_NAMES, Rules

WIDTH = 80


class Side(NamedTuple):
    """A preset as one side of a comparison."""

    preset: str
    rules: Rules


class Difference(NamedTuple):
    """A parameter with its JSON values and what they mean, one of each side."""

    parameter: str
    values: tuple[object, object]
    meanings: tuple[str, str]


def differences(one: Rules, other: Rules) -> Iterator[Difference]:
    """Give the parameters with different values, in the order of the reference."""
    mine, theirs = one.parameters(), other.parameters()
    for name in PARAMETER_NAMES:
        if mine[name] != theirs[name]:
            values = (mine[name], theirs[name])
            yield Difference(name, values, (in_words(name, one), in_words(name, other)))


def comparison_document(one: Side, other: Side, players: int | None) -> object:
    """Give the comparison as JSON values."""
    document: dict[str, object] = {
        "presets": [one.preset, other.preset],
        "differences": [
            difference._asdict() for difference in differences(one.rules, other.rules)
        ],
    }
    if players is not None:
        plans = [deal_plan(side.rules, players) for side in (one, other)]
        document["players"] = players
        document["hashes"] = [side.rules.hash(players) for side in (one, other)]
        document["sizes"] = [
            None if plan.length is None else list(plan.sizes()) for plan in plans
        ]
    return document


def comparison_lines(one: Side, other: Side, players: int | None) -> Iterator[str]:
    """Print the comparison within 80 columns."""
    sides = (one, other)
    width = max(len(side.preset) for side in sides)
    found = list(differences(one.rules, other.rules))
    for difference in found:
        yield difference.parameter
        told = zip(sides, difference.values, difference.meanings, strict=True)
        for side, value, meaning in told:
            text = f"{_shown(value)}: {meaning}"
            yield from _hanging(f"  {side.preset:{width}}  ", text)
    if not found:
        yield f"{one.preset} and {other.preset} do not differ in any parameter"
    if players is not None:
        yield f"deals of {players} players"
        for side in sides:
            text = plan_in_words(deal_plan(side.rules, players))
            yield from _hanging(f"  {side.preset:{width}}  ", text)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _hanging(head: str, text: str) -> list[str]:
    return wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * (len(head) + 2)
    )
