"""What is different with a PostgreSQL server: threads, and that it may go away."""

import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from server.store import Store, StoreUnavailable
from server.store.schema import metadata
from server.store.upgrading import upgrade
from tests.doubles.postgres import PostgresServer, needs_postgres

pytestmark = needs_postgres


def test_chunks_cut_on_the_loop_are_written_by_another_thread(
    postgres: PostgresServer,
) -> None:
    with Store(postgres.new_database()) as store:
        for number in range(50):
            store.log.append(1, b"%d" % number)
            store.log.cut()
        writer = threading.Thread(target=store.log.write)
        writer.start()
        writer.join()
        assert store.log.payloads(1) == [b"%d" % number for number in range(50)]


def test_migrations_lead_to_the_schema(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    upgrade(url)
    with Store(url) as store:
        with store._database.engine.connect() as connection:
            assert (
                compare_metadata(MigrationContext.configure(connection), metadata) == []
            )
        store.tables.create("t", now=1, rules="{}", players=4, seed=b"")
        store.log.commit()


def test_a_server_that_went_away_is_named_and_nothing_is_lost(
    postgres: PostgresServer,
) -> None:
    with Store(postgres.new_database()) as store:
        store.log.append(1, b"before")
        store.log.commit()
        postgres.stop()
        try:
            store.log.append(1, b"during")
            with pytest.raises(StoreUnavailable):
                store.log.commit()
        finally:
            postgres.start()
        store.log.append(1, b"after")
        store.log.commit()
        assert store.log.payloads(1) == [b"before", b"during", b"after"]
