"""Stores that commands are to look into, and that have to be there."""

from __future__ import annotations

from pathlib import Path

from cli.exits import fail


def require_store(where: str) -> None:
    """End the command where no store is; whether what is there is one, it does not say.

    Databases by URL are there, or say so themselves.
    """
    from server.store import StoreError
    from server.store.opening import url_of

    if not where:
        fail("no store is named: say --store FILE, or set it in the settings")
    try:
        url = url_of(where)
    except StoreError as error:
        fail(error)
    if url.get_backend_name() != "sqlite":
        return
    file = Path(url.database or ":memory:")
    if file.is_dir():
        fail(f"{file}: it is a folder; name the file in it that ohhell serve keeps")
    if not file.exists():
        fail(f"{file}: there is no such file; --store names that of ohhell serve")
    log = file.with_name(f"{file.name}-wal")
    if not file.stat().st_size and not (log.exists() and log.stat().st_size):
        fail(f"{file}: it is empty; ohhell serve --store {file} makes a store of it")
