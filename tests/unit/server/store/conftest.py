"""Stores of both kinds: a file, and a database of a real PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file, for what only files have."""
    return tmp_path / "store.db"


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store(where) as opened:
        yield opened
