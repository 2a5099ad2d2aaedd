"""A copy of a store, taken while its server goes on."""

import os
import sqlite3
from pathlib import Path

from server.store.errors import StoreUnavailable, explaining
from server.store.opening import url_of


class NoPlace(Exception):
    """The message names the file that cannot be written, and what to do."""


def back_up(where: str | Path, target: Path) -> int:
    """Copy an SQLite store as it stands at one instant; the bytes of the copy.

    StoreUnavailable where there is nothing to copy, and for a database that has tools
    of its own; NoPlace.
    """
    url = url_of(where)
    name = url.render_as_string(hide_password=True)
    if url.get_backend_name() != "sqlite":
        raise StoreUnavailable(name, "is copied by its own tools, such as pg_dump")
    source = Path(str(url.database))
    if not source.is_file():
        raise StoreUnavailable(str(source), "there is no such file")
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        # Nothing that is there already is ever written over.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        raise NoPlace(_taken(target)) from error
    except OSError as error:
        told = f"{target}: it cannot be written ({error.strerror})"
        if not target.parent.is_dir():
            told += f"; {target.parent} is no folder: make it, or name another"
        raise NoPlace(told) from error
    try:
        with explaining(str(source)):
            _copy(source, unfinished)
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        target.unlink(missing_ok=True)
        raise
    return target.stat().st_size


def _taken(target: Path) -> str:
    if target.is_dir():
        return f"{target}: it is a folder; name the file in it that is to be made"
    return (
        f"{target}: there is a file already, and nothing is written over; name another,"
        " or take that one away"
    )


def _copy(source: Path, target: Path) -> None:
    reading = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
    writing = sqlite3.connect(target)
    try:
        # In one step: a writer that does not wait would make every other begin anew.
        reading.backup(writing, pages=-1)
        writing.execute("PRAGMA journal_mode = DELETE")
    finally:
        writing.close()
        reading.close()
    with target.open("rb+") as copy:
        os.fsync(copy.fileno())
