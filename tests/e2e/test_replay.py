"""`ohhell replay` of one decision, with the bot that is asked again."""

from __future__ import annotations

import sys

import pytest

from tests.doubles.command import Ohhell, house
from tests.project.tree import ROOT

HOUSE = house("expected-tricks", "greedy", "lowest", "random")
STARTER = str(ROOT / "cli/bot/new/templates/python-stdio/bot.py")


@pytest.fixture(scope="module")
def ohhell(tmp_path_factory: pytest.TempPathFactory) -> Ohhell:
    ohhell = Ohhell(tmp_path_factory.mktemp("replay"))
    inside = HOUSE.replace("house =", "in_process = true\nhouse =")
    assert (
        ohhell.run("tournament", "run", ohhell.spec(inside, blocks=1)).returncode == 0
    )
    return ohhell


def replayed(ohhell: Ohhell, *arguments: str) -> str:
    ended = ohhell.run("replay", "t:0.1", *arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_bot_that_is_asked_again_draws_the_same_chance(ohhell: Ohhell) -> None:
    for at in ("3", "3.1", "3.2"):
        command = ["--", sys.executable, "-m", "bots", "random"]
        said = replayed(ohhell, "--seat", "random", "--at", at, "--ask", *command)
        did, asked = said.splitlines()[-2:]
        assert did.split()[-1] == asked.split()[-1], said
        assert asked.startswith("Asked again: ")


def test_a_bot_of_lines_can_be_asked(ohhell: Ohhell) -> None:
    said = replayed(
        ohhell,
        *("--seat", "lowest", "--at", "3.2", "--ask", "--protocol", "stdio"),
        *("--", sys.executable, STARTER),
    )
    did, asked = said.splitlines()[-2:]
    assert did.removeprefix("lowest played ") == asked.removeprefix(
        "Asked again: plays "
    )


def test_a_bot_can_be_asked_for_the_trump_again(ohhell: Ohhell) -> None:
    rules = '[rules]\npreset = "wizard"\n[rules.overrides]\n'
    rules += f'deal_shape = "list"\ndeal_list = {[1] * 4}\n'
    bots = house("greedy", "lowest", "random").replace(
        "house =", "in_process = true\nhouse ="
    )
    spec = ohhell.spec(bots, name="wizard", blocks=1, rules=rules, top="seats = 3\n")
    assert ohhell.run("tournament", "run", spec).returncode == 0
    # The upcard of the fourth deal is a wizard.
    words = ("--seat", "random", "--at", "4.trump", "--ask", "--")
    bot = (sys.executable, "-m", "bots", "random")
    ended = ohhell.run("replay", "wizard:0.0", *words, *bot)
    assert ended.returncode == 0, ended.stderr
    may, did, asked = ended.stdout.splitlines()[-3:]
    assert may == "May name C D H S"
    assert did.startswith("random named ")
    assert asked.endswith(f"({did[-1]})")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--seat", "greedy"], 2, "--seat and --at belong together"),
        (["--ask"], 2, "to ask a bot: --seat BOT --at DEAL.TRICK --ask -- COMMAND"),
        (["--seat", "greedy", "--at", ""], 2, "'' names no decision"),
        (["--seat", "", "--at", "1.1"], 2, "the seats are 0 "),
        (["--seat", "9", "--at", "1.1"], 2, "the seats are 0 "),
        (
            ["--seat", "greedy", "--at", "1.1", "--ask", "--", "./no-such"],
            1,
            "the bot cannot be asked: bot 'checked' cannot be started",
        ),
    ],
)
def test_mistakes_are_told_in_a_line(
    ohhell: Ohhell, arguments: list[str], status: int, said: str
) -> None:
    ended = ohhell.run("replay", "t:0.1", *arguments)
    assert ended.returncode == status
    assert said in ended.stderr


def test_what_a_bot_prints_is_shown_when_it_is_asked_and_no_news_of_its_library(
    ohhell: Ohhell,
) -> None:
    bot = "import sys; print('I think', file=sys.stderr); sys.argv = ['', 'random']"
    ended = ohhell.run(
        *("replay", "t:0.1", "--seat", "random", "--at", "3.1", "--ask", "--"),
        *(sys.executable, "-c", f"{bot}; from bots.__main__ import main; main()"),
    )
    assert (ended.returncode, ended.stderr) == (0, "I think\n")
