"""Bringing an old store up to the version of this program."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from server.store.errors import explaining
from server.store.opening import Durability, open_database
from server.store.schema import VERSIONS


def upgrade(where: str | Path, *, to: str = VERSIONS[-1]) -> None:
    """Run the migrations that are missing, in one transaction."""
    database = open_database(where, Durability.POWER)
    try:
        config = Config()
        config.set_main_option(
            "script_location", str(Path(__file__).parent / "migrations")
        )
        with explaining(database.name), database.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, to)
    finally:
        database.close()
