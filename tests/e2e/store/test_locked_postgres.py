"""Calls that wait for a database which somebody else has locked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.doubles.postgres import PostgresServer, needs_postgres
from tests.doubles.serving import person_at, serving, someone

pytestmark = needs_postgres


@contextmanager
def locked(where: str) -> Iterator[None]:
    with psycopg.connect(where) as other:
        other.execute("LOCK TABLE log_chunks IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


async def test_a_bid_that_the_store_kept_waiting_is_not_made_twice(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    where = postgres.new_database()
    with serving(tmp_path, "--store", where, patience__call_ms=500) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            await anna.bid_through(locked(where))
