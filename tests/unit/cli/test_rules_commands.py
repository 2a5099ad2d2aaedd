"""`ohhell rules`: what it says is what the engine does."""

from __future__ import annotations

import json
import re
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.rules.deals import deal_rows
from cli.rules.words import KIND_WORDS, PACK_WORDS, in_words, page, points_in_words
from engine import parameters
from engine.pack import PackName
from engine.parameters import DealKind
from engine.plan import certain_no_trump_deals, deal_plan, forehead_deals
from engine.presets import ALIASES, PRESETS, preset_names
from engine.rules import PARAMETER_NAMES, Rules
from engine.scoring import Coefficients

GAMES = [(preset, n) for preset in preset_names() for n in Rules.of(preset).players]


def rules(*arguments: str) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, ["rules", *arguments])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.exit_code, ended.stdout, ended.stderr


def document(*arguments: str) -> Any:  # noqa: ANN401 - JSON is anything
    code, out, err = rules(*arguments, "--json")
    assert code in (0, 1), err
    return json.loads(out)


@pytest.mark.parametrize("alias", [*ALIASES, "Up and Down the River", "l'Ascenseur"])
def test_a_preset_is_found_by_every_name_it_has(alias: str) -> None:
    found = [one["preset"] for one in document("list", "--search", alias)]
    assert ALIASES.get(alias, "pagat_standard") in found


def test_all_presets_are_listed_in_lines_that_fit() -> None:
    _, out, _ = rules("list")
    listed = [line.split()[0] for line in out.splitlines() if line[0] != " "]
    assert listed == list(PRESETS)
    assert max(map(len, out.splitlines())) <= 80


def test_a_search_without_result_says_so() -> None:
    code, out, err = rules("list", "--search", "poker")
    assert (code, out) == (1, "")
    assert "no preset goes by 'poker'" in err


@pytest.mark.parametrize("preset", preset_names())
def test_what_show_prints_can_stand_in_a_spec(preset: str) -> None:
    _, out, _ = rules("show", preset)
    said = tomllib.loads(out)
    assert Rules.of(preset, said) == Rules.of(preset)
    whole = Rules.of(preset).parameters()
    assert {name for name in whole if whole[name] is not None} == set(said)


def test_show_resolves_the_rules_for_a_number_of_players() -> None:
    shown = document("show", "elevator", "--players", "6", "--set", "hook=false")
    stated = Rules.of("pagat_standard", {"hook": False}, players=6)
    assert shown["preset"] == "pagat_standard"
    assert shown["parameters"] == stated.parameters()
    assert shown["resolved"]["hash"] == stated.hash(6)
    assert shown["resolved"]["sizes"] == list(deal_plan(stated, 6).sizes())
    assert len(shown["resolved"]["cards"]) == shown["resolved"]["pack_size"] == 52


@pytest.mark.parametrize(("preset", "players"), GAMES)
def test_a_plan_is_certain_of_no_trump_where_the_engine_is(
    preset: str, players: int
) -> None:
    stated = Rules.of(preset, players=players)
    rows = list(deal_rows(stated, players))
    shown = {row.deal for row in rows if row.trump.suit == "NT"}
    certain = set(certain_no_trump_deals(stated, players))
    assert shown == certain & {row.deal for row in rows}
    hidden = set(forehead_deals(stated, players))
    assert {row.deal for row in rows if row.forehead} == hidden
    assert [row.dealer for row in rows] == [i % players for i in range(len(rows))]


def test_a_plan_adds_its_tricks_up_and_says_when_it_has_no_end() -> None:
    plan = document("plan", "pagat_standard", "--players", "4")
    assert (plan["deals_planned"], plan["total_tricks"]) == (19, 109)
    assert [deal["trump"] for deal in plan["deals"]] == [None] * 19
    endless = document("plan", "boerenbridge")
    assert (endless["open_ended"], endless["total_tricks"]) == (True, None)
    assert [deal["dealer"] for deal in endless["deals"]] == [0, 1, 2, 3]
    assert "the plan has no end" in rules("plan", "boerenbridge")[1]
    kachuful = document("plan", "kachuful")["deals"]
    assert [deal["trump"] for deal in kachuful[:5]] == ["S", "D", "C", "H", "S"]


def test_scores_are_those_of_the_table_in_the_rules() -> None:
    square = document("score", "score_square", "--cards", "3")["points"]
    assert square == [
        [10, -1, -4, -9],
        [-1, 11, -1, -4],
        [-4, -1, 14, -1],
        [-9, -4, -1, 19],
    ]
    assert document("score", "seven_truf", "--cards", "4")["points"][0] == [
        20,
        1,
        2,
        3,
        4,
    ]
    special = document("score", "ninety_nine")
    assert special["premium"] == {"declare": 30, "reveal": 60}
    assert [special["made"][n][9] for n in "321"] == [19, 29, 39]
    assert special["missed"] == list(range(10))


@pytest.mark.parametrize("preset", ["wizard", "max_full", "la_pocha", "ninety_nine"])
def test_the_widest_tables_fit(preset: str) -> None:
    _, out, _ = rules("score", preset, "--players", str(Rules.of(preset).players[0]))
    assert max(map(len, out.splitlines())) <= 80


def test_a_deal_that_the_pack_cannot_give_has_no_table() -> None:
    code, _, err = rules("score", "wizard", "--players", "6", "--cards", "11")
    assert code == 2
    assert "6 such hands do not fit 60 cards" in err


@pytest.mark.parametrize("one", preset_names())
def test_a_difference_names_exactly_the_parameters_that_differ(one: str) -> None:
    other = "la_podrida_es"
    mine, theirs = Rules.of(one).parameters(), Rules.of(other).parameters()
    found = {
        d["parameter"]: d["values"] for d in document("diff", one, other)["differences"]
    }
    differ = {name for name in mine if mine[name] != theirs[name]}
    assert found == {name: [mine[name], theirs[name]] for name in differ}
    assert max(map(len, rules("diff", one, other)[1].splitlines())) <= 80


def test_equal_presets_are_said_to_be_equal() -> None:
    assert "do not differ" in rules("diff", "wurry", "la_podrida")[1]


CHOICES = [
    (name, value.value)
    for name in PARAMETER_NAMES
    for choices in vars(parameters).values()
    if isinstance(choices, type)
    and issubclass(choices, StrEnum)
    and choices.__name__.lower() == name.replace("_", "")
    for value in choices
]


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_choice_has_words(name: str, value: str) -> None:
    assert in_words(name, Rules.of("pagat_standard", {name: value}))


def test_every_parameter_of_every_preset_has_words() -> None:
    assert len(CHOICES) > 40
    for preset, n in GAMES:
        stated = Rules.of(preset)
        assert all(in_words(name, stated) for name in PARAMETER_NAMES)
        assert all(section.sentences for section in page(stated, n))
    assert set(KIND_WORDS) == set(DealKind)
    assert set(PACK_WORDS) == set(PackName)


def test_points_are_told_as_a_formula() -> None:
    told = points_in_words(Coefficients(A=5, B=-1, Q=2, Zc=5, M0=-5, Md=-5, Mq=1))
    assert told.startswith("bid made: 5 - bid + 2*bid*bid; zero made: 5*cards;")
    assert "missed: -5 - 5*off + off*off" in told


class TestValidate:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def check(self, text: str, *more: str) -> Any:  # noqa: ANN401 - JSON is anything
        Path("f.toml").write_text(text)
        return document("validate", "f.toml", *more)

    def test_everything_that_is_wrong_is_reported_at_once(self) -> None:
        report = self.check(
            '[rules]\npreset = "bust"\n[rules.overrides]\n'
            'hook = "yes"\ndeal_high = 14\nmust_hed = true\nforehead = "all_one_card"\n'
            "trump_method = 1979-05-27\n"
        )
        wrong = {
            (v["parameter"], v["rule"], len(v["players"])) for v in report["violations"]
        }
        assert {("hook", "domain", 4), ("must_hed", "domain", 4)} <= wrong
        assert ("trump_method", "domain", 4) in wrong
        assert (
            len(
                [
                    1
                    for parameter, rule, _ in wrong
                    if (parameter, rule) == ("deal_high", "2")
                ]
            )
            == 1
        )
        assert not report["legal"]
        code, out, _ = rules("validate", "f.toml")
        assert code == 1
        assert 'hook = "yes": must be true or false' in out
        assert max(map(len, out.splitlines())) <= 80

    def test_legal_rules_are_legal_for_every_number_they_name(self) -> None:
        report = self.check('[rules]\npreset = "blob"\n')
        assert (report["legal"], report["players"]) == (True, [3, 4, 5, 6, 7])
        assert report["hashes"]["4"] == Rules.of("blackout").hash(4)
        assert rules("validate", "f.toml") == (0, "legal for 3 4 5 6 7 players\n", "")

    def test_a_spec_is_checked_for_its_seats_unless_told_otherwise(self) -> None:
        spec = 'seats = 6\n[rules]\npreset = "ten_op_en_neer"\n[[bots]]\nname = "a"\n'
        assert self.check(spec)["players"] == [6]
        assert "these rules are for 3 4 5" in rules("validate", "f.toml")[1]
        assert rules("validate", "f.toml", "--players", "5")[0] == 0

    def test_what_is_allowed_but_odd_is_a_warning(self) -> None:
        overrides = 'deal_shape="fixed"\ndeal_high=5\ndeal_count=3\n'
        overrides += 'no_trump_deals="largest"\n'
        report = self.check(f"[rules.overrides]\n{overrides}")
        assert report["legal"]
        assert [warning["rule"] for warning in report["warnings"]] == ["10"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("hook = false", "has no [rules] table"),
            ("[rules]\nhook = false", "rules.hook is unknown"),
            ("[rules]\npreset = 3", "rules.preset must be the name"),
            ("[rules]\noverrides = 3", "rules.overrides must be a table"),
            ("rules = ", "is not TOML"),
            ("a = " + "[" * 100_000, "is not TOML"),
        ],
        ids=["none", "misplaced", "preset", "overrides", "text", "deep"],
    )
    def test_a_file_without_rules_is_a_mistake(self, text: str, expected: str) -> None:
        Path("f.toml").write_text(text)
        code, out, err = rules("validate", "f.toml")
        assert (code, out) == (2, "")
        assert expected in err

    def test_a_file_that_cannot_be_read_is_a_mistake(self) -> None:
        Path("binary").write_bytes(b"\xff\x00")
        Path("folder").mkdir()
        for file, said in (
            ("absent.toml", "No such file"),
            ("binary", "not text in UTF-8"),
            ("folder", "Is a directory"),
        ):
            code, _, err = rules("validate", file)
            assert (code, said in err) == (2, True)

    def test_an_unknown_preset_is_named_with_the_nearest(self) -> None:
        report = self.check('[rules]\npreset = "blakout"\n')
        (violation,) = report["violations"]
        assert (
            violation["message"] == 'unknown preset "blakout"; did you mean blackout?'
        )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("plan", "elevater"), "did you mean elevator?"),
        (("plan", ""), "unknown preset"),
        (("plan", "bust", "--players", "7"), "these rules are for 3 4 5 6"),
        (("show", "bust", "--set", "hook"), "write NAME=VALUE"),
        (("show", "bust", "--set", "hoock=true"), "did you mean hook?"),
        (("show", "bust", "--set", "hook=3"), "hook = 3: must be true or false"),
        (("diff", "bust", "nosuch"), 'unknown preset "nosuch"'),
    ],
)
def test_a_mistake_names_what_would_be_right(
    arguments: tuple[str, ...], expected: str
) -> None:
    code, out, err = rules(*arguments)
    assert (code, out) == (2, "")
    assert expected in err


@pytest.mark.parametrize(
    ("text", "value"),
    [("no_bid_at_score=null", None), ("no_bid_at_score=80", 80)],
)
def test_settings_are_read_as_json(text: str, value: object) -> None:
    shown = document("show", "boerenbridge", "--set", text)
    assert shown["parameters"]["no_bid_at_score"] == value


def test_settings_are_read_as_toml_or_words() -> None:
    shown = document(
        *("show", "bust", "--set", "scoring={A=1, B=2}", "--set", "bid_amend=none")
    )["parameters"]
    assert (shown["scoring"]["B"], shown["bid_amend"]) == (2, "none")
    assert re.search(
        r"^scoring\.A = 1$",
        rules("show", "bust", "--set", "scoring={A=1}")[1],
        re.MULTILINE,
    )
