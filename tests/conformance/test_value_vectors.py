"""Vectors whose answer is a function of plain values, and refused rule sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conformance.positions import POSITIONS
from cli.conformance.vectors import ANSWERS, Question, answer, rule_reference
from engine.errors import Code, IllegalRules
from engine.rules import Rules

DATA = Path(__file__).parent / "data"
GAMES = ("stress_valid", "transcripts", "transcripts_related")

VECTORS = [
    case
    for case in json.loads((DATA / "vectors_public.json").read_text())["cases"]
    if case["kind"] in ANSWERS
]
REFUSED = [
    json.loads(line)
    for line in (DATA / "stress_invalid_public.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["id"])
def test_the_engine_answers_as_the_vector_expects(case: dict[str, Any]) -> None:
    assert answer(case["kind"], case["input"]) == case["expected"]


def test_every_kind_answered_here_is_asked_by_some_vector() -> None:
    assert {case["kind"] for case in VECTORS} == set(ANSWERS)


def test_totals_count_a_trick_each_for_a_seat_that_did_not_bid() -> None:
    deals = [
        {"cards": 3, "bids": [0, None, 2], "won": [0, 1, 2]},
        {"cards": 3, "bids": [1, 1, None], "won": [0, 1, 2]},
    ]
    assert answer("totals", {"scheme": "romanian", "deals": deals}) == [4, 7, 9]


def test_totals_of_ninety_nine_hold_the_bonus_of_those_who_made_their_bid() -> None:
    deals = [
        {"cards": 9, "bids": [3, 3, 3], "won": [3, 3, 3]},
        {"cards": 9, "bids": [3, 6, 1], "won": [3, 6, 0]},
        {"cards": 9, "bids": [4, 9, 5], "won": [4, 0, 5]},
    ]
    answers = answer("totals", {"scheme": "ninety_nine", "deals": deals})
    assert answers == [13 + 23 + 24, 13 + 26 + 0, 13 + 0 + 25]


@pytest.mark.parametrize(
    ("pack", "lowest"),
    [("bust39", "5"), ("atk50", "3"), ("spanish40", "2"), ("wiz60", "2")],
)
def test_the_lowest_rank_is_that_of_any_suit(pack: str, lowest: str) -> None:
    answers = answer("pack", {"pack": pack, "report": ["lowest_rank"]})
    assert answers == {"lowest_rank": lowest}


def test_jokers_are_counted_as_a_suit() -> None:
    for pack, jokers in (("std54", 2), ("std52", 0)):
        assert answer("pack", {"pack": pack, "report": ["suit:X"]}) == {
            "suit:X": jokers
        }


def test_a_question_about_a_trick_uses_the_packs_that_the_rules_name() -> None:
    rules = {"preset": "bust", "set": {"pack": {"5": "bust65"}}}
    question = {"rules": rules, "trump": "NT", "plays": [["2C", None], ["2C", None]]}
    assert POSITIONS["trick_winner"](Question(question)) == 1


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_illegal_rules_are_refused_for_the_right_reason(
    case: dict[str, Any],
) -> None:
    preset, overrides = rule_reference(case["rules"])
    with pytest.raises(IllegalRules) as refused:
        Rules.of(preset, overrides, players=case["players"])
    assert refused.value.code == case["expected"]["error"]
    assert case["expected"]["rule"] in {v.rule for v in refused.value.violations}


@pytest.mark.parametrize("name", GAMES)
def test_rules_of_whole_games_are_legal_and_warn_where_they_should(name: str) -> None:
    for line in (DATA / f"{name}_public.jsonl").read_text().splitlines():
        game = json.loads(line)
        preset, overrides = rule_reference(game["rules"])
        rules = Rules.of(preset, overrides, players=game["players"])
        warned = [int(warning.rule) for warning in rules.warnings(game["players"])]
        assert warned == game.get("warn", []), game["id"]


def test_a_wrong_player_count_comes_before_other_faults() -> None:
    with pytest.raises(IllegalRules) as refused:
        Rules.of("pagat_standard", {"deal_step": 0, "hooks": True}, players=8)
    assert [v.code for v in refused.value.violations] == [
        Code.BAD_PLAYER_COUNT,
        Code.BAD_CONFIG,
        Code.BAD_CONFIG,
    ]
