"""Run folders changed by hand or by a disk: told in a line, never a traceback."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.main import main
from tests.doubles.command import Ohhell, house
from tests.doubles.forging import forge

COMMANDS = (
    ("tournament", "report", "t"),
    ("tournament", "verify", "t"),
    ("tournament", "compare", "t", "u"),
    ("replay", "t:0.0"),
    ("tournament", "show", "t"),
    ("replay", "t:1.1", "--seat", "greedy", "--at", "2.1"),
    ("tournament", "run", "t.toml", "--resume"),
    ("tournament", "list"),
)
WAYS = 48
WAYS_SLOWLY = 400
CODES = {0, 1, 2, 5}

Typed = Callable[..., tuple[object, str, str]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ohhell = Ohhell(tmp_path_factory.mktemp("forged"))
    bots = house("expected-tricks", "greedy", "lowest", "random")
    assert ohhell.run("tournament", "run", ohhell.spec(bots, blocks=2)).returncode == 0
    return ohhell.folder


@pytest.fixture
def run(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the run `t`, to be changed, beside itself as `u`."""
    shutil.copytree(played / "runs/t", tmp_path / "runs/t")
    (tmp_path / "runs/u").symlink_to(played / "runs/t")
    shutil.copy(played / "t.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs/t"


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Typed:
    """Types a command, in this process: its exit status, and what it wrote."""

    def type_(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["ohhell", *arguments])
        try:
            main()
            code: object = 0
        except SystemExit as end:
            code = end.code
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return type_


def check(typed: Typed, run: Path, number: int) -> None:
    told = forge(run, number)
    # Each way meets each command in one of eight rounds.
    arguments = COMMANDS[(number + number // len(COMMANDS)) % len(COMMANDS)]
    code, out, err = typed(*arguments)
    assert code in CODES, (told, arguments, err)
    assert "Traceback" not in out + err, (told, arguments)
    if code in (2, 5):
        assert err.startswith("ohhell: "), (told, arguments, err)


@pytest.mark.parametrize("number", range(WAYS))
def test_no_change_to_a_run_ends_in_a_traceback(
    run: Path, typed: Typed, number: int
) -> None:
    check(typed, run, number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(WAYS, WAYS + WAYS_SLOWLY))
def test_no_change_of_hundreds_ends_in_a_traceback(
    run: Path, typed: Typed, number: int
) -> None:
    check(typed, run, number)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[0,0,[", "[7,0,[", "block 0: its result is of block 7, attempt 0"),
        ("[0,0,[", "[0,3,[", "block 0: its result is of block 0, attempt 3"),
        ("[0,0,[", "[0,0,[[", "block 0: "),
        ("]]]", "]]", "block 0: Expecting"),
        ("[0,0,[", "[0,1e400,[", "block 0: attempt: expected an integer"),
    ],
)
def test_a_result_that_was_changed_is_named_with_file_and_block(
    run: Path, typed: Typed, old: str, new: str, said: str
) -> None:
    with closing(sqlite3.connect(run / "run.db")) as journal, journal:
        changed = journal.execute(
            "UPDATE blocks SET result = ? || substr(result, ?) WHERE block = 0"
            " AND substr(result, 1, ?) = ?"
            if old[0] == "["
            else "UPDATE blocks SET result = substr(result, 1, length(result) - 1)"
            " WHERE block = 0 AND ? || ? || ? || ? != ''",
            (new, len(old) + 1, len(old), old),
        )
        assert changed.rowcount == 1
    for arguments in (COMMANDS[0], COMMANDS[2], COMMANDS[4]):
        code, out, err = typed(*arguments)
        assert (code, out) == (2, "")
        assert f"runs/t/run.db is damaged ({said}" in err
        assert len(err.splitlines()) == 1
