"""`ohhell tournament compare`: runs that reproduce each other, and others."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from tests.doubles.command import Ohhell, house

BOTS = house("random", "lowest", "greedy", "expected-tricks")
PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text("utf-8")


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def play(ohhell: Ohhell, name: str, **spec: object) -> None:
    bots = str(spec.pop("bots", BOTS)).replace(
        "[[bots]]\n", "[[bots]]\nin_process = true\n"
    )
    file = ohhell.spec(bots, name=name, **spec)  # type: ignore[arg-type]  # as given
    assert ohhell.run("tournament", "run", file).returncode == 0


def compared(
    ohhell: Ohhell, one: str, other: str
) -> tuple[int, dict[str, object], str]:
    words = ("tournament", "compare", one, other)
    told = ohhell.run(*words)
    document = json.loads(ohhell.run(*words, "--json").stdout)
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert document["identical"] == (told.returncode == 0)
    section = PAGE.split("\n## ohhell tournament compare")[1].split("\n## ")[0]
    assert set(document) <= set(re.findall(r"\w+", section))
    return told.returncode, document, told.stdout


def test_the_same_spec_and_seed_reproduce_a_run_byte_for_byte(ohhell: Ohhell) -> None:
    play(ohhell, "monday")
    play(ohhell, "tuesday")
    code, document, text = compared(ohhell, "monday", "tuesday")
    assert (code, document["compared"], document["differing"]) == (0, 4, [])
    assert "one reproduces the other" in text
    # One card of one record is another one.
    with sqlite3.connect(ohhell.folder / "runs/tuesday/run.db") as database:
        database.execute(
            "UPDATE blocks SET records = (SELECT records FROM blocks WHERE block = 1)"
            " WHERE block = 2"
        )
    code, document, text = compared(ohhell, "monday", "tuesday")
    assert (code, document["differing"]) == (1, [2])
    assert "1 differ, the first is block 2" in text


def test_a_run_that_is_called_as_one_of_its_bots_is_reproduced_all_the_same(
    ohhell: Ohhell,
) -> None:
    play(ohhell, "monday")
    play(ohhell, "greedy")
    code, document, _ = compared(ohhell, "monday", "greedy")
    assert (code, document["spec"]) == (0, [])


def test_runs_without_a_block_reproduce_nothing(ohhell: Ohhell) -> None:
    for name in ("monday", "tuesday"):
        play(ohhell, name, blocks=1)
        with sqlite3.connect(ohhell.folder / "runs" / name / "run.db") as database:
            database.execute("DELETE FROM blocks")
    code, document, text = compared(ohhell, "monday", "tuesday")
    assert (code, document["compared"]) == (1, 0)
    assert "records of 0 blocks compared: none" in text


def test_other_deals_are_compared_by_independent_intervals(ohhell: Ohhell) -> None:
    play(ohhell, "one")
    file = ohhell.spec(BOTS, name="two")
    spec = ohhell.folder / file
    spec.write_text(spec.read_text().replace("seed = 11", "seed = 12"))
    assert ohhell.run("tournament", "run", file).returncode == 0
    code, document, text = compared(ohhell, "one", "two")
    assert (code, document["same_rules"], document["same_deals"]) == (1, True, False)
    assert document["paired"] is False
    assert "  -seed = 11\n  +seed = 12\n" in text
    bots = document["bots"]
    assert isinstance(bots, list)
    for bot in bots:
        lo, hi = bot["interval"]
        assert lo < bot["difference"] < hi


def test_a_bot_that_was_changed_is_compared_on_the_same_deals(ohhell: Ohhell) -> None:
    play(ohhell, "before")
    changed = BOTS.replace('house = "random"', 'name = "random"\nhouse = "greedy"')
    play(ohhell, "after", bots=changed)
    code, document, _ = compared(ohhell, "before", "after")
    assert (code, document["same_deals"], document["paired"]) == (1, True, True)
    bots = document["bots"]
    assert isinstance(bots, list)
    changes = {bot["name"]: bot["difference"] for bot in bots}
    assert changes["random"] > 0
    # What one bot gains on the field the others lose.
    assert sum(changes.values()) == pytest.approx(0, abs=1e-3)


def test_other_rules_and_other_bots_have_no_difference_to_be_told(
    ohhell: Ohhell,
) -> None:
    play(ohhell, "one")
    play(ohhell, "two", rules='\n[rules]\npreset = "wizard"\n', blocks=1)
    code, document, text = compared(ohhell, "one", "two")
    assert (code, document["same_rules"]) == (1, False)
    bots = document["bots"]
    assert isinstance(bots, list)
    assert {bot["difference"] for bot in bots} == {None}
    play(ohhell, "three", bots=BOTS.replace('"random"', '"random"\nname = "dice"'))
    code, document, text = compared(ohhell, "one", "three")
    assert document["missing"] == [["random"], ["dice"]]
    assert "only in 1: random\nonly in 2: dice\n" in text


def test_a_run_that_is_not_there_is_a_mistake(ohhell: Ohhell) -> None:
    ended = ohhell.run("tournament", "compare", "a", "b")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "there is no run in runs/a" in ended.stderr
