"""What is different with a PostgreSQL server: threads, and that it may go away."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from server.keeper import Keeper
from server.store import Store, StoreError, StoreInUse, StoreUnavailable
from server.store.schema import metadata
from server.store.upgrading import upgrade
from tests.doubles.patience import PATIENCE_S
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


def test_a_database_is_open_for_one_server(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    with Store(url), pytest.raises(StoreInUse, match="another server has it open"):
        Store(url)
    Store(url).close()


@contextmanager
def locked(url: str) -> Iterator[None]:
    """No commit of the log comes through."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE log_chunks IN EXCLUSIVE MODE")
        yield


def _never(error: StoreError) -> None:
    raise error


async def test_the_loop_goes_on_while_a_commit_waits(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    with Store(url) as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        with locked(url):
            store.log.append(1, b"first")
            first = asyncio.ensure_future(keeper.committed())
            await asyncio.sleep(0)
            store.log.append(1, b"second")
            second = asyncio.ensure_future(keeper.committed())
            for _ in range(1_000):
                await asyncio.sleep(0)
            assert not first.done()
            assert not second.done()
            with psycopg.connect(url) as other:
                assert other.execute("SELECT count(*) FROM log_chunks").fetchone() == (
                    0,
                )
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(first, second)
        assert store.log.payloads(1) == [b"first", b"second"]
        keeper.close()


async def test_whoever_waits_is_told_of_trouble_and_later_commits_make_up(
    postgres: PostgresServer,
) -> None:
    trouble: list[str] = []
    over = asyncio.Event()
    with Store(postgres.new_database()) as store:
        keeper = Keeper(
            store,
            failed=lambda error: trouble.append(error.public),
            recovered=over.set,
        )
        store.log.append(1, b"before")
        await keeper.committed()
        postgres.stop()
        try:
            store.log.append(1, b"during")
            with pytest.raises(StoreUnavailable):
                await keeper.committed()
            with pytest.raises(StoreUnavailable):
                keeper.check()
        finally:
            postgres.start()
        async with asyncio.timeout(PATIENCE_S):
            await over.wait()
        keeper.check()
        store.log.append(1, b"after")
        await keeper.committed()
        assert store.log.payloads(1) == [b"before", b"during", b"after"]
        assert trouble == ["the database does not answer"]
        keeper.close()
