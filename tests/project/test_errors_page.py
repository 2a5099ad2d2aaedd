"""The reference of errors has every reason that the service gives, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from grpc import StatusCode

from engine.errors import Code
from server.rpc.reasons import GROUPS, REASONS, Again
from tests.project.errors_page import PAGE, page
from tests.project.tree import ROOT

REFUSES = {
    *("Problem", "LobbyRefused", "RegistrationRefused", "WatchRefused", "Reply"),
    *("problem_of_reason", "too_many", "violation", "_refuse", "cls", "__init__"),
}
"""Calls that name a reason."""
NAME = re.compile(r"[A-Z]{3,}(_[A-Z]+)*")
NEVER_RIGHT = {
    *("BAD_SEAT", "BID_NOT_INTEGER", "BAD_BID_CARDS", "BAD_CLAIM", "BAD_TRUMP_CHOICE"),
    *("CARD_HIDDEN", "BAD_CALL", "BAD_PLAYER_COUNT", "BAD_CONFIG", "WRONG_BID_MODE"),
}
"""Codes of the game for what cannot be right at any moment."""


def given() -> Iterator[tuple[str, StatusCode | None]]:
    """Reasons in the source, with the status that stands beside some of them."""
    for folder in ("server", "tournament/rpc"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                yield from named(node)


def named(node: ast.AST) -> Iterator[tuple[str, StatusCode | None]]:
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if (
            called in REFUSES
        ):
            parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Tuple(elts=[ast.Attribute(value=ast.Name(id="StatusCode")), *_]):
            parts = node.elts
        case _:
            return
    statuses = [
        StatusCode[part.attr]
        for part in parts
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id == "StatusCode"
    ]
    for part in parts:
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and NAME.fullmatch(part.value)
        ):
            yield part.value, statuses[0] if statuses else None


def test_every_reason_that_is_given_is_in_the_table_and_no_other() -> None:
    found = {reason for reason, _ in given()}
    assert found | set(Code) == REASONS.keys()


def test_a_reason_is_given_with_one_status() -> None:
    beside = [(reason, status) for reason, status in given() if status is not None]
    assert len(beside) > 20
    for reason, status in beside:
        assert status is REASONS[reason].status, reason


def test_codes_of_the_game_are_wrong_for_ever_or_just_now() -> None:
    for code in Code:
        expected = (
            StatusCode.INVALID_ARGUMENT
            if code in NEVER_RIGHT
            else StatusCode.FAILED_PRECONDITION
        )
        assert REASONS[code].status is expected, code


def test_who_is_sent_away_or_too_fast_may_come_again() -> None:
    for name, reason in REASONS.items():
        passing = reason.status in (
            StatusCode.UNAVAILABLE,
            StatusCode.RESOURCE_EXHAUSTED,
        )
        assert not passing or reason.again is Again.LATER, name


def test_no_reason_stands_in_two_groups() -> None:
    assert sum(map(len, GROUPS.values())) == len(REASONS)


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
