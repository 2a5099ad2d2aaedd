"""A launcher, and bots that are Python programs of a few lines."""

import asyncio
import os
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.doubles.patience import PATIENCE_S
from tournament.launcher import BotProcess, Launcher

Bot = Callable[..., BotProcess]
Survivors = Callable[[], set[int]]


@pytest.fixture
async def launcher(tmp_path: Path) -> AsyncIterator[Launcher]:
    async with Launcher(logs=tmp_path / "logs") as running:
        yield running


@pytest.fixture
def mark() -> str:
    """What every process of this test carries among its arguments."""
    return f"mark-{uuid.uuid4().hex}"


@pytest.fixture
def bot(tmp_path: Path, mark: str) -> Bot:
    """Make a bot of Python source."""

    def make(source: str, *, name: str = "bot", token: str | None = None) -> BotProcess:
        command = (sys.executable, "-I", "-S", "-c", source, mark)
        return BotProcess(name, command, tmp_path, token=token)

    return make


@pytest.fixture
def survivors(mark: str) -> Survivors:
    """List the processes of this test that are alive."""

    def look() -> set[int]:
        found = set()
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit() or int(folder.name) == os.getpid():
                continue
            try:
                arguments = (folder / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if mark.encode() in arguments:
                found.add(int(folder.name))
        return found

    return look


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that other processes bring about."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        await asyncio.sleep(0.01)
