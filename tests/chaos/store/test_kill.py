"""Every acknowledged entry outlives SIGKILL, and a torn log opens as a prefix."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.store import Store, StoreError

WAL_HEAD = 32
FRAME = 24 + 4096
"""Bytes of the head of a write-ahead log, and of each page in it."""

WRITER = """
import sys
from server.store import Store

with Store(sys.argv[1]) as store:
    number = len(store.log.payloads(1))
    while True:
        for _ in range(1 + number % 7):
            store.log.append(1, b"%d" % number)
            number += 1
        store.log.commit()
        print(number, flush=True)
"""


def _write_until_killed(path: Path, acknowledgements: int) -> int:
    """Kill a writer after some acknowledgements; the entries it had acknowledged."""
    command = (sys.executable, "-c", WRITER, str(path))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(acknowledgements)]
        writer.kill()
        told += writer.stdout.read().splitlines()
    return int(told[-1])


def test_everything_acknowledged_outlives_sigkill(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    chance = random.Random(1)  # noqa: S311  # repeatable, no secret
    for _ in range(6):
        acknowledged = _write_until_killed(path, chance.randrange(1, 200))
        with Store(path) as store:
            kept = store.log.payloads(1)
        assert len(kept) >= acknowledged
        assert kept == [b"%d" % number for number in range(len(kept))]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("killed") / "store.db"
    _write_until_killed(path, 40)
    return path


def test_a_log_cut_off_anywhere_opens_as_a_prefix(killed: Path, tmp_path: Path) -> None:
    wal = killed.with_name("store.db-wal").read_bytes()
    chance = random.Random(2)  # noqa: S311  # repeatable, no secret
    # The first pages hold the schema; from there on every length is fair.
    with_schema = _length_that_holds_the_schema(wal, killed, tmp_path)
    lengths = sorted(chance.sample(range(with_schema, len(wal)), 25))
    before = 0
    for length in lengths:
        kept = _kept(killed, wal[:length], tmp_path)
        assert kept == [b"%d" % number for number in range(len(kept))]
        assert len(kept) >= before
        before = len(kept)
    assert before > 0


@pytest.mark.slow
def test_every_cut_leaves_a_prefix_or_is_refused_by_name(
    killed: Path, tmp_path: Path
) -> None:
    wal = killed.with_name("store.db-wal").read_bytes()
    chance = random.Random(4)  # noqa: S311  # repeatable, no secret
    frames = list(range(WAL_HEAD, len(wal) + 1, FRAME))
    offsets = sorted(chance.choices(range(len(wal)), k=1_000))
    recovered, most = 0, 0
    refused: list[str] = []
    for length in frames + offsets:
        try:
            kept = _kept(killed, wal[:length], tmp_path)
        except StoreError as error:
            refused.append(str(error))
            continue
        assert kept == [b"%d" % number for number in range(len(kept))]
        recovered += 1
        most = max(most, len(kept))
    print(  # noqa: T201 - the figures are what this is for
        f"{len(frames)} frame boundaries and {len(offsets)} offsets:"
        f" {recovered} prefixes, {len(refused)} refused"
    )
    assert all("torn.db" in message for message in refused)
    assert most == len(_kept(killed, wal, tmp_path)) > 0
    assert recovered > len(refused)


def test_a_flipped_bit_in_the_log_leaves_a_prefix(killed: Path, tmp_path: Path) -> None:
    wal = killed.with_name("store.db-wal").read_bytes()
    whole = _kept(killed, wal, tmp_path)
    with_schema = _length_that_holds_the_schema(wal, killed, tmp_path)
    chance = random.Random(3)  # noqa: S311  # repeatable, no secret
    for _ in range(15):
        torn = bytearray(wal)
        torn[chance.randrange(with_schema, len(wal))] ^= 1 << chance.randrange(8)
        kept = _kept(killed, bytes(torn), tmp_path)
        assert kept == whole[: len(kept)]


def _kept(killed: Path, wal: bytes, folder: Path) -> list[bytes]:
    path = folder / "torn.db"
    for old in folder.glob("torn.db*"):
        old.unlink()
    shutil.copy(killed, path)
    path.with_name("torn.db-wal").write_bytes(wal)
    with Store(path) as store:
        return store.log.payloads(1)


def _length_that_holds_the_schema(wal: bytes, killed: Path, folder: Path) -> int:
    """Find where the first transaction ends: a new store is laid out in one."""
    for length in range(WAL_HEAD + FRAME, len(wal), FRAME):
        commit_mark = wal[length - FRAME + 4 : length - FRAME + 8]
        if any(commit_mark):
            return length
    raise AssertionError("the log holds no transaction")
