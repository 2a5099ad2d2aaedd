"""What a database itself finds wrong with its pages, indexes and references."""

from sqlalchemy import Connection

from server.store.errors import StoreError, explaining
from server.store.opening import Database

_MOST = 20


def problems_of(database: Database) -> list[str]:
    """Ask SQLite; PostgreSQL checks its pages by itself, where it was set up to."""
    if database.engine.dialect.name != "sqlite":
        return []
    try:
        with explaining(database.name), database.engine.begin() as reading:
            return [*_pages(reading), *broken_references(reading)]
    except StoreError as error:
        return [str(error)]


def _pages(reading: Connection) -> list[str]:
    found = reading.exec_driver_sql(f"PRAGMA integrity_check({_MOST})").scalars()
    return [text for text in found.all() if text != "ok"]


def broken_references(reading: Connection) -> list[str]:
    """List rows whose parents are missing; PostgreSQL has none."""
    if reading.dialect.name != "sqlite":
        return []
    rows = reading.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [
        f"row {row} of {table} refers to a row of {parent} that is not there"
        for table, row, parent, _ in rows[:_MOST]
    ]
