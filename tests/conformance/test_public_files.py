"""Every public data file, and proof that the runner notices what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cli.conformance.app import conformance
from cli.conformance.commands import Difference
from cli.conformance.games import run_game
from cli.conformance.running import Outcome, verdicts
from cli.conformance.vectors import Question

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*_public.json*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_engine_agrees_with_every_case(path: Path) -> None:
    found = list(verdicts(path))
    assert found
    assert [v for v in found if v.outcome is not Outcome.PASSED] == []


def games() -> list[dict[str, Any]]:
    lines = (DATA / "stress_valid_public.jsonl").read_text().splitlines()
    lines += (DATA / "transcripts_related_public.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def entry_of(kind: str, length: int | None = None) -> tuple[dict[str, Any], list[Any]]:
    """A copy of a game with a log entry of this kind, and the entry in it."""
    for game in games():
        for deal in game["deals"]:
            for place, entry in enumerate(deal["log"]):
                if entry[0] == kind and length in (None, len(entry)):
                    found = copy.deepcopy(game)
                    log = found["deals"][game["deals"].index(deal)]["log"]
                    return found, log[place]
    raise AssertionError(f"no entry {kind}")


def change_legal_bids(entry: list[Any]) -> None:
    entry[3] = entry[3][:-1]


def change_legal_cards(entry: list[Any]) -> None:
    entry[3] += " 2C"


def change_call_rule(entry: list[Any]) -> None:
    entry[5] = "fixed:high" if entry[5] != "fixed:high" else "free"


def change_winner(entry: list[Any]) -> None:
    entry[1] += 1


def change_code(entry: list[Any]) -> None:
    entry[2] = "BAD_CLAIM" if entry[2] != "BAD_CLAIM" else "BAD_SEAT"


def change_hand(entry: list[Any]) -> None:
    entry[4] = entry[4][3:]


def change_upcard(entry: list[Any]) -> None:
    entry[1] = "2C" if entry[1] != "2C" else "3C"


def change_suits(entry: list[Any]) -> None:
    entry[3] = "C D H"


@pytest.mark.parametrize(
    ("kind", "length", "change"),
    [
        ("b", 4, change_legal_bids),
        ("p", 4, change_legal_cards),
        ("p", 6, change_call_rule),
        ("w", None, change_winner),
        ("x", None, change_code),
        ("c", None, change_hand),
        ("r", None, change_upcard),
        ("t", None, change_suits),
    ],
)
def test_a_game_with_a_wrong_log_entry_fails(
    kind: str, length: int | None, change: Callable[[list[Any]], None]
) -> None:
    game, entry = entry_of(kind, length)
    run_game(Question(game))
    change(entry)
    with pytest.raises(Difference, match=r"deal \d+, log entry"):
        run_game(Question(game))


@pytest.mark.parametrize("name", ["ph", "to", "bids", "left", "table", "won"])
def test_a_game_with_a_wrong_state_after_a_refusal_fails(name: str) -> None:
    game, entry = entry_of("x")
    entry[3][name] = "another"
    with pytest.raises(Difference, match="state"):
        run_game(Question(game))


@pytest.mark.parametrize(
    "name",
    ["cards", "dealer", "up", "trump", "forced_nt", "bids", "won", "points", "totals"],
)
def test_a_game_with_a_wrong_fact_of_a_deal_fails(name: str) -> None:
    game = copy.deepcopy(games()[0])
    game["deals"][0][name] = "another"
    with pytest.raises(Difference, match=name):
        run_game(Question(game))


@pytest.mark.parametrize("name", ["forehead", "extra", "late"])
def test_a_game_with_a_wrong_mark_of_a_deal_fails(name: str) -> None:
    game = copy.deepcopy(games()[0])
    deal = game["deals"][0]
    deal[name] = not deal.get(name, False)
    with pytest.raises(Difference, match=name):
        run_game(Question(game))


@pytest.mark.parametrize("name", ["totals", "winners", "settlement"])
def test_a_game_with_a_wrong_result_fails(name: str) -> None:
    game = copy.deepcopy(games()[0])
    game["result"][name] = [9] * 9
    with pytest.raises(Difference, match=name):
        run_game(Question(game))


def test_a_game_that_goes_on_or_ends_too_early_fails() -> None:
    shorter = copy.deepcopy(games()[0])
    shorter["deals"].pop()
    with pytest.raises(Difference, match="end of the game"):
        run_game(Question(shorter))
    longer = copy.deepcopy(games()[0])
    longer["deals"].append(copy.deepcopy(longer["deals"][-1]))
    with pytest.raises(Difference):
        run_game(Question(longer))


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command()(conformance)
    return app


def test_the_command_prints_what_fails_and_counts(
    app: typer.Typer, tmp_path: Path
) -> None:
    path = tmp_path / "vectors.json"
    cases: list[dict[str, Any]] = [
        {"id": "A", "kind": "bid_order", "input": {"players": 3, "dealer": 0}},
        {"id": "B", "kind": "bid_order", "input": {"players": 3, "dealer": 1}},
        {"id": "C", "kind": "palmistry", "input": {}, "expected": 1},
    ]
    for case in cases[:2]:
        case["expected"] = [1, 2, 0]
    path.write_text(json.dumps({"format": 1, "cases": cases}))
    result = CliRunner().invoke(app, [str(path)])
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "failed B: bid_order: expected [1, 2, 0], got [2, 0, 1]"
    assert lines[1] == "skipped C: unknown kind 'palmistry'"
    assert lines[2] == "1 passed, 1 failed, 1 skipped"
    found = json.loads(CliRunner().invoke(app, [str(path), "--json"]).output)
    assert (found["passed"], found["failed"], found["skipped"]) == (1, 1, 1)
    assert [case["id"] for case in found["cases"]] == ["B", "C"]


def test_the_command_ends_well_when_all_pass(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, [str(DATA / "stress_invalid_public.jsonl")])
    assert result.exit_code == 0
    assert result.output == "142 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("AC ZZ 2C", "CARD_NOT_HELD"),
        ("AC", "BAD_BID_CARDS"),
        (None, "BAD_BID_CARDS"),
        ([], "BAD_BID_CARDS"),
    ],
)
def test_refused_bid_cards_may_be_anything(cards: object, code: str) -> None:
    game, entry = entry_of("c")
    log = next(deal["log"] for deal in game["deals"] if entry in deal["log"])
    refused = next(e for e in log if e[0] == "x" and e[3]["ph"] == "BIDDING")
    refused[1:3] = [["c", refused[3]["to"][0], cards, None], code]
    run_game(Question(game))
