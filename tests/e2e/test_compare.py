"""`ohhell compare`: real runs, decided, undecided, interrupted."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
from pathlib import Path

import pytest

from tests.doubles.command import BOTS, Ohhell, interrupt

QUICK = ("--set", "deal_shape=up", "--set", "deal_high=3", "--seed", "4")
PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text("utf-8")


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def test_the_better_bot_is_found_and_the_run_can_be_verified(ohhell: Ohhell) -> None:
    ended = ohhell.run("compare", "--bot", "greedy", "--bot", "random", *QUICK)
    assert ended.returncode == 0, ended.stderr
    assert "A is greedy\nB is random\n" in ended.stdout
    found = re.search(r"A is better, decided after (\d+) blocks", ended.stdout)
    assert found is not None
    blocks = re.search(r"^(\d+) blocks of 4 rotations", ended.stdout, re.MULTILINE)
    assert blocks is not None
    assert int(blocks[1]) == int(found[1]) + 8 < 400
    assert max(map(len, ended.stdout.splitlines())) <= 80
    verified = ohhell.run("tournament", "verify", "compare")
    assert (verified.returncode, "all agree" in verified.stdout) == (0, True)
    # Ended early is ended: the secret has been told.
    results = json.loads((ohhell.folder / "runs/compare/results.json").read_text())
    assert results["commitments"]["secret"]
    listed = json.loads(ohhell.run("tournament", "list", "--json").stdout)
    assert listed[0]["blocks"] == listed[0]["blocks_planned"] == int(blocks[1])


def keys(document: object) -> set[str]:
    if isinstance(document, list):
        return {key for item in document for key in keys(item)}
    if not isinstance(document, dict):
        return set()
    inside = {key for item in document.values() for key in keys(item)}
    return set(document) | inside


def test_the_other_way_round_the_other_is_better_by_as_much(ohhell: Ohhell) -> None:
    one = ohhell.run(
        *("compare", "--bot", "random", "--bot", "greedy", "--json", *QUICK),
        *("--until", "end", "--blocks", "20"),
    )
    assert one.returncode == 1, one.stderr
    first = json.loads(one.stdout)
    assert (first["better"], first["decided_after"], first["blocks"]) == ("B", None, 20)
    assert first["interval"][0] < first["difference"] < first["interval"][1] < 0
    # The same again is the same.
    two = ohhell.run(
        *("compare", "--bot", "random", "--bot", "greedy", "--json", *QUICK),
        *("--until", "end", "--blocks", "20", "--fresh"),
    )
    assert json.loads(two.stdout) == first
    section = PAGE.split("\n## ohhell compare")[1].split("\n## ")[0]
    assert keys(first) <= set(re.findall(r"\w+", section))


def test_who_is_ahead_is_told_before_it_is_certain(ohhell: Ohhell) -> None:
    ended = ohhell.run(
        *("compare", "--bot", "random", "--bot", "greedy", *QUICK, "--blocks", "12")
    )
    assert ended.returncode == 6, ended.stderr
    said = "undecided, though B is ahead by the usual interval: rare blocks may turn it"
    assert said in ended.stdout
    spans = re.findall(r"95 % interval (\S+) to (\S+)$", ended.stdout, re.MULTILINE)
    (low, high), (usual_low, usual_high) = spans[:2]
    assert float(low) < float(usual_low) < float(usual_high) < 0 < float(high)
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_equal_bots_stay_undecided_whatever_the_field(ohhell: Ohhell) -> None:
    ended = ohhell.run(
        *("compare", "--bot", "lowest", "--bot", "lowest", "--players", "3"),
        *("--field", "random", "--blocks", "12", "--name", "self", *QUICK),
    )
    assert ended.returncode == 6, ended.stderr
    assert "field: random\n" in ended.stdout
    assert "undecided" in ended.stdout
    assert (ohhell.folder / "runs" / "self" / "report.html").exists()


def test_a_bot_is_a_command_too_and_its_faults_are_told(ohhell: Ohhell) -> None:
    command = shlex.join([sys.executable, str(BOTS / "illegal_card.py")])
    ended = ohhell.run(
        *("compare", "--bot", "greedy", "--bot", command, "--blocks", "2", *QUICK)
    )
    assert ended.returncode in (3, 6), ended.stderr
    assert f"B is {command}" in ended.stdout
    assert "B has faults: " in ended.stdout


def test_an_interrupted_comparison_is_gone_on_with_as_it_says(ohhell: Ohhell) -> None:
    words = ("compare", "--bot", "random", "--bot", "random", "--blocks", "40", *QUICK)
    with ohhell.start(*words) as process:
        ohhell.until_blocks("compare", 2)
        said = interrupt(process, signal.SIGINT)
    assert process.returncode == 4
    again = re.search(r"go on with: +ohhell (.*--resume)", said)
    assert again is not None
    resumed = ohhell.run(*shlex.split(again[1]))
    assert resumed.returncode == 6, resumed.stderr
    whole = ohhell.run(*words, "--name", "whole")
    shown = [run.stdout.partition("report:")[0] for run in (resumed, whole)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--bot", "greedy"), "--bot is given once: give it twice"),
        (
            ("--bot", "greedy", "--bot", "gredy"),
            "and no house bot; did you mean greedy",
        ),
        (("--bot", "greedy", "--bot", "zz"), "'zz' is no program in PATH and no house"),
        (("--bot", "greedy", "--bot", "mine.py"), "write 'python mine.py'"),
        (("--bot", "greedy", "--bot", "mine"), "of that name write './mine'"),
        (("--bot", "greedy", "--bot", "./absent"), 'there is no file "absent"'),
        (("--bot", "greedy", "--bot", "'"), "is no command: No closing quotation"),
        (("--bot", "greedy", "--bot", ""), "a bot is a house bot, HOST:PORT, or a"),
        (
            ("--bot", "greedy", "--bot", "random", "--field", "random"),
            "4 players are A, B and 2 more: --field has 1",
        ),
        (("--bot", "greedy", "--bot", "random", "--preset", "x"), "not a known preset"),
        (("--bot", "greedy", "--bot", "random", "--set", "hook=null"), "has no null"),
        (("--bot", "greedy", "--bot", "random", "--set", "hok=1"), "hok"),
        (("--bot", "greedy", "--bot", "random", "--resume"), "no run in runs/compare"),
    ],
)
def test_a_mistake_is_told_before_anything_is_played(
    ohhell: Ohhell, arguments: tuple[str, ...], expected: str
) -> None:
    for name in ("mine", "mine.py"):
        (ohhell.folder / name).touch()
    ended = ohhell.run("compare", *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert expected in ended.stderr
