"""`ohhell bot new`: each project builds, passes its tests and plays, as it is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.bot.new.templates import languages, name_of
from tests.doubles.command import Ohhell
from tests.doubles.questions import FILE, questions
from tests.project.documents import blocks_of
from tests.project.tree import ROOT

QUICK = {"bash", "python"}
"""Languages that are there wherever the other tests run; the rest is slow."""
BUILD_S = 600


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def every_language() -> list[object]:
    return [
        pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow)
        for name in languages()
    ]


@pytest.mark.parametrize("language", every_language())
def test_a_new_project_is_built_tested_plays_and_has_no_fault(
    ohhell: Ohhell, language: str
) -> None:
    missing = [t for t in languages()[language].tools if shutil.which(t) is None]
    if missing:
        pytest.skip(f"there is no {missing[0]}")
    made = ohhell.run("bot", "new", "--lang", language, "mybot")
    assert made.returncode == 0, made.stderr
    template = languages()[language]
    typed = made.stdout.splitlines()[1:]
    assert len(typed) + 1 <= 4
    project = ohhell.folder / "mybot"
    told = re.findall(r"`(/.*)`", (project / "README.md").read_text(encoding="utf-8"))
    assert [Path(page).is_file() for page in told] == [True]
    # `python` is the one of the installation, as for bots of a tournament.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command in (*template.build, *template.test):
        ended = subprocess.run(  # noqa: S602 - as it is typed
            command,
            shell=True,
            cwd=project,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=BUILD_S,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    ohhell.folder = project
    played = ohhell.run("tournament", "run", "tournament.toml", "--strict")
    assert played.returncode == 0, played.stderr
    results = json.loads((project / "runs/mybot/results.json").read_text())
    assert "mybot" in [line["bot"] for line in results["standings"]]
    if language not in QUICK:
        words = ("--protocol", template.protocol, "--", *template.command)
        checked = ohhell.run("bot", "check", "--seconds", "40", *words)
        assert checked.returncode == 0, checked.stdout


TUTORIALS = {
    **dict.fromkeys(("bash", "c", "perl"), "docs/tutorials/stdio.md"),
    **{
        name: f"docs/tutorials/{name}.md"
        for name in ("cpp", "go", "java", "rust", "typescript")
    },
}


@pytest.mark.parametrize("language", TUTORIALS)
def test_a_tutorial_shows_what_is_to_be_typed_next(language: str) -> None:
    typed = [
        line
        for block in blocks_of(ROOT / TUTORIALS[language], "sh")
        for line in block.text.splitlines()
    ]
    template = languages()[language]
    (began,) = [n for n, line in enumerate(typed) if f"--lang {language} " in line]
    folder = typed[began].split()[-1]
    later = iter(typed[began:])
    assert all(command in later for command in template.commands(folder))


def test_a_folder_that_is_there_is_left_alone(ohhell: Ohhell) -> None:
    (ohhell.folder / "mine").mkdir()
    made = ohhell.run("bot", "new", "mine")
    assert made.returncode == 2
    assert "mine is there already" in made.stderr
    assert not list((ohhell.folder / "mine").iterdir())


def test_an_unknown_language_is_answered_with_those_there_are(ohhell: Ohhell) -> None:
    made = ohhell.run("bot", "new", "--lang", "bahs", "mine")
    assert made.returncode == 2
    assert "did you mean bash?" in made.stderr
    assert "Perl, reading and writing lines" in made.stderr


@pytest.mark.parametrize(
    ("folder", "name"),
    [("my bot", "my-bot"), ("ä_1", "1"), ("...", "mybot"), ("x" * 80, "x" * 63)],
)
def test_any_folder_gives_a_name_of_a_bot(folder: str, name: str) -> None:
    assert name_of(Path("/tmp") / folder) == name  # noqa: S108 - never made


def test_the_questions_of_new_projects_are_those_that_are_asked() -> None:
    assert FILE.read_text(encoding="utf-8") == questions()
