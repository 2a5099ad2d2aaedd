"""Data files against the engine: a verdict for each case."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
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
    """A file with no cases to be found in it; the message names it."""


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Verdict(NamedTuple):
    """`why` is the first difference, or the reason to skip.

    A case without an id goes by its place in its file.
    """

    id: str
    outcome: Outcome
    why: str = ""


def verdicts(path: Path) -> Iterator[Verdict]:
    """One for each case of a file, in order.

    A case that is not of the documented form fails, and the others are judged.
    """
    text = _read(path)
    if path.suffix == ".jsonl":
        # Not `splitlines`: a text may hold what it takes for the end of a line.
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield _verdict_of_line(f"{path.name}, line {number}", line)
        return
    for number, case in enumerate(_vectors(path, text), start=1):
        yield _verdict(f"{path.name}, case {number}", case, run_vector)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadFile(f"{path}: cannot be read: {reason}") from None


def _vectors(path: Path, text: str) -> Sequence[object]:
    try:
        whole = Question(json.loads(text))
        version = whole.number("format")
        cases = whole.items("cases")
    except json.JSONDecodeError as error:
        raise BadFile(f"{path}: no JSON: {error}") from None
    except BadQuestion as error:
        raise BadFile(f"{path}: {error}") from None
    if version != FORMAT:
        raise BadFile(f"{path}: format {version}, and only {FORMAT} can be read")
    return cases


def _verdict_of_line(place: str, line: str) -> Verdict:
    try:
        case: object = json.loads(line)
    except json.JSONDecodeError as error:
        return Verdict(place, Outcome.FAILED, f"no JSON: {error}")
    return _verdict(place, case, run_line)


def _verdict(place: str, item: object, run: Callable[[Question], None]) -> Verdict:
    name = place
    try:
        case = Question(item)
        name = case.text("id")
        run(case)
    except Unknown as unknown:
        return Verdict(name, Outcome.SKIPPED, str(unknown))
    except (Difference, EngineError) as error:
        return Verdict(name, Outcome.FAILED, str(error))
    except BadQuestion as error:
        why = f"not of the documented form: {error}"
        return Verdict(name, Outcome.FAILED, why)
    except Exception as crash:  # noqa: BLE001 - it fails this case, not the others
        why = f"the engine raised {type(crash).__name__}: {crash}"
        return Verdict(name, Outcome.FAILED, why)
    return Verdict(name, Outcome.PASSED)


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


def run_line(case: Question) -> None:
    """A game or a refused rule set; one has deals, the other what is expected."""
    if case.has("deals"):
        run_game(case)
    elif case.has("expected"):
        run_refusal(case)
    else:
        raise BadQuestion(
            "neither a game (with deals) nor a refused rule set (with expected)"
        )


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
