"""`ohhell doctor` on this machine, with one thing wrong at a time."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cli.doctor import machine
from cli.doctor.findings import Verdict
from cli.main import app
from tests.project.tree import ROOT

PAGE = (ROOT / "docs" / "tools.md").read_text("utf-8")
CHECKS = [
    *("settings", "bot settings", "python", "packages", "imports", "build"),
    *("game port", "admin port", "http port", "runs", "store", "disk"),
    *("open files", "clock", "sandbox", "toolchains"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with ports that nobody else asks for."""
    for variable in ("GAME__PORT", "ADMIN__PORT", "HTTP__PORT"):
        monkeypatch.setenv(f"OHHELL_SERVER__{variable}", "0")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def doctor(*arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    ended = CliRunner().invoke(app, ["doctor", *arguments, "--json"])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    document = json.loads(ended.stdout)
    assert document["passed"] == (ended.exit_code == 0)
    return ended.exit_code, {one["check"]: one for one in document["findings"]}


def test_nothing_is_wrong_here_and_every_check_is_on_the_page() -> None:
    code, found = doctor()
    assert code == 0
    # What a machine lacks for some languages is not wrong.
    assert {one["verdict"] for one in found.values()} <= {"ok", "note"}
    assert list(found) == CHECKS
    section = PAGE.split("\n## ohhell doctor")[1].split("\n## ")[0]
    told = set(re.findall(r"`([a-z ]+)`", section))
    assert {"passed", "findings", *found["python"]} <= set(re.findall(r"\w+", section))
    assert set(CHECKS) <= told


def test_a_port_that_is_taken_is_named_with_the_flag_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        monkeypatch.setenv("OHHELL_SERVER__ADMIN__PORT", port)
        code, found = doctor()
    assert (code, found["admin port"]["verdict"]) == (0, "note")
    assert port in found["admin port"]["said"]
    assert "--admin-port 0" in found["admin port"]["remedy"]
    assert found["game port"]["verdict"] == "ok"


def test_an_address_of_another_machine_cannot_be_listened_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OHHELL_SERVER__HTTP__ADDRESS", "192.0.2.1")
    code, found = doctor()
    assert (code, found["http port"]["verdict"]) == (1, "wrong")


def test_settings_that_no_service_or_bot_would_take_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OHHELL_SERVER__GAME__PROT", "1")
    monkeypatch.setenv("OHHELL_BOT_ADRESS", "h:1")
    code, found = doctor()
    assert (code, found["settings"]["verdict"]) == (1, "wrong")
    assert "the nearest is 'port'" in found["settings"]["said"]
    assert found["bot settings"]["verdict"] == "wrong"
    assert "OHHELL_BOT_ADDRESS?" in found["bot settings"]["said"]


def test_a_certificate_without_its_key_is_found_before_the_service_is_started(
    folder: Path,
) -> None:
    CliRunner().invoke(app, ["cert", "new"])
    config = folder / "serve.toml"
    config.write_text('[tls]\ncertificate = "server.pem"\nkey = "server-key.pem"\n')
    assert doctor("--config", str(config))[1]["settings"]["verdict"] == "ok"
    config.write_text('[tls]\ncertificate = "server.pem"\nkey = "ca-key.pem"\n')
    code, found = doctor("--config", str(config))
    assert (code, found["settings"]["verdict"]) == (1, "wrong")
    assert "server.pem and ca-key.pem are no certificate" in found["settings"]["said"]


def test_a_certificate_of_a_bot_is_looked_at_with_its_key(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CliRunner().invoke(app, ["cert", "new"])
    monkeypatch.setenv("OHHELL_BOT_CERTIFICATE", "operator.pem")
    monkeypatch.setenv("OHHELL_BOT_KEY", "operator-key.pem")
    assert doctor()[1]["bot settings"]["verdict"] == "ok"
    monkeypatch.setenv("OHHELL_BOT_KEY", "server-key.pem")
    code, found = doctor()
    assert (code, found["bot settings"]["verdict"]) == (1, "wrong")
    said = found["bot settings"]["said"]
    assert "operator.pem and server-key.pem are no certificate" in said


def test_a_store_where_nothing_can_be_written_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OHHELL_SERVER__STORE__WHERE", "/proc/tables.db")
    code, found = doctor()
    assert (code, found["store"]["verdict"]) == (1, "wrong")
    assert found["runs"]["verdict"] == "ok"


class Usage(NamedTuple):
    free: int


@pytest.mark.parametrize(
    ("free", "verdict"), [(10 << 20, "wrong"), (500 << 20, "note"), (5 << 30, "ok")]
)
def test_little_room_is_noted_and_none_is_wrong(
    monkeypatch: pytest.MonkeyPatch, free: int, verdict: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(free))
    assert doctor()[1]["disk"]["verdict"] == verdict


def test_packages_are_compared_with_the_lock(folder: Path) -> None:
    lock = folder / "requirements.lock"
    lock.write_text(
        "typer==0.0.1 \\\n    --hash=x\nno-such-package==1 ; os == 'none'\n"
    )
    found = machine._packages(lock)
    assert found.verdict is Verdict.NOTE
    assert re.match(r"typer [\d.]+ \(locked: 0\.0\.1\)$", found.said)
    lock.write_text("no-such-package==1 \\\n    --hash=x\n")
    found = machine._packages(lock)
    assert (found.verdict, found.said) == (Verdict.WRONG, "missing: no-such-package")
    assert machine._packages(ROOT / "requirements.lock").verdict is Verdict.OK


def test_the_oldest_python_is_that_of_the_project() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    least = ".".join(map(str, machine.LEAST_PYTHON))
    assert described["requires-python"] == f">={least}"


def test_a_clock_before_the_installation_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "time", lambda: 86_400.0)
    code, found = doctor()
    assert (code, found["clock"]["verdict"]) == (1, "wrong")
    assert "1970-01-02" in found["clock"]["said"]


def test_languages_without_their_tools_are_named_with_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    code, found = doctor()
    assert (code, found["toolchains"]["verdict"]) == (0, "note")
    assert "go (go)" in found["toolchains"]["said"]
    assert "ready for bots in python;" in found["toolchains"]["said"]
    assert found["sandbox"]["verdict"] == "note"


def test_few_open_files_are_noted_and_every_line_fits_80_columns() -> None:
    command = f'ulimit -n 256; exec "{sys.executable}" -m cli doctor'
    ended = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.search(
        r"^note  open files    256 at the same time", ended.stdout, re.MULTILINE
    )
    words = "\n".join(line for line in ended.stdout.splitlines() if "/" not in line)
    assert max(map(len, words.splitlines())) <= 80
