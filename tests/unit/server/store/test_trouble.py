"""A store that cannot be used says why, and what it was given is not lost."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import server.store
from server.store import (
    Durability,
    NotAStore,
    Store,
    StoreCorrupt,
    StoreError,
    StoreNeedsUpgrade,
    StoreTooNew,
    StoreUnavailable,
    opening,
)
from server.store.schema import VERSIONS, metadata
from server.store.upgrading import upgrade


def _sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _driver(store: Store) -> sqlite3.Connection:
    driver = store.log._sqlite
    assert driver is not None
    return driver


def test_a_full_disk_is_named_and_the_commit_can_be_repeated(path: Path) -> None:
    with Store(path) as store:
        store.log.append(1, b"first")
        store.log.commit()
        pages = _driver(store).execute("PRAGMA page_count").fetchone()[0]
        _driver(store).execute(f"PRAGMA max_page_count = {pages + 1}")
        store.log.append(1, b"x" * 100_000)
        with pytest.raises(StoreUnavailable, match="the disk is full") as caught:
            store.log.commit()
        assert str(path) in str(caught.value)
        store.log.append(1, b"later")
        with pytest.raises(StoreUnavailable):
            store.log.commit()
        _driver(store).execute("PRAGMA max_page_count = 1000000")
        store.log.commit()
        assert store.log.payloads(1) == [b"first", b"x" * 100_000, b"later"]


def test_a_full_disk_leaves_no_half_of_what_is_beside(path: Path) -> None:
    with Store(path) as store:
        table = store.tables.create("t", now=1, rules="{}", players=4, seed=b"s")
        store.log.commit()
        pages = _driver(store).execute("PRAGMA page_count").fetchone()[0]
        _driver(store).execute(f"PRAGMA max_page_count = {pages + 1}")
        fault = server.store.StoredFault(1, 0, 1, "ILLEGAL", 1)
        store.tables.fault(table, fault)
        store.log.append(table, b"x" * 100_000)
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            store.log.commit()
        assert store.tables.faults(table) == []
        _driver(store).execute("PRAGMA max_page_count = 1000000")
        store.log.commit()
        assert store.tables.faults(table) == [fault]


def test_a_try_that_had_succeeded_untold_is_not_written_twice(path: Path) -> None:
    with Store(path) as store:
        store.log.append(1, b"once")
        store.log.cut()
        chunk = store.log._queue[0]
        store.log.write()
        store.log._queue.append(chunk)
        store.log.commit()
        assert store.log.payloads(1) == [b"once"]


def test_a_second_writer_is_noticed(path: Path) -> None:
    with Store(path) as store:
        _sql(path, "INSERT INTO log_chunks VALUES (1, 0, 0, x'')")
        store.log.append(1, b"mine")
        with pytest.raises(StoreCorrupt, match="somebody else writes"):
            store.log.commit()


def test_a_store_is_open_for_one_server(path: Path) -> None:
    with Store(path), pytest.raises(StoreUnavailable, match="another server"):
        Store(path)
    Store(path).close()


def test_a_lock_of_another_process_is_named(path: Path) -> None:
    with Store(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store.log.append(1, b"x")
        with pytest.raises(StoreUnavailable, match="locked by another process"):
            store.log.commit()
        other.execute("ROLLBACK")
        other.close()
        store.log.commit()
        assert store.log.payloads(1) == [b"x"]


def test_a_store_that_became_read_only_is_named(path: Path) -> None:
    with Store(path) as store:
        _driver(store).execute("PRAGMA query_only = ON")
        store.log.append(1, b"x")
        with pytest.raises(StoreUnavailable, match="read-only"):
            store.log.commit()


def _text(path: Path) -> None:
    path.write_text("something else entirely\n" * 100)


def _other_program(path: Path) -> None:
    _sql(path, "CREATE TABLE recipes (id INTEGER)")


def _folder(path: Path) -> None:
    path.mkdir()


def _later(path: Path) -> None:
    Store(path).close()
    _sql(path, "UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize(
    ("spoil", "error", "said"),
    [
        (_text, NotAStore, "not an SQLite database"),
        (_other_program, NotAStore, "some other program"),
        (_folder, StoreUnavailable, "cannot be opened"),
        (_later, StoreTooNew, "has version 9999; this program knows up to"),
    ],
)
def test_what_is_no_store_of_ours_is_refused_by_name(
    path: Path, spoil: Callable[[Path], None], error: type[StoreError], said: str
) -> None:
    spoil(path)
    with pytest.raises(error, match=said) as caught:
        Store(path)
    assert str(path) in str(caught.value)


def test_a_path_below_a_file_is_refused_by_name(path: Path) -> None:
    path.write_text("")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Store(path / "store.db")


def test_a_header_that_is_damaged_is_named(path: Path) -> None:
    with Store(path) as store:
        store.tables.create("t", now=1, rules="{}", players=4, seed=b"s")
        store.log.commit()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreCorrupt, match="is damaged"), Store(path) as store:
        store.tables.by_name("t")


def test_an_older_version_needs_an_upgrade_and_gets_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(path).close()
    with monkeypatch.context() as later:
        later.setattr(opening, "VERSIONS", (*VERSIONS, "9999"))
        with pytest.raises(StoreNeedsUpgrade, match="`ohhell db upgrade`"):
            Store(path)
    upgrade(path)
    Store(path).close()


def test_migrations_lead_to_the_schema(path: Path) -> None:
    upgrade(path)
    with Store(path) as store:
        with store._database.engine.connect() as connection:
            options = {"compare_type": True}
            context = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(context, metadata) == []
        assert store.tables.create("t", now=1, rules="{}", players=4, seed=b"s") == 1


def test_the_known_versions_are_the_migrations() -> None:
    folder = Path(server.store.__file__).parent / "migrations"
    scripts = ScriptDirectory(str(folder)).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == VERSIONS


def test_an_upgrade_makes_the_same_tables_as_a_new_store(tmp_path: Path) -> None:
    upgrade(tmp_path / "upgraded.db")
    Store(tmp_path / "new.db").close()

    def shape(path: Path) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(path)
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        columns = [
            (name, *column)
            for (name,) in tables
            for column in connection.execute(f"PRAGMA table_info({name})")
        ]
        indexes = connection.execute(
            "SELECT name, tbl_name FROM sqlite_master"
            " WHERE type = 'index' ORDER BY name"
        ).fetchall()
        connection.close()
        return columns + indexes

    assert shape(tmp_path / "upgraded.db") == shape(tmp_path / "new.db")


@pytest.mark.parametrize(
    ("durability", "level"), [(Durability.PROCESS, 1), (Durability.POWER, 2)]
)
def test_durability_is_what_sqlite_is_told(
    path: Path, durability: Durability, level: int
) -> None:
    with Store(path, durability=durability) as store:
        assert _driver(store).execute("PRAGMA synchronous").fetchone() == (level,)
        assert _driver(store).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_file_is_private(path: Path) -> None:
    with Store(path):
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file


def test_a_url_without_its_driver_or_sense_is_refused_without_its_password() -> None:
    for url in ("nonsense://u:secret@h/d", "postgresql://u:secret@127.0.0.1:1/d"):
        with pytest.raises(StoreUnavailable) as caught:
            Store(url)
        assert "secret" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_is_refused(path: Path) -> None:
    Store(path).close()
    path.chmod(0o400)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Store(path)
