"""Commits to a file are shared where many wait for one; a few are not kept waiting."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from server.keeper import MANY, Keeper
from server.store import Store, StoreError


def _never(error: StoreError) -> None:
    raise AssertionError(error)


async def _asks(keeper: Keeper, store: Store, number: int) -> None:
    store.log.append(1, bytes([number]))
    await keeper.committed()


async def _waiting(
    keeper: Keeper, store: Store, callers: int
) -> list[asyncio.Task[None]]:
    """Each has something to keep, and waits until it is kept, for there are many."""
    for number in range(MANY):
        await _asks(keeper, store, number)
    # The last of them has begun a span of sharing.
    numbers = range(MANY, MANY + callers)
    tasks = [asyncio.create_task(_asks(keeper, store, number)) for number in numbers]
    await asyncio.sleep(0)
    return tasks


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine, what comes together counts as that."""
    monkeypatch.setattr("server.keeper.APART", 0.2)


async def test_calls_that_come_together_are_stored_in_one_chunk(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        tasks = await _waiting(keeper, store, 5)
        before = store.log.written
        await asyncio.gather(*tasks)
        assert store.log.written == before + 1
        assert len(list(store.log.read(first_chunk=before + 1))) == 5
        keeper.close()


async def test_a_few_calls_are_stored_without_waiting_for_others(
    tmp_path: Path,
) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        for number in range(MANY - 1):
            before = store.log.written
            with pytest.raises(StopIteration):
                _asks(keeper, store, number).send(None)
            assert store.log.written == before + 1
        one_more = asyncio.create_task(_asks(keeper, store, MANY))
        await asyncio.sleep(0)
        assert not one_more.done(), "many have come by now"
        await one_more
        keeper.close()


async def test_calls_far_apart_never_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.keeper.APART", 0.001)
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        for number in range(3 * MANY):
            with pytest.raises(StopIteration):
                _asks(keeper, store, number).send(None)
            await asyncio.sleep(0.002)
        keeper.close()


async def test_who_gives_up_takes_nobody_along(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        first, second = await _waiting(keeper, store, 2)
        first.cancel()
        await second
        assert first.cancelled()
        assert len(list(store.log.read())) == MANY + 2
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


async def test_trouble_that_begins_while_callers_wait_is_told_to_all_of_them(
    tmp_path: Path,
) -> None:
    failures: list[StoreError] = []
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=failures.append, recovered=lambda: None)
        gone, *tasks = await _waiting(keeper, store, 4)
        store.log.beside(text("DELETE FROM nothing"))
        with pytest.raises(StoreError):
            keeper.commit()
        gone.cancel()
        for task in tasks:
            with pytest.raises(StoreError):
                await task
        assert gone.cancelled()
        assert len(failures) == 1
        keeper.close()


async def test_a_commit_that_fails_at_once_is_told(tmp_path: Path) -> None:
    failures: list[StoreError] = []
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=failures.append, recovered=lambda: None)
        store.log.beside(text("DELETE FROM nothing"))
        with pytest.raises(StoreError):
            await _asks(keeper, store, 0)
        assert len(failures) == 1
        keeper.close()


async def test_nothing_new_is_nothing_to_wait_for(tmp_path: Path) -> None:
    with Store(tmp_path / "ohhell.db") as store:
        keeper = Keeper(store, failed=_never, recovered=lambda: None)
        asking = keeper.committed()
        with pytest.raises(StopIteration):
            asking.send(None)
        keeper.close()
