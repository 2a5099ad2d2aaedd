"""Tables and seats are kept as they were given, from the next commit on."""

import hashlib

import pytest

from server.store import (
    UNFINISHED,
    SealedAnswer,
    Seat,
    SeatKind,
    Store,
    StoreCorrupt,
    StoredFault,
    TableState,
)
from server.store.schema import served_tables


def _create(store: Store, name: str, *, listed: bool = True) -> int:
    return store.tables.create(
        name, now=1, rules="{}", players=3, seed=b"", listed=listed
    )


def test_a_table_goes_through_its_states(store: Store) -> None:
    number = store.tables.create(
        "tbl-1", now=10, rules='{"preset":"blackout"}', players=5, seed=b"\0seed"
    )
    store.log.commit()
    table = store.tables.by_name("tbl-1")
    assert table is not None
    assert (table.id, table.created_at, table.players) == (number, 10, 5)
    assert (table.rules, table.seed) == ('{"preset":"blackout"}', b"\0seed")
    assert table.state is TableState.OPEN
    store.tables.run(number)
    store.log.commit()
    assert [t.name for t in store.tables.in_states(*UNFINISHED)] == ["tbl-1"]
    store.tables.end(
        number,
        TableState.FINISHED,
        now=20,
        result='{"winners":[1]}',
        entries=[b"first", b"", b"last"],
    )
    store.log.commit()
    finished = store.tables.by_name("tbl-1")
    assert finished is not None
    assert finished.state is TableState.FINISHED
    assert (finished.ended_at, finished.result) == (20, '{"winners":[1]}')
    assert store.tables.entries(number) == [b"first", b"", b"last"]
    assert store.tables.in_states(*UNFINISHED) == []


def test_nothing_of_a_table_is_there_before_the_commit(where: str) -> None:
    with Store(where) as store:
        number = _create(store, "t")
        store.tables.add_seats(number, [Seat(0)])
        store.log.append(number, b"entry")
        assert store.tables.by_name("t") is None
    with Store(where) as store:
        assert store.tables.by_name("t") is None
        assert _create(store, "other") == number


def test_tables_are_gone_through_page_by_page(store: Store) -> None:
    for number in range(5):
        _create(store, f"t{number}")
    store.log.commit()
    first = store.tables.in_states(TableState.OPEN, limit=3)
    rest = store.tables.in_states(TableState.OPEN, after=first[-1].id, limit=3)
    assert [table.name for table in first + rest] == ["t0", "t1", "t2", "t3", "t4"]


def test_lists_begin_with_the_newest_and_leave_out_what_is_not_listed(
    store: Store,
) -> None:
    for number in range(6):
        _create(store, f"t{number}", listed=number != 2)
    store.log.commit()
    first = store.tables.newest(TableState.OPEN, limit=3)
    assert [table.name for table in first] == ["t5", "t4", "t3"]
    # A new table between two pages moves nothing.
    _create(store, "later")
    store.log.commit()
    rest = store.tables.newest(TableState.OPEN, before=first[-1].id, limit=3)
    assert [table.name for table in rest] == ["t1", "t0"]
    assert store.tables.newest(TableState.RUNNING, limit=3) == []


def test_an_unknown_table_is_none(store: Store) -> None:
    assert store.tables.by_name("nothing") is None
    assert store.tables.entries(1) == []


def test_seats_change_hands(store: Store) -> None:
    table = _create(store, "t")
    ticket, token = (hashlib.sha256(word).digest() for word in (b"ticket", b"token"))
    house = Seat(1, SeatKind.HOUSE, "greedy", "greedy")
    store.tables.add_seats(table, [Seat(0, ticket_hash=ticket), house])
    store.log.commit()
    assert store.tables.seats_of([table]) == {
        table: [Seat(0, SeatKind.FREE, "", None, ticket), house]
    }
    ann = Seat(0, SeatKind.PERSON, "Ann", token_hash=token)
    store.tables.change_seat(table, ann)
    assert store.tables.by_token(token) is None
    store.log.commit()
    assert store.tables.seats_of([table, 99]) == {table: [ann, house], 99: []}
    assert store.tables.by_token(token) == ("t", 0)
    assert store.tables.by_token(ticket) is None


def test_only_what_ended_long_ago_is_removed_the_oldest_first(store: Store) -> None:
    tables = store.tables
    ended_at = {"b": 30, "a": 20, "c": 10, "recent": 100}
    numbers = {name: _create(store, name) for name in ended_at}
    for name, number in numbers.items():
        tables.add_seats(number, [Seat(0, SeatKind.PERSON, name), Seat(1)])
        tables.seal(number, SealedAnswer(3, 0, 1, b"secret"))
        tables.fault(number, StoredFault(3, 0, 1, "DEADLINE", 5))
        tables.end(number, TableState.FINISHED, now=ended_at[name], entries=[b"x"])
    for name in ("open", "running"):
        numbers[name] = _create(store, name)
    tables.run(numbers["running"])
    newest = _create(store, "newest")
    tables.end(newest, TableState.CANCELLED, now=1)
    store.log.commit()
    store.log.append(numbers["running"], b"entry")
    store.log.commit()

    def left() -> set[str]:
        tables.forget_ended(before=99, most=2)
        store.log.commit()
        names = (*numbers, "newest")
        return {name for name in names if tables.by_name(name) is not None}

    everything = {*numbers, "newest"}
    assert left() == everything, "the log has something of all of them"
    store.log.forget_before(store.log.next_chunk)
    store.log.commit()
    assert left() == everything - {"a", "c"}
    assert tables.seats_of([numbers["a"]]) == {numbers["a"]: []}
    assert tables.faults(numbers["a"]) == []
    assert tables.sealed(numbers["a"], seq=3) == {}
    assert left() == everything - {"a", "b", "c"}
    assert left() == everything - {"a", "b", "c"}
    assert [
        seat.player for seat in tables.seats_of([numbers["recent"]])[numbers["recent"]]
    ] == ["recent", ""]
    assert len(tables.faults(numbers["recent"])) == 1


def test_a_number_is_not_given_again_when_its_table_has_been_removed(
    where: str,
) -> None:
    with Store(where) as store:
        for name in ("first", "last"):
            store.tables.end(_create(store, name), TableState.FINISHED, now=1)
        store.log.commit()
        store.log.append(2, b"entry")
        store.log.commit()
        store.log.forget_before(store.log.next_chunk)
        store.log.commit()
        store.tables.forget_ended(before=99, most=10)
        store.log.commit()
    with Store(where) as store:
        assert store.tables.by_name("first") is None
        assert _create(store, "next") == 3


def test_entries_that_are_cut_off_are_named(store: Store) -> None:
    table = _create(store, "t")
    store.tables.end(table, TableState.FINISHED, now=1, entries=[b"first", b"last"])
    store.log.beside(served_tables.update().values(entries=b"\x05\0\0\0firs"))
    store.log.commit()
    with pytest.raises(StoreCorrupt, match="its last entry is cut off"):
        store.tables.entries(table)
