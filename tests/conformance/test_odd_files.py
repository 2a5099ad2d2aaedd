"""Files and cases that nobody planned: named, counted, and in nobody's way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cli.conformance.app import conformance
from cli.conformance.commands import Difference
from cli.conformance.games import run_game
from cli.conformance.running import BadFile, Outcome, verdicts
from cli.conformance.vectors import BadQuestion, Question

DATA = Path(__file__).parent / "data"


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(conformance)
    return app


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[]", "expected an object"),
        ('{"format": 2, "cases": []}', "format 2, and only 1"),
        ('{"cases": []}', "format: expected a whole number"),
        ('{"format": 1, "cases": {}}', "cases: expected a list"),
    ],
)
def test_a_file_without_cases_is_named_and_the_others_are_run(
    text: str, message: str, app: typer.Typer, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(BadFile, match=f"a.json: {message}"):
        list(verdicts(path))
    other = DATA / "stress_invalid_public.jsonl"
    result = CliRunner().invoke(app, [str(path), str(other)])
    assert result.exit_code == 2
    assert result.stdout == "142 passed, 0 failed\n"
    assert f"a.json: {message}" in result.stderr


REFUSAL = '{"id": "R", "rules": {"preset": "no"}, "players": 4, "expected": %s}'


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("deals", "a.jsonl, line 1", "no JSON"),
        ("[3]", "a.jsonl, line 1", "expected an object"),
        ("{}", "a.jsonl, line 1", "id: expected text"),
        ('{"id": "A"}', "A", "neither a game (with deals) nor a refused"),
        ('{"id": "A", "deals": 3}', "A", "rules: expected an object"),
        (REFUSAL % '"BAD_CONFIG"', "R", "expected an object"),
    ],
)
def test_a_case_of_another_form_fails_and_the_next_ones_are_run(
    text: str, name: str, why: str, app: typer.Typer, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    good = REFUSAL % '{"error": "BAD_CONFIG", "rule": "domain"}'
    path.write_text(f"{text}\n\n{good}\n")
    failed, passed = verdicts(path)
    assert (failed.id, failed.outcome) == (name, Outcome.FAILED)
    assert why in failed.why
    assert (passed.id, passed.outcome) == ("R", Outcome.PASSED)
    result = CliRunner().invoke(app, [str(path)])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "1 passed, 1 failed"


def test_a_vector_without_an_id_goes_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"format": 1, "cases": [{"kind": "may_bid"}]}')
    assert [verdict.id for verdict in verdicts(path)] == ["a.json, case 1"]


def test_a_text_may_hold_what_ends_a_line_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    text = REFUSAL % '{"error": "BAD_CONFIG", "rule": "one\u2028two\x85three"}'
    path.write_text(text, encoding="utf-8")
    assert [verdict.outcome for verdict in verdicts(path)] == [Outcome.PASSED]


def test_a_missing_file_is_named(app: typer.Typer, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [str(tmp_path / "none.json")])
    assert result.exit_code == 2
    assert "none.json: cannot be read" in result.output


def two_deals() -> dict[str, Any]:
    """One card each; after the first deal nobody bids, so the second hides nothing."""
    rest = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    first = ["AS", "2S", "3H"]
    second = ["KD", "2D", "4C"]
    card = {"cards": 1, "forced_nt": False}
    overrides = {
        "players": [2],
        "deal_shape": "list",
        "deal_high": 1,
        "deal_list": [1, 1],
        "deal_kinds": {"2": "guess_trump"},
        "no_bid_at_score": 1,
        "hook": False,
    }
    return {
        "id": "two deals",
        "rules": {"preset": "pagat_standard", "set": overrides},
        "players": 2,
        "first_dealer": 0,
        "deals": [
            {
                **card,
                "no": 1,
                "dealer": 0,
                "up": "3H",
                "trump": "H",
                "deck": " ".join([*first, *[c for c in rest if c not in first]]),
                "log": [
                    ["b", 1, 1, [0, 1]],
                    ["b", 0, 0, [0, 1]],
                    ["p", 1, "AS", "AS"],
                    ["p", 0, "2S", "2S"],
                    ["w", 1],
                ],
                "bids": [0, 1],
                "won": [0, 1],
                "points": [10, 11],
                "totals": [10, 11],
            },
            {
                **card,
                "no": 2,
                "dealer": 1,
                "up": "4C",
                "trump": "C",
                "kind": "guess_trump",
                "late": True,
                "deck": " ".join([*second, *[c for c in rest if c not in second]]),
                "log": [
                    ["r", "4C", "C"],
                    ["p", 0, "KD", "KD"],
                    ["p", 1, "2D", "2D"],
                    ["w", 0],
                ],
                "bids": [None, None],
                "won": [1, 0],
                "points": [1, 0],
                "totals": [11, 11],
            },
        ],
        "result": {"totals": [11, 11], "winners": [0, 1], "settlement": None},
    }


def test_a_late_deal_without_bidders_is_open_from_its_start() -> None:
    run_game(Question(two_deals()))
    early = two_deals()
    early["deals"][1]["log"][0] = ["r", "3H", "H"]
    with pytest.raises(Difference, match="deal 2, log entry 1: up"):
        run_game(Question(early))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["b", "0", 1], "BAD_SEAT"),
        (["b", None, 1], "BAD_SEAT"),
        (["b", True, 1], "BAD_SEAT"),
        (["b", 2, 1], "BAD_SEAT"),
        (["t", 1.0, "S"], "BAD_SEAT"),
        (["p", 1, "ZZ"], "CARD_NOT_HELD"),
        (["p", 1, "RC", None], "CARD_NOT_HELD"),
        (["p", 1, 7, None], "CARD_NOT_HELD"),
        (["p", 1, "AS", "high"], "CALL_NOT_ALLOWED"),
        (["p", 1, "AS", 0], "CALL_NOT_ALLOWED"),
        (["p", 0, "ZZ"], "NOT_YOUR_TURN"),
        (["c", 1, "AS ZZ 2S", None], "WRONG_PHASE"),
    ],
)
def test_refused_commands_may_name_what_is_no_seat_or_card(
    command: list[Any], code: str
) -> None:
    game = two_deals()
    state = {
        "ph": "PLAYING",
        "to": [1],
        "bids": [0, 1],
        "left": [1, 1],
        "table": "",
        "won": [0, 0],
    }
    game["deals"][0]["log"].insert(2, ["x", command, code, state])
    run_game(Question(game))


def test_a_command_with_too_many_parts_is_none() -> None:
    game = two_deals()
    game["deals"][0]["log"].insert(2, ["x", ["p", 1, "AS", None, 1], "BAD_CALL", {}])
    with pytest.raises(BadQuestion, match="no command"):
        run_game(Question(game))
