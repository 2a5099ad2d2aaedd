"""Tables, seats, bots and tokens are kept as they were given."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import (
    UNFINISHED,
    Bot,
    BotExists,
    BotToken,
    Seat,
    Store,
    TableState,
    TooManyTokens,
    UnknownBot,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def test_a_table_goes_through_its_states(store: Store) -> None:
    number = store.tables.create(
        "tbl-1", now=10, rules='{"preset":"blackout"}', players=5, seed=b"\0seed"
    )
    table = store.tables.by_name("tbl-1")
    assert table is not None
    assert (table.id, table.created_at, table.players) == (number, 10, 5)
    assert (table.rules, table.seed) == ('{"preset":"blackout"}', b"\0seed")
    assert table.state is TableState.OPEN
    store.tables.run(number)
    assert [t.name for t in store.tables.in_states(*UNFINISHED)] == ["tbl-1"]
    store.tables.finish(number, now=20, result='{"winners":[1]}', record=b"log")
    finished = store.tables.by_name("tbl-1")
    assert finished is not None
    assert finished.state is TableState.FINISHED
    assert (finished.ended_at, finished.result) == (20, '{"winners":[1]}')
    assert store.tables.record(number) == b"log"
    assert store.tables.in_states(*UNFINISHED) == []


def test_tables_are_listed_page_by_page(store: Store) -> None:
    for number in range(5):
        store.tables.create(f"t{number}", now=1, rules="{}", players=3, seed=b"")
    first = store.tables.in_states(TableState.OPEN, limit=3)
    rest = store.tables.in_states(TableState.OPEN, after=first[-1].id, limit=3)
    assert [table.name for table in first + rest] == ["t0", "t1", "t2", "t3", "t4"]


def test_an_unknown_table_is_none(store: Store) -> None:
    assert store.tables.by_name("nothing") is None
    assert store.tables.record(1) is None


def test_a_seat_token_leads_to_its_seat_only(store: Store) -> None:
    table = store.tables.create("t", now=1, rules="{}", players=4, seed=b"")
    first = store.tables.take_seat(table, 0, player="Ann")
    second = store.tables.take_seat(table, 1, player="greedy", bot="greedy")
    assert store.tables.seat_of_token(first) == Seat(table, 0, "Ann", None)
    assert store.tables.seat_of_token(second) == Seat(table, 1, "greedy", "greedy")
    assert store.tables.seat_of_token(first[:-1]) is None
    assert [seat.player for seat in store.tables.seats(table)] == ["Ann", "greedy"]


def test_a_bot_is_known_by_its_token_after_opening_again(path: Path) -> None:
    with Store(path) as store:
        token = store.bots.register("greedy", now=1, display_name="Greedy, Inc.")
    with Store(path) as store:
        bot = Bot("greedy", "Greedy, Inc.", enabled=True)
        assert store.bots.of_token(token, now=2) == bot
        assert store.bots.of_token("ohb_00000000_x", now=2) is None


def test_a_name_is_registered_once(store: Store) -> None:
    token = store.bots.register("greedy", now=1)
    with pytest.raises(BotExists):
        store.bots.register("greedy", now=1)
    assert store.bots.of_token(token, now=1) is not None
    assert len(store.bots.tokens("greedy")) == 1


def test_two_tokens_are_valid_at_a_time(store: Store) -> None:
    first = store.bots.register("greedy", now=1)
    second = store.bots.issue("greedy", now=1, scopes=("play", "watch"))
    with pytest.raises(TooManyTokens):
        store.bots.issue("greedy", now=1)
    prefix = first.rpartition("_")[0]
    assert store.bots.tokens("greedy")[0].prefix.startswith("ohb_")
    revoked = next(
        t.prefix for t in store.bots.tokens("greedy") if first.startswith(t.prefix)
    )
    assert prefix.startswith(revoked)
    assert store.bots.revoke("greedy", revoked)
    assert not store.bots.revoke("greedy", revoked)
    assert store.bots.of_token(first, now=1) is None
    assert store.bots.of_token(second, now=1) is not None
    assert store.bots.tokens("greedy") == [
        BotToken(second[: len("ohb_00000000")], ("play", "watch"), None)
    ]


def test_a_token_ends_when_it_expires(store: Store) -> None:
    store.bots.register("greedy", now=1)
    token = store.bots.issue("greedy", now=1, expires_at=100)
    assert store.bots.of_token(token, now=99) is not None
    assert store.bots.of_token(token, now=100) is None
    store.bots.issue("greedy", now=100)


def test_a_disabled_bot_is_not_let_in(store: Store) -> None:
    token = store.bots.register("greedy", now=1)
    store.bots.disable("greedy")
    assert store.bots.of_token(token, now=1) is None
    store.bots.enable("greedy")
    assert store.bots.of_token(token, now=1) is not None


def test_an_unknown_bot_is_named(store: Store) -> None:
    with pytest.raises(UnknownBot, match="nobody"):
        store.bots.issue("nobody", now=1)
    with pytest.raises(UnknownBot, match="nobody"):
        store.bots.enable("nobody")


def test_bots_are_listed_by_name(store: Store) -> None:
    for name in ("b", "c", "a"):
        store.bots.register(name, now=1)
    assert [bot.name for bot in store.bots.all(limit=2)] == ["a", "b"]
    assert [bot.name for bot in store.bots.all(after="b")] == ["c"]


def test_no_token_is_in_the_file(path: Path) -> None:
    with Store(path) as store:
        table = store.tables.create("t", now=1, rules="{}", players=4, seed=b"")
        tokens = [
            store.bots.register("greedy", now=1),
            store.tables.take_seat(table, 0, player="Ann"),
        ]
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    for token in tokens:
        secret = token.removeprefix(token[: len("ohb_00000000_")])
        assert len(secret) == 32
        assert secret not in dump
