"""The log gives back what was committed, in order, or says what is damaged."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import (
    Charge,
    Entry,
    Item,
    SealedAnswer,
    Store,
    StoreCorrupt,
    StoredFault,
    TableState,
)

ITEMS = st.lists(
    st.one_of(
        st.builds(Entry, st.integers(1, 2**32 - 1), st.binary(max_size=300)),
        st.builds(
            Charge,
            table_id=st.integers(1, 2**32 - 1),
            seq=st.integers(1, 2**32 - 1),
            seat=st.integers(0, 9),
            attempts=st.integers(0, 255),
            milliseconds=st.integers(0, 2**32 - 1),
            bank_ms=st.integers(0, 2**32 - 1),
        ),
    )
)


def _new_table(store: Store, name: str = "t1") -> int:
    return store.tables.create(name, now=1, rules="{}", players=4, seed=b"s")


@given(st.lists(ITEMS, max_size=5))
def test_whatever_is_committed_is_read_in_order(
    groups: list[list[Entry | Charge]],
) -> None:
    with Store("sqlite://") as store:
        for group in groups:
            for item in group:
                match item:
                    case Entry():
                        store.log.append(item.table_id, item.payload)
                    case Charge():
                        store.log.charge(item)
            store.log.commit()
        assert list(store.log.read()) == [item for group in groups for item in group]


def test_only_what_was_committed_is_there_after_opening_again(where: str) -> None:
    with Store(where) as store:
        store.log.append(1, b"kept")
        store.log.commit()
        store.log.append(1, b"lost")
    with Store(where) as store:
        assert store.log.payloads(1) == [b"kept"]
        store.log.append(1, b"next")
        store.log.commit()
        assert store.log.payloads(1) == [b"kept", b"next"]


def test_a_commit_with_nothing_to_write_writes_nothing(store: Store) -> None:
    before = store.log.next_chunk
    store.log.commit()
    assert store.log.next_chunk == before


def test_tables_are_told_apart(store: Store) -> None:
    for number in range(9):
        store.log.append(number % 3, b"%d" % number)
    store.log.commit()
    assert store.log.payloads(2) == [b"2", b"5", b"8"]
    assert [len(items) for items in store.log.by_table().values()] == [3, 3, 3]


def test_more_chunks_than_a_page_are_read(store: Store) -> None:
    for number in range(200):
        store.log.append(1, b"%d" % number)
        store.log.commit()
    assert store.log.payloads(1) == [b"%d" % number for number in range(200)]


def test_a_commit_while_the_log_is_being_read_is_a_commit(path: Path) -> None:
    with Store(path) as store:
        _commit_while_reading(store, path)


def _commit_while_reading(store: Store, path: Path) -> None:
    store.log.append(1, b"first")
    store.log.commit()
    reading = store.log.read()
    next(reading)
    store.log.append(1, b"second")
    store.log.commit()
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM log_chunks").fetchone() == (2,)
    other.close()


def test_what_is_beside_an_entry_is_committed_with_it(store: Store) -> None:
    table = _new_table(store)
    answer = SealedAnswer(seq=7, seat=2, attempt=1, payload=b"3")
    amended = SealedAnswer(seq=7, seat=2, attempt=2, payload=b"4")
    fault = StoredFault(seq=7, seat=1, attempt=1, fault="ILLEGAL", milliseconds=12)
    store.log.append(table, b"entry")
    store.tables.seal(table, answer)
    store.tables.seal(table, amended)
    store.tables.fault(table, fault)
    assert store.tables.sealed(table, seq=7) == {}
    store.log.commit()
    assert store.tables.sealed(table, seq=7) == {2: amended}
    assert store.tables.faults(table) == [fault]
    assert store.log.payloads(table) == [b"entry"]


def test_a_sealed_answer_alone_is_committed(store: Store) -> None:
    table = _new_table(store)
    store.tables.seal(table, SealedAnswer(seq=1, seat=0, attempt=1, payload=b"0"))
    store.log.commit()
    assert store.tables.sealed(table, seq=1)[0].payload == b"0"


def _damage(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("damage", "chunk", "said"),
    [
        ("UPDATE log_chunks SET body = zeroblob(9) WHERE id = 2", 2, "checksum"),
        ("UPDATE log_chunks SET crc = crc + 1 WHERE id = 3", 3, "checksum"),
        ("UPDATE log_chunks SET items = 9 WHERE id = 2", 2, "items are missing"),
        ("UPDATE log_chunks SET body = x'', crc = 0 WHERE id = 1", 1, "missing"),
        ("DELETE FROM log_chunks WHERE id = 2", 2, "is missing"),
    ],
)
def test_a_damaged_chunk_is_named(
    path: Path, damage: str, chunk: int, said: str
) -> None:
    with Store(path) as store:
        for number in range(4):
            store.log.append(1, b"%d" % number)
            store.log.commit()
    _damage(path, damage)
    with Store(path) as store:
        read: list[Item] = []
        with pytest.raises(StoreCorrupt, match=said) as caught:
            read.extend(store.log.read())
    assert caught.value.chunk == chunk
    assert str(path) in str(caught.value)
    assert read == [Entry(1, b"%d" % number) for number in range(chunk - 1)]


def test_what_only_ended_tables_need_is_forgotten(where: str) -> None:
    with Store(where) as store:
        first = _new_table(store, "first")
        store.log.append(first, b"1")
        store.log.commit()
        second = _new_table(store, "second")
        store.log.append(second, b"2")
        store.log.commit()
        store.tables.end(first, TableState.FINISHED, now=2, result="{}", entries=[b"1"])
        store.log.commit()
        _forget(store)
        assert store.log.payloads(first) == []
        assert store.log.payloads(second) == [b"2"]
        store.tables.end(second, TableState.CANCELLED, now=3)
        store.log.commit()
        _forget(store)
        following = store.log.next_chunk
    with Store(where) as store:
        assert store.log.next_chunk == following
        assert store.tables.entries(first) == [b"1"]


def _forget(store: Store) -> None:
    store.log.forget_before(store.tables.oldest_needed_chunk())
    store.log.commit()
