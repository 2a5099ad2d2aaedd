"""docs/rules.md tells every name that a rule set may use, and its combination rules."""

import re
from enum import StrEnum
from pathlib import Path

import pytest

from engine import parameters
from engine.pack import PackName
from engine.presets import ALIASES, PRESETS
from engine.rules import PARAMETER_NAMES
from engine.scoring import SCHEMES

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
FIRST_CELLS = re.findall(r"^\| (`.+?`|[0-9a-z]+) \|", PAGE, flags=re.MULTILINE)
QUOTED = set(re.findall(r"`([A-Za-z0-9_]+)`", PAGE))


def test_every_parameter_has_its_row() -> None:
    rows = {name: FIRST_CELLS.count(f"`{name}`") for name in PARAMETER_NAMES}
    assert rows == dict.fromkeys(PARAMETER_NAMES, 1)


@pytest.mark.parametrize(
    "choices",
    [c for c in vars(parameters).values() if isinstance(c, type) and c is not StrEnum],
)
def test_every_choice_is_told(choices: type[StrEnum]) -> None:
    assert [choice.value for choice in choices if choice.value not in QUOTED] == []


def test_every_pack_preset_and_alias_is_told() -> None:
    assert {*PackName, *PRESETS, *ALIASES} - QUOTED == set()


def test_preset_rows_are_those_of_the_engine() -> None:
    for name, preset in PRESETS.items():
        extends = f"`{preset.extends}`" if preset.extends else ""
        assert f"| `{name}` | {extends} | {preset.title} |" in PAGE


def test_scheme_rows_are_those_of_the_engine() -> None:
    for name, coefficients in SCHEMES.items():
        numbers = " | ".join(str(number) for number in coefficients)
        assert f"| `{name}` | {numbers} |" in PAGE


def test_every_combination_rule_has_its_row() -> None:
    numbered = {cell for cell in FIRST_CELLS if cell.isdigit()}
    # What would be 13 is the row of values needed by others, reported as "domain".
    assert numbered == {str(number) for number in range(1, 19)} - {"13"}
    assert "domain" in FIRST_CELLS
