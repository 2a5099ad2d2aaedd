"""Names of logs, environments and messages of bot processes."""

import os
from pathlib import Path

import pytest

from tournament.launcher import (
    BotProcess,
    Confinement,
    Exit,
    IllegalConfinement,
    Isolation,
    Limits,
    isolation,
    log_stem,
)

SECRET = "secret"  # noqa: S105  # of nothing but this test


def test_plain_names_name_their_logs() -> None:
    assert log_stem("expected-tricks", 0) == "expected-tricks"
    assert log_stem("expected-tricks", 3) == "expected-tricks.3"


def test_no_two_lanes_of_any_two_bots_share_a_log() -> None:
    names = ["a", "a.1", "A", "a/1", "../a", "a%2E1", "ä", "a\n", "🂡", "x" * 300]
    names += ["x" * 301, "🂡" * 100, "🂡" * 101]
    stems = {log_stem(name, lane) for name in names for lane in range(3)}
    assert len(stems) == 3 * len(names)
    assert all(len(stem) < 200 and "/" not in stem for stem in stems)


def test_the_environment_is_built_and_not_inherited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_RUNNER", "x")
    process = BotProcess(
        "a",
        ("a",),
        tmp_path,
        settings={"address": "127.0.0.1:1"},
        token=SECRET,
        variables={"JAVA_HOME": "/jdk"},
    )
    environment = process.environment(tmp_path)
    assert set(environment) == {
        "PATH",
        "LANG",
        "HOME",
        "JAVA_HOME",
        "OHHELL_BOT_ADDRESS",
        "OHHELL_BOT_TOKEN_FD",
    }
    assert environment["HOME"] == str(tmp_path)
    assert SECRET not in environment.values()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (3, "exited with status 3"),
        (-9, "was ended by SIGKILL"),
        (-64, "was ended by SIGRTMAX"),
        (None, "was lost"),
    ],
)
def test_an_exit_is_described(status: int | None, said: str) -> None:
    ended = Exit(status, "Traceback: oh", asked=False, log=Path("a.err"))
    assert said in ended.describe()
    assert ended.describe().endswith("(a.err):\nTraceback: oh")


def test_the_isolation_in_force_is_said() -> None:
    assert isolation(Confinement()) is Isolation.NONE
    assert isolation(Confinement(user="nobody")) is Isolation.USER
    assert isolation(Confinement(bubblewrap=True)) is Isolation.NAMESPACE
    for level in Isolation:
        assert level.describe().startswith(f"{level.value}:")


def test_a_limit_of_processes_needs_a_user() -> None:
    with pytest.raises(IllegalConfinement, match="needs a user"):
        Confinement(limits=Limits(processes=10)).check()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is asked for the user")
def test_an_unknown_user_is_named() -> None:
    with pytest.raises(IllegalConfinement, match="no user 'nobody-of-this-name'"):
        Confinement(user="nobody-of-this-name").check()


def test_bubblewrap_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(IllegalConfinement, match="bwrap"):
        Confinement(bubblewrap=True).check()
