"""The store on a PostgreSQL server, where one is installed."""

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from server.store import (
    Charge,
    Entry,
    SealedAnswer,
    Store,
    StoredFault,
    StoreUnavailable,
)
from server.store.schema import metadata
from server.store.upgrading import upgrade

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDERS, reason="PostgreSQL is not installed"),
]


class Server:
    """A PostgreSQL server with its data in a folder of its own, on a Unix socket."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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

    def new_database(self, name: str) -> str:
        with psycopg.connect(
            host=str(self._folder), user="postgres", autocommit=True
        ) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self._folder}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("postgres")
    for parent in folder.parents[:3]:  # pytest's own, closed to the other user
        if os.geteuid() == 0:
            parent.chmod(0o711)
    running = Server(folder)
    running.start()
    yield running
    running.stop()


def test_what_is_committed_is_there_after_opening_again(server: Server) -> None:
    url = server.new_database("kept")
    charge = Charge(1, seq=3, seat=0, attempts=2, milliseconds=250)
    with Store(url) as store:
        table = store.tables.create("t", now=1, rules="{}", players=4, seed=b"\0s")
        token = store.bots.register("greedy", now=1)
        store.log.append(table, b"\0entry")
        store.log.charge(charge)
        fault = StoredFault(3, 0, 1, "ILLEGAL", 250)
        store.tables.fault(table, fault)
        answer = SealedAnswer(seq=3, seat=1, attempt=1, payload=b"2")
        store.tables.seal(table, answer)
        store.log.commit()
        store.log.append(table, b"lost")
    with Store(url) as store:
        assert list(store.log.read()) == [Entry(table, b"\0entry"), charge]
        assert store.tables.faults(table) == [fault]
        assert store.tables.sealed(table, seq=3) == {1: answer}
        kept = store.tables.by_name("t")
        assert kept is not None
        assert kept.seed == b"\0s"
        assert store.bots.of_token(token, now=1) is not None


def test_chunks_cut_on_the_loop_are_written_by_another_thread(server: Server) -> None:
    with Store(server.new_database("threads")) as store:
        for number in range(50):
            store.log.append(1, b"%d" % number)
            store.log.cut()
        writer = threading.Thread(target=store.log.write)
        writer.start()
        writer.join()
        assert store.log.payloads(1) == [b"%d" % number for number in range(50)]


def test_migrations_lead_to_the_schema(server: Server) -> None:
    url = server.new_database("migrated")
    upgrade(url)
    with Store(url) as store:
        with store._database.engine.connect() as connection:
            assert (
                compare_metadata(MigrationContext.configure(connection), metadata) == []
            )
        store.tables.create("t", now=1, rules="{}", players=4, seed=b"")


def test_a_server_that_went_away_is_named_and_nothing_is_lost(server: Server) -> None:
    with Store(server.new_database("restarted")) as store:
        store.log.append(1, b"before")
        store.log.commit()
        server.stop()
        try:
            store.log.append(1, b"during")
            with pytest.raises(StoreUnavailable):
                store.log.commit()
        finally:
            server.start()
        store.log.append(1, b"after")
        store.log.commit()
        assert store.log.payloads(1) == [b"before", b"during", b"after"]
