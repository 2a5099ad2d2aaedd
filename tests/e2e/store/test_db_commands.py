"""`ohhell db`: what is wrong is named, a copy is whole, old stores are brought up."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Self

import grpc
import pytest
from sqlalchemy import create_engine, text

from engine import Rules
from engine.record import match_of, parse_record, record_text
from engine.shuffle import block_seed
from ohhell.v1 import rules_pb2, tables_pb2, tables_pb2_grpc
from server.store import Store
from server.store.upgrading import upgrade
from tests.doubles.matches import played
from tests.doubles.postgres import (
    FOLDERS,
    PostgresServer,
    needs_postgres,
)
from tests.doubles.restarting import Server

HOUSE = ("greedy", "lowest", "expected-tricks")


def ohhell(*arguments: str) -> tuple[int, str, str]:
    ended = subprocess.run(
        [sys.executable, "-c", "from cli.main import main; main()", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def server(path: Path, tmp_path: Path) -> Iterator[Server]:
    started = Server(str(path), tmp_path)
    started.start()
    yield started
    started.close()


class Caller:
    """Opens tables by single calls."""

    def __init__(self, server: Server) -> None:
        self._channel = grpc.insecure_channel(server.address)
        self.tables = tables_pb2_grpc.TableServiceStub(self._channel)
        # Nobody may look on where the same deals are played at two tables.
        self._seeds = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()

    def open(self, *house_bots: str, players: int = 3) -> str:
        created = self.tables.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset="simple_down_up"),
                players=players,
                house_bots=house_bots,
                seed=next(self._seeds),
            )
        )
        return created.table.table

    def join(self, table: str) -> None:
        self.tables.JoinTable(tables_pb2.JoinTableRequest(table=table))

    def record(self, table: str) -> str:
        """Once the match is over."""
        watch = self.tables.WatchTable(tables_pb2.WatchTableRequest(table=table))
        for _ in watch:
            pass
        wanted = tables_pb2.GetRecordRequest(table=table)
        return self.tables.GetRecord(wanted).text


@pytest.fixture
def used(server: Server) -> Iterator[tuple[str, str, str]]:
    """A store with an ended, a running and an unfilled table."""
    with Caller(server) as caller:
        ended = caller.open(*HOUSE)
        caller.record(ended)
        running = caller.open(*HOUSE[:2])
        caller.join(running)
        yield ended, running, caller.open()


def test_a_copy_of_a_store_in_use_is_whole_and_can_be_served(
    server: Server, used: tuple[str, str, str], tmp_path: Path, path: Path
) -> None:
    copy = tmp_path / "copy.db"
    status, said, _ = ohhell("db", "backup", str(copy), "--store", str(path))
    assert (status, said) == (0, f"{copy}: {copy.stat().st_size:,} bytes\n")
    assert copy.stat().st_mode & 0o077 == 0
    with Caller(server) as caller:
        record = caller.record(used[0])
        caller.open()
    status, said, _ = ohhell("db", "check", "--store", str(copy), "--json")
    checked = json.loads(said)
    assert (status, checked["tables"], checked["findings"]) == (0, 3, [])
    assert checked["entries"] > 100
    restored = Server(str(copy), tmp_path)
    restored.start()
    try:
        with Caller(restored) as caller:
            assert caller.record(used[0]) == record
            listed = caller.tables.ListTables(tables_pb2.ListTablesRequest()).tables
            assert [table.table for table in listed] == list(used)[::-1]
    finally:
        restored.close()


def test_nothing_is_written_over(server: Server, path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("precious")
    nowhere = tmp_path / "no" / "copy.db"
    for target, expected in (
        (there, "there.db: there is a file already, and nothing is written over; name"),
        (path, "tables.db: there is a file already"),
        (tmp_path, "it is a folder; name the file in it"),
        (nowhere, f"{nowhere.parent} is no folder: make it, or name another"),
        (there / "copy.db", f"{there} is no folder: make it, or name another"),
    ):
        status, out, said = ohhell("db", "backup", str(target), "--store", str(path))
        assert (status, out) == (2, "")
        assert expected in said
        assert len(said.splitlines()) == 1
    assert there.read_text() == "precious"


def test_a_store_in_use_is_not_checked(server: Server, path: Path) -> None:
    status, _, said = ohhell("db", "check", "--store", str(path))
    assert status == 1
    assert "another server has it open" in said


def test_a_store_that_is_not_there_is_not_made(path: Path) -> None:
    for command in (
        ["check", "--store", str(path)],
        ["upgrade", "--store", f"sqlite:///{path}"],
    ):
        status, _, said = ohhell("db", *command)
        assert status == 2
        assert "tables.db: there is no such file; --store names" in said
    assert list(path.parent.iterdir()) == []


FLIP = (
    "UPDATE log_chunks SET body = CAST(substr(body, 1, 20) || x'ff'"
    " || substr(body, 22) AS BLOB) WHERE id = 2"
)
SHORTER = "UPDATE served_tables SET entries = substr(entries, 1, 60) WHERE id = 1"
OTHER_RESULT = (
    "UPDATE served_tables SET result = replace(result, '\"scores\": [',"
    " '\"scores\": [7') WHERE id = 1"
)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (FLIP, "chunk 2 of the event log is damaged: its checksum differs"),
        ("DELETE FROM log_chunks WHERE id = 2", "chunk 2 of the event log is missing"),
        (SHORTER, "is damaged: its last entry is cut off"),
        (OTHER_RESULT, "its entries do not lead to its result"),
        ("DELETE FROM seats WHERE table_id = 2 AND seat = 1", "it has 2 seats for 3"),
        ("UPDATE seats SET kind = 'free' WHERE table_id = 2", "and has a free seat"),
        ("UPDATE served_tables SET seed = x'00' WHERE id = 2", "deal 1 is not of"),
        ("UPDATE served_tables SET setup = '{}' WHERE id = 3", "cannot be understood"),
        ("UPDATE served_tables SET rules = '[' WHERE id = 3", "table "),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM served_tables WHERE id = 2",
            "of an unknown table 2",
        ),
    ],
)
def test_damage_is_named(
    server: Server,
    used: tuple[str, str, str],
    path: Path,
    damage: str,
    said: str,
) -> None:
    server.end()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(damage)
    status, out, _ = ohhell("db", "check", "--store", str(path))
    assert status == 1
    assert said in out
    assert "0 findings" not in out


def test_a_damaged_page_is_named(
    server: Server, used: tuple[str, str, str], path: Path
) -> None:
    server.end()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'served_tables_by_state'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * size + 8 : root * size - 200] = bytes(size - 208)
    path.write_bytes(bytes(data))
    status, out, _ = ohhell("db", "check", "--store", str(path))
    assert status == 1
    assert "database: " in out


def _old_store(where: str) -> str:
    """A store of the first version, with a finished and a running table; the record."""
    upgrade(where, to="0001")
    match = played(Rules.of("simple_down_up", players=3), HOUSE)
    record = record_text(match, ("Ann", "Bo", "Cy"))
    url = where if "://" in where else f"sqlite:///{where}"
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    row = text(
        "INSERT INTO served_tables (id, name, created_at, state, rules, players,"
        " setup, seed, first_chunk, result, record) VALUES (:id, :name, 1, :state,"
        " :rules, 3, '{}', :seed, 1, :result, :record)"
    )
    rules = json.dumps({"preset": "simple_down_up", "overrides": {}})
    with engine.begin() as connection:
        for number, state in enumerate(("finished", "running"), start=1):
            finished = state == "finished"
            values = {
                "id": number,
                "name": f"t-{state}",
                "state": state,
                "rules": rules,
                "seed": block_seed(bytes(32), 0, 0),
                "result": json.dumps({"scores": [0, 0, 0]}) if finished else None,
                "record": record.encode() if finished else None,
            }
            connection.execute(row, values)
    engine.dispose()
    return record


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("postgres", marks=needs_postgres)]
)
def test_an_old_store_is_refused_by_name_and_brought_up_by_command(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = str(tmp_path / "old.db")
    if kind == "postgres":
        running: PostgresServer = request.getfixturevalue("postgres")
        where = running.new_database()
    record = _old_store(where)
    server = Server(where, tmp_path)
    with pytest.raises(AssertionError, match="`ohhell db upgrade` brings it to"):
        server.start()
    status, said, _ = ohhell("db", "upgrade", "--store", where)
    assert status == 0
    assert "from version 0001 to" in said
    status, said, _ = ohhell("db", "upgrade", "--store", where)
    assert status == 0
    assert "already: nothing to do" in said
    status, said, _ = ohhell("db", "check", "--store", where)
    assert status == 0, said
    assert "2 tables" in said
    with Store(where) as store:
        finished = store.tables.by_name("t-finished")
        assert finished is not None
        kept = store.tables.entries(finished.id)
        assert kept == match_of(parse_record(record)).log.encoded_after(0)
        cancelled = store.tables.by_name("t-running")
        assert cancelled is not None
        assert cancelled.state == "cancelled"
    server.start()
    server.close()


@pytest.mark.slow
@pytest.mark.skipif(not FOLDERS, reason="PostgreSQL is not installed")
def test_postgresql_is_checked_here_and_copied_by_its_own_tools(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    where = postgres.new_database()
    server = Server(where, tmp_path)
    server.start()
    with Caller(server) as caller:
        caller.record(caller.open(*HOUSE))
    server.end()
    status, said, _ = ohhell("db", "check", "--store", where)
    assert status == 0, said
    assert ", 1 table, " in said
    copy = tmp_path / "copy.db"
    status, _, said = ohhell("db", "backup", str(copy), "--store", where)
    assert status == 1
    assert "pg_dump" in said
    assert not copy.exists()
