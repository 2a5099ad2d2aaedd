"""Bots and tokens are kept as they were given."""

import sqlite3
from pathlib import Path

import pytest

from server.store import (
    Bot,
    BotExists,
    BotToken,
    Store,
    TooManyTokens,
    UnknownBot,
)


def test_a_bot_is_known_by_its_token_after_opening_again(where: str) -> None:
    with Store(where) as store:
        token = store.bots.register("greedy", now=1, display_name="Greedy, Inc.")
    with Store(where) as store:
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
        tokens = [store.bots.register("greedy", now=1)]
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    for token in tokens:
        secret = token.removeprefix(token[: len("ohb_00000000_")])
        assert len(secret) == 32
        assert secret not in dump
