"""What can be wrong with the store; once it is raised, nothing is acknowledged.

StoreError
├── StoreUnavailable     it cannot be written or read now: full, locked, read-only, ...
│   └── StoreInUse       another process has it open
├── StoreCorrupt         what it holds is damaged
├── NotAStore            it holds something else
├── StoreTooNew          written by a later version of this program
└── StoreNeedsUpgrade    written by an earlier one
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError


class StoreError(Exception):
    """Something is wrong with `store`, a path or an address without its password."""

    public = "the store cannot be used"
    """What a caller may know: no path, address or text of a driver."""

    def __init__(self, store: str, problem: str) -> None:
        super().__init__(f"store {store}: {problem}")
        self.store = store


class StoreUnavailable(StoreError):
    """The store cannot be used now; `reason` says why."""

    def __init__(
        self, store: str, reason: str, *, public: str = StoreError.public
    ) -> None:
        super().__init__(store, reason)
        self.reason = reason
        self.public = public


class StoreInUse(StoreUnavailable):
    """Another process has the store open, and will until it ends."""


class StoreCorrupt(StoreError):
    """The store is damaged, at `chunk` of its event log if that is known."""

    public = "what is stored is damaged"

    def __init__(self, store: str, problem: str, *, chunk: int | None = None) -> None:
        where = "" if chunk is None else f"chunk {chunk} of the event log "
        super().__init__(store, f"{where}{problem}")
        self.chunk = chunk


class NotAStore(StoreError):
    """The file or database belongs to some other program."""


class StoreTooNew(StoreError):
    """The store has a version that this program does not know."""


class StoreNeedsUpgrade(StoreError):
    """The store has an old version; it is brought up only when told to."""


_SQLITE_REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "it is locked by another process",
    "SQLITE_LOCKED": "it is locked by another process",
    "SQLITE_READONLY": "it is read-only",
    "SQLITE_IOERR": "writing or reading the file failed (disk full or failing?)",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_PERM": "the file may not be opened",
    "SQLITE_AUTH": "the file may not be opened",
    "SQLITE_NOMEM": "memory is exhausted",
}


def explained(store: str, error: BaseException) -> StoreError:
    """Turn a driver's error into ours."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    # Extended codes look like SQLITE_IOERR_WRITE: the first two words are the class.
    full_name = getattr(cause, "sqlite_errorname", "")
    name = "_".join(full_name.split("_")[:2])
    if name == "SQLITE_CORRUPT":
        return StoreCorrupt(store, f"is damaged ({cause})")
    if name == "SQLITE_NOTADB":
        return NotAStore(store, "is not an SQLite database, and so no store")
    reason = _SQLITE_REASONS.get(name)
    if reason is None:
        return StoreUnavailable(
            # Drivers tell it on several lines, with a hint on the last.
            store,
            " ".join(str(cause).split()),
            public="the database does not answer",
        )
    return StoreUnavailable(store, f"{reason} ({full_name})", public=reason)


@contextmanager
def explaining(store: str) -> Iterator[None]:
    """Raise a StoreError for whatever the driver raises; violated keys pass."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sqlite3.Error) as error:
        raise explained(store, error) from error
