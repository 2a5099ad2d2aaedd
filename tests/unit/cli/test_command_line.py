"""The command line: help with examples, and mistakes without tracebacks."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bots.factory import FACTORIES
from bots.local import LOCAL_FACTORIES
from cli.house import HOUSE_BOTS, house_commands
from cli.main import app
from ohhell_bot.settings import Settings
from tests.doubles.played import block_of
from tests.doubles.runs import spec_of
from tournament.folder import Opening, RunFolder
from tournament.identity import new_charter
from tournament.spec import read_spec


def commands(of: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for command in of.registered_commands:
        assert command.name is not None
        yield (*path, command.name)
    for group in of.registered_groups:
        assert group.name is not None
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, (*path, group.name))


def ohhell(*arguments: str) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, arguments)
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.exit_code, ended.stdout, ended.stderr


@pytest.mark.parametrize("path", list(commands(app)), ids=" ".join)
def test_every_command_shows_an_example_in_its_help(path: tuple[str, ...]) -> None:
    code, out, _ = ohhell(*path, "--help")
    assert code == 0
    assert f"Example:  ohhell {' '.join(path)}" in out


def groups(of: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for group in of.registered_groups:
        assert group.name is not None
        assert group.typer_instance is not None
        yield from groups(group.typer_instance, (*path, group.name))


@pytest.mark.parametrize("path", list(groups(app)), ids=" ".join)
def test_a_list_of_commands_says_all_of_each_within_80_columns(
    path: tuple[str, ...],
) -> None:
    code, out, _ = ohhell(*path, "--help")
    lines = out.partition("Commands:\n")[2].splitlines()
    told = [line for line in lines if line.startswith("  ") and line[2:3].isalpha()]
    assert code == 0
    assert len(told) >= 1
    assert [line for line in told if line.endswith("...")] == []
    assert max(map(len, out.splitlines())) <= 80


def test_help_does_not_load_what_it_does_not_need() -> None:
    heavy = "{'numpy', 'plotly', 'grpc', 'sqlalchemy', 'rich.live', 'bots.factory'}"
    script = (
        "import sys, cli.main\n"
        f"found = {heavy} & set(sys.modules)\n"
        "sys.exit(f'loaded: {found}' if found else 0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_ctrl_c_while_modules_are_read_ends_without_a_word() -> None:
    script = (
        "import os, signal, sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'typer':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from cli.__main__ import main\n"
        "main()"
    )
    command = [sys.executable, "-c", script, "--version"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


def test_the_house_bots_are_those_that_there_are() -> None:
    assert set(HOUSE_BOTS) == set(FACTORIES) == set(LOCAL_FACTORIES)
    assert set(house_commands()) == set(HOUSE_BOTS)


def test_a_new_spec_is_not_written_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ohhell("tournament", "new", "my spec.toml")[0] == 0
    text = Path("my spec.toml").read_text()
    assert 'name = "my-spec"' in text
    code, _, err = ohhell("tournament", "new", "my spec.toml")
    assert (code, "is there already; --force" in err) == (2, True)
    assert ohhell("tournament", "new", "my spec.toml", "--force")[0] == 0
    code, _, err = ohhell("tournament", "new", "no/such/folder.toml")
    assert (code, "cannot be written: No such file" in err) == (2, True)


@pytest.mark.parametrize("stem", ["a\nb", "x" * 200, "\udcff", "'q\""])
def test_a_new_spec_is_one_whatever_its_file_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "cli", "tournament", "new", f"{stem}.toml"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert read_spec(Path(f"{stem}.toml"), HOUSE_BOTS).seats == 4


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("tournament", "run", "absent.toml"), "absent.toml: file: No such file"),
        (("tournament", "run", "text.toml"), "text.toml: file: is not TOML"),
        (("tournament", "run", "deep.toml"), "deep.toml: file: is not TOML"),
        (("rules", "validate", "deep.toml"), "deep.toml: is not TOML"),
        (("rules", "validate", "digits.toml"), "digits.toml: is not TOML"),
        (("serve", "--config", "deep.toml"), "deep.toml: is not TOML"),
        (("serve", "--config", "bytes.toml"), "bytes.toml: is not TOML"),
        (("simulate", "--bots", "\x1b[31m"), r"no house bot '\x1b[31m'. There are:"),
        (("tournament", "show", "\x1b[31m"), r"no run in runs/\x1b[31m"),
        (("tournament", "run", "t.toml", "--resume"), "no run in runs/t to resume"),
        (("tournament", "run", "t.toml", "--resume", "--fresh"), "give one of them"),
        (("tournament", "run", "t.toml", "--runs", "file"), "cannot be a run folder"),
        (("tournament", "run", "t.toml", "--concurrency", "0"), "--concurrency"),
        (("tournament", "report", "absent"), "there is no run in runs/absent"),
        (("tournament", "show", "absent"), "there is no run in runs/absent"),
        (("replay", "t"), "write RUN:BLOCK.COPY, as in quickstart:3.1"),
        (("replay", "absent:0.0"), "there is no run in runs/absent"),
        (("replay", "played.toml:0.0"), "runs/played.toml: did you mean played?"),
        (("rules", "show", "blakout"), "did you mean blackout"),
        (("rules", "plan", "clag", "--players", "1"), "--players 1: a table has from"),
        (("play", "--players", "99"), "--players 99: a table has from 2 to 10 play"),
        (("play", "--seat", "-1"), "--seat -1: the seats are 0 to 3"),
        (("play", "--seat", "4"), "--seat 4: the seats are 0 to 3"),
        (("tournament", "run", "t"), "t: file: No such file or directory; did you me"),
        (("tournament", "run", "tt.toml"), "; did you mean t.toml?"),
        (("tournament", "verify", "played.toml"), "runs/played.toml: did you mean pl"),
        (("tournament", "report", "plaid"), "in runs/plaid: did you mean played?"),
        (("tournament", "report", "x"), "/runs/x; `ohhell tournament list` tells all"),
        (("tournament", "report", "x", "--runs", "y"), "/y; --runs names another"),
        (("bot", "check", "--seconds", "0"), "--seconds 0: it takes 1 or more"),
        (("bot", "check", "--seconds", "nan"), "--seconds nan: it takes 1 or more"),
        (("top", "--seconds", "0"), "--seconds 0: it takes from 0.2 to 3600"),
        (("tournament", "report", "./x"), "no run in x: there is no /"),
    ],
)
def test_a_mistake_is_one_clear_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.toml").write_text("this is no TOML")
    Path("t.toml").write_text(spec_of().expanded)
    Path("deep.toml").write_text(f"a = {'[' * 9_999}")
    Path("digits.toml").write_text(f"a = {'9' * 9_999}")
    Path("bytes.toml").write_bytes(b"\xd0\xff")
    Path("file").write_text("")
    Path("runs/played").mkdir(parents=True)
    Path("runs/played/run.db").touch()
    code, out, err = ohhell(*arguments)
    assert code == 2
    assert expected in err
    assert out == ""


def test_runs_are_listed_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ohhell("tournament", "list")[1] == "no runs in runs\n"
    charter = new_charter(spec_of(blocks=6))
    folder = RunFolder(Path("runs/t"))
    with folder.locked():
        folder.open(charter, Opening.NEW).close()
    code, out, _ = ohhell("tournament", "list", "--json")
    (row,) = json.loads(out)
    assert (code, row["run"], row["blocks"], row["blocks_planned"]) == (0, "t", 0, 6)
    assert ohhell("tournament", "show", "t")[1].endswith(charter.spec)
    assert ohhell("tournament", "show", "runs/t")[0] == 0


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ("UPDATE run SET spec = 'seats = 9'", "a run of another version"),
        ("INSERT INTO blocks VALUES (0, 0, '{', '')", "is damaged (block 0: "),
        ("INSERT INTO blocks VALUES (0, 0, '[1]', '')", "is damaged (block 0: "),
        ("DROP TABLE blocks", "is damaged (no such table: blocks)"),
    ],
)
def test_a_run_that_cannot_be_read_says_so_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bad", "good"):
        folder = RunFolder(Path("runs", name))
        with folder.locked():
            folder.open(new_charter(spec_of()), Opening.NEW).close()
    with sqlite3.connect("runs/bad/run.db") as database:
        database.execute(damage)
    for command in ("show", "report"):
        code, out, err = ohhell("tournament", command, "bad")
        assert (code, out, expected in err) == (2, "", True)
    code, out, err = ohhell("tournament", "list", "--json")
    assert [row["run"] for row in json.loads(out)] == ["good"]
    assert (code, expected in err) == (1, True)


def test_what_the_system_refuses_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text(spec_of().expanded)
    with RunFolder(Path("runs/t")).locked():
        pass
    Path("runs/t/run.db").mkdir()
    code, _, err = ohhell("tournament", "run", "t.toml", "--resume")
    assert (code, "runs/t/run.db cannot be opened" in err) == (5, True)


@pytest.mark.parametrize(
    ("command", "redirection"),
    [
        ("tournament report t", ">&-"),
        ("play --seed 1", "<&-"),
        ("tournament show t", "<&- >&- 2>&-"),
    ],
)
def test_a_closed_stream_stops_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, redirection: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = RunFolder(Path("runs/t"))
    with folder.locked():
        folder.open(new_charter(spec_of()), Opening.NEW).close()
    ended = subprocess.run(
        ["sh", "-c", f'exec "$0" -m cli {command} {redirection}', sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_finds_no_room_is_told_without_a_traceback(unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "cli", "rules", "list"],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 5
    assert ended.stderr == f"ohhell: {os.strerror(errno.ENOSPC)}\n"


def test_a_reader_that_has_had_enough_is_no_mistake() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "cli", "rules", "list"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_a_terminal_of_few_characters_gets_what_it_can_show(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "t")
    with folder.locked(), folder.open(new_charter(spec_of()), Opening.NEW) as journal:
        journal.finish(block_of(0, (0, 1, 2, 3), lambda copy, seat, bot: bot), b"")
    ended = subprocess.run(
        [sys.executable, "-m", "cli", "tournament", "report", f"{tmp_path}/t"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert " pts/deal  ?95% " in ended.stdout


def test_the_help_of_a_bridge_says_how_long_it_tries() -> None:
    code, out, _ = ohhell("bot", "bridge", "--help")
    assert code == 0
    minutes = {10: "ten"}[Settings().patience_s // 60]
    said = " ".join(out.split())
    assert f"is tried for {minutes} minutes, or for OHHELL_BOT_PATIENCE_S sec" in said
