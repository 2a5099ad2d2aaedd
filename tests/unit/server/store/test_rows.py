"""Bots and tokens are kept as they were given."""

import sqlite3
from pathlib import Path

import pytest

from server.registry import BotRegistry, Holder, Scope
from server.store import Store, StoreError
from server.tokens import secret_hash


def test_a_bot_is_known_by_its_token_after_opening_again(where: str) -> None:
    with Store(where) as store:
        bots = BotRegistry(store.bots, now=lambda: 1.0)
        first = bots.register("greedy", display_name="Greedy, Inc.")
        second = bots.issue("greedy", 3, scopes={Scope.PLAY}, valid_for=99)
        bots.register("organiser", scopes={Scope.WRITE, Scope.READ})
    with Store(where) as store:
        again = BotRegistry(store.bots, now=lambda: 99.0)
        assert again.get("greedy") == bots.get("greedy")
        assert again.get("organiser") == bots.get("organiser")
        holders = [again.holder_of(token) for token in (first, second)]
        assert holders == [bots.holder_of(token) for token in (first, second)]
        assert holders[1] == Holder(
            "greedy", 3, frozenset({Scope.PLAY}), secret_hash(second)
        )
        assert again.holder_of(first[:-1]) is None


def test_what_was_revoked_or_disabled_is_so_after_opening_again(where: str) -> None:
    with Store(where) as store:
        bots = BotRegistry(store.bots)
        first = bots.register("greedy")
        second = bots.issue("greedy")
        bots.revoke("greedy", first[:12])
        bots.set_enabled("greedy", enabled=False)
        third = bots.issue("greedy", 1, replace=True)
    with Store(where) as store:
        again = BotRegistry(store.bots)
        assert again.get("greedy") == bots.get("greedy")
        assert not again.is_enabled("greedy")
        assert again.holder_of(first) is None
        assert again.holder_of(second) is not None
        assert again.holder_of(third) is not None
        again.set_enabled("greedy", enabled=True)
        fourth = again.issue("greedy", replace=True)
    with Store(where) as store:
        last = BotRegistry(store.bots)
        assert last.is_enabled("greedy")
        assert last.holder_of(second) is None
        assert last.holder_of(third) is not None
        assert last.holder_of(fourth) is not None


def test_a_bot_that_cannot_be_stored_is_not_registered(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store(path) as store:
        bots = BotRegistry(store.bots)
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            bots.register("greedy")
        assert bots.get("greedy") is None
        other.close()
        assert bots.holder_of(bots.register("greedy")) is not None


def test_no_token_is_in_the_file(path: Path) -> None:
    with Store(path) as store:
        tokens = [BotRegistry(store.bots).register("greedy")]
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    for token in tokens:
        secret = token[12:]
        assert len(secret) == 35
        assert secret not in dump
