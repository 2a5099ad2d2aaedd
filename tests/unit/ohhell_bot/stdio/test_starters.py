"""The starter bots of lines decide like the house bot `lowest`, in every preset."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import engine
from bots.local import local_factory
from engine.presets import preset_names
from engine.record import record_text
from ohhell_bot.stdio.bridge import Bridge
from ohhell_bot.stdio.child import Child
from tests.doubles.matches import played
from tests.project.tree import ROOT

TEMPLATES = ROOT / "cli/bot/new/templates"
ODD = ["wizard", "ninety_nine", "blackout_jokers", "clag", "pagat_standard"]


@pytest.fixture(scope="session")
def c_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("c")
    source = TEMPLATES / "c/bot.c"
    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", "-o", folder / "bot", source],
        check=True,
    )
    return folder / "bot"


@pytest.fixture(params=["python-stdio", "perl", "bash", "c"])
def starter(request: pytest.FixtureRequest) -> Iterator[Child]:
    match request.param:
        case "python-stdio":
            command = [sys.executable, str(TEMPLATES / "python-stdio/bot.py")]
        case "perl":
            command = ["perl", str(TEMPLATES / "perl/bot.pl")]
        case "bash":
            command = ["bash", str(TEMPLATES / "bash/bot.sh")]
        case _:
            command = [str(request.getfixturevalue("c_bot"))]
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    with closing(Child(command)) as child:
        yield child


def differing(starter: Child, presets: list[str]) -> list[str]:
    """Presets in which the record of a match is not that of the house bot's."""
    found = []
    for preset in presets:
        rules = engine.Rules.of(preset)
        seats = min(rules.players)
        house = ["lowest"] + ["random"] * (seats - 1)
        bridged = {0: local_factory(lambda: Bridge(starter))}
        match = played(rules, house, others=bridged)
        if record_text(match, house) != record_text(played(rules, house), house):
            found.append(preset)
    return found


def test_a_starter_plays_as_the_house_bot_does(starter: Child) -> None:
    assert differing(starter, ODD) == []


@pytest.mark.slow
def test_a_starter_plays_every_preset_as_the_house_bot_does(starter: Child) -> None:
    assert differing(starter, list(preset_names())) == []
