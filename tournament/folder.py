"""The folder of a run: what lies where in it, and who may write there.

runs/<name>/{run.db, spec.toml, results.json, report.html, records/, logs/, lock}, and
for a while replaced/, the run that `--fresh` replaces
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import os
import shutil
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from tournament.counted import counted
from tournament.deciding import blocks_to_play
from tournament.journal import Charter, Journal, JournalUnreadable
from tournament.spec import stored_spec


class FolderError(Exception):
    """A run folder that cannot be used; the message says why, and what would help."""


class Opening(Enum):
    """What to do with what is already in the folder."""

    NEW = "new"
    RESUME = "resume"
    FRESH = "fresh"


class RunFolder:
    """Paths of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = path / "run.db"
        self.spec = path / "spec.toml"
        self.results = path / "results.json"
        self.report = path / "report.html"
        self.records = path / "records"
        self.logs = path / "logs"
        self.replaced = path / "replaced"
        """The run that a fresh one replaces, until that one has committed a block."""

    def record(self, block: int) -> Path:
        """Give the file with the matches of a block."""
        return self.records / f"{block}.jsonl.gz"

    @contextlib.contextmanager
    def locked(self, opening: Opening = Opening.NEW) -> Iterator[None]:
        """Keep other runners out; raises `FolderError` if one is in.

        The system gives the lock back however the holder ends. To resume a run no
        folder is made.
        """
        path = self.path / "lock"
        if opening is Opening.RESUME and not self.path.exists():
            raise self._nothing_to_resume()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            msg = f"{self.path} cannot be a run folder: {error.strerror}"
            raise FolderError(msg) from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = os.pread(lock, 20, 0).decode() or "unknown"
                msg = f"{self.path} is in use by another runner (process {holder})"
                raise FolderError(msg) from error
            # The lock holds without it, on a full disk too.
            with contextlib.suppress(OSError):
                os.ftruncate(lock, 0)
                os.pwrite(lock, str(os.getpid()).encode(), 0)
            yield
        finally:
            os.close(lock)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Journal]:
        """Open the journal of a run that is there, perhaps still under way."""
        if not self.journal.exists():
            msg = f"there is no run in {self.path}"
            if self.path.is_file():
                msg += ", which is a file: name a run, as `ohhell tournament list` does"
            raise FolderError(msg)
        if self.journal.is_dir():
            msg = f"{self.journal} is a folder, and no journal of a run"
            raise FolderError(msg)
        try:
            journal = Journal.open(self.journal)
        except JournalUnreadable as error:
            raise FolderError(str(error)) from error
        with journal:
            yield journal

    def open(self, charter: Charter, opening: Opening) -> Journal:
        """Start or go on with a run; only under `locked`.

        `charter` is what a new run would be; a resumed one keeps its own tournament
        id and secret.
        """
        self.settle()
        if opening is Opening.FRESH:
            self._set_aside()
        if self.journal.exists():
            return self._resume(charter, opening)
        if opening is Opening.RESUME:
            raise self._nothing_to_resume()
        self.spec.write_text(charter.spec, encoding="utf-8")
        return self._create(charter)

    def _nothing_to_resume(self) -> FolderError:
        msg = f"there is no run in {self.path} to resume; leave out --resume"
        return FolderError(msg)

    def _create(self, charter: Charter) -> Journal:
        # Under another name until it is whole: a kill leaves no half-made journal.
        unborn = self.path / "run.db.new"
        for leftover in self.path.glob("run.db.new*"):
            leftover.unlink()
        Journal.create(unborn, charter).close()
        unborn.rename(self.journal)
        return Journal.open(self.journal)

    def _resume(self, charter: Charter, opening: Opening) -> Journal:
        try:
            journal = Journal.open(self.journal)
        except JournalUnreadable as error:
            msg = f"{error}; --fresh begins a new run"
            raise FolderError(msg) from error
        if opening is Opening.NEW and journal.untouched:
            # It ended before its first prompt: there is nothing to resume or to lose.
            journal.close()
            self._clear()
            return self.open(charter, Opening.NEW)
        stored = journal.charter.spec
        if stored != charter.spec:
            journal.close()
            msg = (
                f"{self.path} holds a run of another spec:\n"
                f"{_difference(stored, charter.spec)}"
                "give the tournament another name, or replace that run with --fresh"
            )
            raise FolderError(msg)
        if opening is not Opening.RESUME:
            committed = journal.committed()
            journal.close()
            planned = blocks_to_play(stored_spec(stored, file=self.spec), committed)
            if len(committed) < planned:
                played = counted(len(committed), "block")
                told = f"with {played} played: --resume goes on with it"
            else:
                played = counted(planned, "block")
                told = f"finished with {played}: --resume shows how it ended"
            msg = f"{self.path} already holds this run, {told}, --fresh replaces it"
            raise FolderError(msg)
        return journal

    def settle(self) -> bool:
        """Forget the run that was replaced, or put it back; whether it was put back.

        It is put back where the new one has committed nothing: only under `locked`,
        with the journal closed.
        """
        if not self.replaced.exists():
            return False
        if self.journal.exists():
            if self._has_blocks():
                shutil.rmtree(self.replaced)
                return False
            self._clear()
        # Without a journal, parts of the earlier run may lie here, too: a kill came
        # between two of them. It is the last to come back, so that this goes on then.
        for part in reversed(self._parts):
            there = self.replaced / part.name
            if there.exists():
                _remove(part)
                there.rename(part)
        self.replaced.rmdir()
        return True

    def _has_blocks(self) -> bool:
        try:
            with Journal.open(self.journal) as journal:
                return bool(journal.committed())
        except JournalUnreadable:
            return False

    def _set_aside(self) -> None:
        """Make room for another run, and lose nothing yet."""
        if not self.journal.exists():
            self._clear()
            return
        self.replaced.mkdir()
        # The journal goes first: what is without one is put back.
        for part in self._parts:
            if part.exists():
                part.rename(self.replaced / part.name)

    @property
    def _parts(self) -> tuple[Path, ...]:
        """What a run writes."""
        beside = (f"{self.journal.name}{suffix}" for suffix in ("-wal", "-shm"))
        return (
            self.journal,
            *(self.journal.with_name(name) for name in beside),
            self.spec,
            self.results,
            self.report,
            self.records,
            self.logs,
        )

    def _clear(self) -> None:
        """Remove what a run writes, and nothing else that may lie there."""
        for part in self._parts:
            _remove(part)


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part)
    else:
        part.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader finds all of it or none."""
    unborn = path.with_name(path.name + ".new")
    unborn.write_bytes(data)
    unborn.rename(path)


def _difference(stored: str, given: str) -> str:
    lines = difflib.unified_diff(
        stored.splitlines(), given.splitlines(), "there", "given", n=0, lineterm=""
    )
    changes = [line for line in lines if not line.startswith("@@")]
    shown = "".join(f"  {line}\n" for line in changes[:12])
    return shown + ("  ...\n" if len(changes) > 12 else "")
