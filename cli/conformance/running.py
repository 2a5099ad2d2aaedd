"""Data files against the engine: a verdict for each case."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from cli.conformance.commands import Difference, compare
from cli.conformance.games import run_game
from cli.conformance.positions import POSITIONS
from cli.conformance.vectors import ANSWERS, BadQuestion, Question, rule_reference
from engine.errors import EngineError, IllegalRules
from engine.rules import Rules

FORMAT = 1


class BadFile(Exception):
    """A file that is not of the documented form; the message names file and place."""


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Verdict(NamedTuple):
    """`why` is the first difference, or the reason to skip."""

    id: str
    outcome: Outcome
    why: str = ""


def verdicts(path: Path) -> Iterator[Verdict]:
    """One for each case of a file, in order; BadFile where it is not of the form."""
    for place, case, run in _cases(path):
        try:
            name = case.text("id")
            yield _verdict(name, case, run)
        except BadQuestion as error:
            raise BadFile(f"{path}: {place}: {error}") from None


def _verdict(name: str, case: Question, run: Callable[[Question], None]) -> Verdict:
    try:
        run(case)
    except Unknown as unknown:
        return Verdict(name, Outcome.SKIPPED, str(unknown))
    except (Difference, EngineError) as error:
        return Verdict(name, Outcome.FAILED, str(error))
    except BadQuestion:
        raise
    except Exception as crash:  # noqa: BLE001 - it fails this case, not the others
        why = f"the engine raised {type(crash).__name__}: {crash}"
        return Verdict(name, Outcome.FAILED, why)
    return Verdict(name, Outcome.PASSED)


Case = tuple[str, Question, Callable[[Question], None]]


def _cases(path: Path) -> Iterator[Case]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadFile(f"{path}: cannot be read: {reason}") from None
    if path.suffix == ".jsonl":
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                place = f"line {number}"
                case = _question(_json(path, place, line), path, place)
                yield place, case, _runner(case, path, place)
        return
    whole = _question(_json(path, "the file", text), path, "the file")
    try:
        version = whole.number("format")
        cases = whole.items("cases")
    except BadQuestion as error:
        raise BadFile(f"{path}: {error}") from None
    if version != FORMAT:
        raise BadFile(f"{path}: format {version}, and only {FORMAT} can be read")
    for number, item in enumerate(cases, start=1):
        place = f"case {number}"
        yield place, _question(item, path, place), run_vector


def _json(path: Path, place: str, text: str) -> object:
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadFile(f"{path}: {place}: no JSON: {error}") from None
    return value


def _question(value: object, path: Path, place: str) -> Question:
    try:
        return Question(value)
    except BadQuestion as error:
        raise BadFile(f"{path}: {place}: {error}") from None


def _runner(case: Question, path: Path, place: str) -> Callable[[Question], None]:
    if case.has("deals"):
        return run_game
    if case.has("expected"):
        return run_refusal
    raise BadFile(
        f"{path}: {place}: neither a game (with deals) nor a refused rule set (with"
        " expected)"
    )


class Unknown(Exception):
    """A kind of question that this version has no answer to."""


def run_vector(case: Question) -> None:
    """One question and its answer."""
    kind = case.text("kind")
    answers = ANSWERS.get(kind) or POSITIONS.get(kind)
    if answers is None:
        raise Unknown(f"unknown kind {kind!r}")
    got = answers(case.question("input"))
    compare(kind, expected=case.value("expected"), got=got)


def run_refusal(case: Question) -> None:
    """A rule set that must be refused."""
    preset, overrides = rule_reference(case.value("rules"))
    expected = case.question("expected").text("error")
    got = "accepted"
    try:
        Rules.of(preset, overrides, players=case.number("players"))
    except IllegalRules as error:
        got = str(error.code)
    compare("rules", expected=expected, got=got)
