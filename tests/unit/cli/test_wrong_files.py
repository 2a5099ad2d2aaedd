"""Files that are missing, or are something else: one line, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app

OF_STORES = [
    (["--store", "none"], "none: there is no such file; --store names"),
    (["--store", "folder"], "folder: it is a folder; name the file in it"),
    (["--store", "empty"], "empty: it is empty; ohhell serve --store empty makes"),
    (["--store", "text"], "store text: is not an SQLite database, and so no store"),
    (["--store", "bytes"], "store bytes: is not an SQLite database, and so no store"),
    (["--store", "loop"], "loop: "),
    (["--store", "text/x"], "text/x: there is no such file"),
]
OF_SETTINGS = [
    (["--config", "none"], "none: No such file"),
    (["--config", "folder"], "folder: Is a directory"),
    (["--config", "text"], "text: is not TOML"),
    (["--config", "bytes"], "bytes: is not TOML"),
]
DB = [["db", "check"], ["db", "upgrade"], ["db", "backup", "new"]]
BOT = [["bot", "list"], ["bot", "token", "ada"], ["bot", "enable", "ada"]]
RUNS = [
    *([["tournament", name] for name in ("report", "show", "verify")]),
    ["tournament", "compare", "whole"],
]

WRONG = [
    *((c, flags, said) for c in DB for flags, said in OF_STORES + OF_SETTINGS),
    *((c, flags, said) for c in BOT for flags, said in OF_STORES),
    (["db", "check"], ["--store", "mysql://h/x"], "mysql://h/x: no store is kept ther"),
    *((c, ["none"], "there is no run in runs/none") for c in RUNS),
    *((c, ["./text"], "no run in text, which is a file: name a run") for c in RUNS),
    *((c, ["./folder"], "there is no run in folder") for c in RUNS),
    *((c, ["dirty"], "run.db is a folder, and no journal of a run") for c in RUNS),
    (["tournament", "list"], ["--runs", "none"], "--runs none: there is no such fold"),
    (["tournament", "list"], ["--runs", "text"], "--runs text: there is no such fold"),
    (["tournament", "new"], ["folder"], "folder is a folder; name the file in it"),
    (["tournament", "new"], ["--force", "folder"], "folder is a folder; name the fi"),
    (["tournament", "run"], ["folder"], "folder: file: Is a directory"),
    (["tournament", "run"], ["bytes"], "bytes: file: is not UTF-8"),
    (["rules", "validate"], ["none"], "none: No such file"),
    (["rules", "validate"], ["folder"], "folder: Is a directory"),
    (["rules", "validate"], ["empty"], "empty: has no [rules] table"),
    (["rules", "validate"], ["text"], "text: is not TOML"),
    (["rules", "validate"], ["bytes"], "bytes: is not text in UTF-8"),
    (["cert", "new"], ["--folder", "text"], "--folder text: it is there, and is no fo"),
    (["cert", "new"], ["--folder", "text/x"], "--folder text/x: Not a directory"),
    (["bot", "run"], ["--", "./folder"], "./folder cannot be started: it is a folder"),
    (["bot", "run"], ["--", "./none"], "./none cannot be started: No such file"),
    (["bot", "run"], ["--", "no-such"], "no-such cannot be started: No such file or d"),
    (["bot", "run"], ["--token-file", "none", "--", "true"], "there is no file none"),
    (["bot", "run"], ["--token-file", "bytes", "--", "true"], "bytes is not text"),
    (["bot", "run"], ["--address", "x", "--", "true"], "'x' is not HOST:PORT"),
    (["bot", "check"], ["--address", "h:1", "--ca-file", "text"], "no certificate"),
    (["bot", "check"], ["--address", "h:1", "--ca-file", "none"], "none: No such file"),
    (["bot", "token", "ada"], ["--scope", "all"], "--scope all: there are bot.play, "),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OHHELL_SERVER__STORE__WHERE", raising=False)
    Path("folder").mkdir()
    Path("empty").touch()
    Path("text").write_text("some text\n")
    Path("bytes").write_bytes(bytes(range(256)))
    Path("loop").symlink_to("loop")
    Path("runs/dirty/run.db").mkdir(parents=True)
    return tmp_path


def files(folder: Path) -> set[tuple[str, int]]:
    """Names and sizes."""
    return {(path.name, path.lstat().st_size) for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("command", "wrong", "said"),
    WRONG,
    ids=[" ".join((*command, *wrong)) or "-" for command, wrong, _ in WRONG],
)
def test_a_wrong_file_is_one_clear_line(
    folder: Path, command: list[str], wrong: list[str], said: str
) -> None:
    before = files(folder)
    if command[-1] == "whole":
        # Which of the two is wrong makes no difference.
        command = [*command[:-1], *wrong]
    ended = CliRunner().invoke(app, [*command, *wrong])
    assert isinstance(ended.exception, SystemExit)
    assert ended.exit_code in (1, 2)
    assert ended.stdout == ""
    assert said in ended.stderr
    assert ended.stderr.startswith("ohhell: ")
    assert len(ended.stderr.splitlines()) == 1
    # Nothing that was there was touched, and nothing but locks was made on the way.
    made = files(folder) - before
    assert {name for name, _ in made if not name.endswith(".lock")} == set()
    assert before <= files(folder)
