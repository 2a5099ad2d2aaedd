"""Bringing an old store up to the version of this program."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from server.store.checking import broken_references
from server.store.errors import StoreCorrupt, explaining
from server.store.opening import Durability, open_database, version_of
from server.store.schema import VERSIONS


def upgrade(where: str | Path, *, to: str = VERSIONS[-1]) -> tuple[str, str]:
    """Run the migrations that are missing, in one transaction; from and to what.

    NotAStore, StoreTooNew for what is no older store of ours.
    """
    # SQLite alters a table by replacing it, which references to it would forbid.
    database = open_database(where, Durability.POWER, references=False)
    try:
        config = Config()
        config.set_main_option(
            "script_location", str(Path(__file__).parent / "migrations")
        )
        with explaining(database.name), database.engine.begin() as connection:
            before = version_of(connection, database.name)
            config.attributes["connection"] = connection
            command.upgrade(config, to)
            for problem in broken_references(connection):
                raise StoreCorrupt(database.name, problem)
            return before, to
    finally:
        database.close()
