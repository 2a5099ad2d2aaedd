"""`[confinement]` of a spec, in real runs with bots that look around."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.doubles.bubblewrap import needs_bubblewrap
from tests.doubles.command import Ohhell, double, house

THREE = house("greedy", "lowest", "random")


def logs(folder: Path) -> str:
    files = (folder / "runs" / "t" / "logs").glob("peeps*.err")
    return "".join(file.read_text() for file in files)


def isolation(folder: Path) -> object:
    document = json.loads((folder / "runs" / "t" / "results.json").read_text())
    return document["isolation"]


@needs_bubblewrap
def test_in_namespaces_a_bot_sees_neither_the_run_nor_other_processes(
    tmp_path: Path,
) -> None:
    ohhell = Ohhell(tmp_path)
    confined = "[confinement]\nbubblewrap = true\n"
    spec = ohhell.spec(double("peeps") + THREE, more=confined)
    done = ohhell.run("tournament", "run", spec)
    assert done.returncode == 0, done.stderr
    assert "isolation = namespace" in done.stderr
    assert isolation(tmp_path) == "namespace"
    seen = set(logs(tmp_path).splitlines())
    assert {line for line in seen if not line.startswith("{")} >= {
        "journals []",
        "many processes False",
        "beside the spec: Read-only file system",
    }
    assert not any("run.db" in line for line in seen)
    assert not (tmp_path / "mine").exists()
    faults = json.loads((tmp_path / "runs" / "t" / "results.json").read_text())
    assert all(not line["faults"] for line in faults["standings"])
    assert ohhell.no_process_is_left()
    assert ohhell.run("tournament", "verify", "t").returncode == 0


def test_without_confinement_the_same_bot_sees_them(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    spec = ohhell.spec(double("peeps") + THREE)
    done = ohhell.run("tournament", "run", spec)
    assert done.returncode == 0, done.stderr
    assert "isolation = none" in done.stderr
    assert isolation(tmp_path) == "none"
    assert "run.db" in logs(tmp_path)
    assert (tmp_path / "mine").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root can run bots as another user")
def test_another_user_is_refused_to_who_is_not_root(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    spec = ohhell.spec(THREE, more='[confinement]\nuser = "nobody"\n')
    done = ohhell.run("tournament", "run", spec)
    assert done.returncode == 2
    assert "only if root starts them" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_a_user_who_is_not_there_is_named_and_nothing_is_made(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    more = '[confinement]\nuser = "nobody-of-this-name"\nprocesses = 10\n'
    spec = ohhell.spec(double("peeps") + THREE, more=more)
    done = ohhell.run("tournament", "run", spec)
    assert done.returncode == 2
    assert "confinement: cannot be had" in done.stderr
    assert not (tmp_path / "runs").exists()
