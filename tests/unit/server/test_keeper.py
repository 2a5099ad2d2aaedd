"""Commits to a file are shared by those who wait for one at the same time."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from server.keeper import Keeper
from server.store import Store, StoreError


def _never(error: StoreError) -> None:
    raise AssertionError(error)


async def _waiting(
    keeper: Keeper, store: Store, callers: int
) -> list[asyncio.Task[None]]:
    """Each has something to keep, and waits until it is kept."""

    async def caller(number: int) -> None:
        store.log.append(1, bytes([number]))
        await keeper.committed()

    tasks = [asyncio.create_task(caller(number)) for number in range(callers)]
    await asyncio.sleep(0)
    return tasks


async def test_calls_that_come_together_are_stored_in_one_chunk(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        before = store.log.written
        tasks = await _waiting(keeper, store, 5)
        assert store.log.written == before
        await asyncio.gather(*tasks)
        assert store.log.written == before + 1
        assert len(list(store.log.read(first_chunk=before + 1))) == 5
        keeper.close()


async def test_who_gives_up_takes_nobody_along(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        first, second = await _waiting(keeper, store, 2)
        first.cancel()
        await second
        assert first.cancelled()
        assert len(list(store.log.read())) == 2
        keeper.close()


async def test_nobody_who_shares_a_commit_that_fails_is_told_that_it_held(
    tmp_path: Path,
) -> None:
    failures: list[StoreError] = []
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=failures.append, recovered=lambda: None)
        tasks = await _waiting(keeper, store, 3)
        # A table that is not there.
        store.log.beside(text("DELETE FROM nothing"))
        for task in tasks:
            with pytest.raises(StoreError):
                await task
        assert len(failures) == 1
        with pytest.raises(StoreError):
            keeper.check()
        keeper.close()


async def test_nothing_new_is_nothing_to_wait_for(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        asking = keeper.committed()
        with pytest.raises(StopIteration):
            asking.send(None)
        keeper.close()
