"""A PostgreSQL server with its data in a folder of its own, for the tests' time."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))

needs_postgres = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDERS, reason="PostgreSQL is not installed"),
]


class PostgresServer:
    """Listens on a Unix socket in its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)
        self._prefix: list[str] = []
        if os.geteuid() == 0:  # which PostgreSQL refuses to be run by
            shutil.chown(folder, "postgres")
            change = "setpriv --reuid=postgres --regid=postgres --clear-groups"
            self._prefix = change.split()
        options = "-U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync"
        self._run("initdb", "-D", str(folder / "data"), *options.split())

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(FOLDERS[-1] / program), *arguments]
        subprocess.run(command, cwd=self._folder, check=True, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        options = f"-k {self._folder} -c listen_addresses= -c fsync=off"
        log = str(self._folder / "log")
        data = str(self._folder / "data")
        self._run("pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start")

    def stop(self) -> None:
        data = str(self._folder / "data")
        self._run("pg_ctl", "-D", data, "-m", "immediate", "stop")

    def new_database(self) -> str:
        """The URL of an empty one."""
        name = f"store{next(self._numbers)}"
        with psycopg.connect(
            host=str(self._folder), user="postgres", autocommit=True
        ) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self._folder}"


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Starts one, and ends it."""
    # Not in a folder of pytest's: those are closed to the user that runs PostgreSQL.
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One for a test process."""
    with running_postgres() as server:
        yield server


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=needs_postgres)],
)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store, once of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()
