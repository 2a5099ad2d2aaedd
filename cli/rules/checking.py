"""Rule sets in files: what is wrong with them, and for which numbers of players."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Final, NamedTuple

from engine.errors import IllegalRules, Violation
from engine.presets import ALIASES, PRESETS, preset_parameters
from engine.rules import Rules

WIDTH: Final = 80
USUAL_PRESET: Final = "pagat_standard"
_KEYS: Final = frozenset({"preset", "overrides", "hash"})


class NotRules(Exception):
    """The file holds no rules that could be looked at; the message says why."""


class RulesFile(NamedTuple):
    """The [rules] of a file; `seats` where it is the spec of a tournament."""

    preset: str
    overrides: Mapping[str, object]
    seats: int | None


class Finding(NamedTuple):
    """Something wrong, or odd, and for which numbers of players it is."""

    parameter: str
    value: str
    message: str
    rule: str
    players: tuple[int, ...]


@dataclass
class Report:
    """What is wrong; without `violations` the rules can be played by `players`."""

    preset: str
    players: tuple[int, ...]
    violations: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    hashes: dict[int, str] = field(default_factory=dict)


def read_rules(path: Path) -> RulesFile:
    """Read a file with a [rules] table: one of its own, or the spec of a tournament."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotRules(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NotRules(f"{path}: is not text in UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise NotRules(f"{path}: is not TOML: {error}") from error
    table = document.get("rules")
    if not isinstance(table, dict):
        raise NotRules(
            f"{path}: has no [rules] table, which holds preset and, where parameters"
            " differ from it, [rules.overrides]"
        )
    unknown = sorted(table.keys() - _KEYS)
    if unknown:
        raise NotRules(
            f"{path}: rules.{unknown[0]} is unknown: [rules] holds preset and"
            " overrides, and parameters go under [rules.overrides]"
        )
    preset = table.get("preset", USUAL_PRESET)
    overrides = table.get("overrides", {})
    if not isinstance(preset, str):
        raise NotRules(f"{path}: rules.preset must be the name of a preset")
    if not isinstance(overrides, dict):
        raise NotRules(f"{path}: rules.overrides must be a table of parameters")
    seats = document.get("seats")
    return RulesFile(preset, overrides, seats if type(seats) is int else None)


def check(file: RulesFile, players: int | None) -> Report:
    """Check for the players asked for, else for the seats, else for all allowed."""
    wanted = players if players is not None else file.seats
    counts = (wanted,) if wanted is not None else _counts(file)
    report = Report(file.preset, counts)
    found: dict[Violation, list[int]] = {}
    odd: dict[tuple[str, str, str], list[int]] = {}
    for n in counts:
        try:
            rules = Rules.of(file.preset, file.overrides, players=n)
        except IllegalRules as error:
            for violation in error.violations:
                found.setdefault(violation, []).append(n)
            continue
        report.hashes[n] = rules.hash(n)
        for warning in rules.warnings(n):
            odd.setdefault(warning, []).append(n)
    report.violations = [
        Finding(v.parameter, v.value, v.message, v.rule, tuple(at))
        for v, at in found.items()
    ]
    report.warnings = [
        Finding(parameter, "", message, rule, tuple(at))
        for (rule, parameter, message), at in odd.items()
    ]
    return report


def _counts(file: RulesFile) -> tuple[int, ...]:
    """Numbers of players of the rules, or the usual ones where these are at fault."""
    if file.preset not in PRESETS and file.preset not in ALIASES:
        return (min(_usual()),)
    stated = file.overrides.get("players", preset_parameters(file.preset)["players"])
    try:
        return Rules.of(file.preset, {"players": stated}).players
    except IllegalRules:
        return Rules.of(file.preset).players[:1]


def _usual() -> Sequence[int]:
    return Rules.of(USUAL_PRESET).players


def report_document(report: Report) -> dict[str, object]:
    """Give the report as JSON values."""
    return {
        "legal": not report.violations,
        "preset": report.preset,
        "players": list(report.players),
        "violations": [finding._asdict() for finding in report.violations],
        "warnings": [finding._asdict() for finding in report.warnings],
        "hashes": {str(n): digest for n, digest in report.hashes.items()},
    }


def report_lines(report: Report) -> Iterator[str]:
    """Print what was found, each from a new line."""
    for finding in report.violations:
        yield from _wrapped(
            f"{finding.message}{_rule(finding)}{_only(finding, report)}"
        )
    for finding in report.warnings:
        yield from _wrapped(f"warning: {finding.message}{_only(finding, report)}")
    numbers = " ".join(map(str, report.players))
    if report.violations:
        number = len(report.violations)
        things = "1 violation" if number == 1 else f"{number} violations"
        yield f"{things}, checked for {numbers} players"
    else:
        yield f"legal for {numbers} players"


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ")


def _rule(finding: Finding) -> str:
    return f" (rule {finding.rule})" if finding.rule.isdigit() else ""


def _only(finding: Finding, report: Report) -> str:
    if finding.players == report.players:
        return ""
    return f" [with {' '.join(map(str, finding.players))} players]"
