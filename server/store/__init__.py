"""What the server remembers: tables, their entries, bots."""

from pathlib import Path
from types import TracebackType
from typing import Self

from server.store.bots import Bots
from server.store.checking import problems_of
from server.store.errors import (
    NotAStore,
    StoreCorrupt,
    StoreError,
    StoreInUse,
    StoreNeedsUpgrade,
    StoreTooNew,
    StoreUnavailable,
)
from server.store.log import Charge, Entry, EventLog, Item
from server.store.opening import Durability, open_database, prepare
from server.store.receipts import Receipts
from server.store.tables import (
    UNFINISHED,
    SealedAnswer,
    Seat,
    SeatKind,
    ServedTable,
    StoredFault,
    Tables,
    TableState,
)

__all__ = [
    "UNFINISHED",
    "Bots",
    "Charge",
    "Durability",
    "Entry",
    "EventLog",
    "Item",
    "NotAStore",
    "Receipts",
    "SealedAnswer",
    "Seat",
    "SeatKind",
    "ServedTable",
    "Store",
    "StoreCorrupt",
    "StoreError",
    "StoreInUse",
    "StoreNeedsUpgrade",
    "StoreTooNew",
    "StoreUnavailable",
    "StoredFault",
    "TableState",
    "Tables",
]


class Store:
    """An open store: `log`, `tables`, `bots` and `receipts` of one database.

    `where` is the path of an SQLite file or a database URL. SQLite is used on the
    thread that opened it, and `log.commit()` is quick enough for the event loop; for
    PostgreSQL the loop calls `log.cut()` and one writer thread `log.write()`.
    """

    def __init__(
        self, where: str | Path, *, durability: Durability = Durability.PROCESS
    ) -> None:
        self._database = open_database(where, durability)
        try:
            prepare(self._database)
            self.log = EventLog(self._database)
        except BaseException:
            self._database.close()
            raise
        self.tables = Tables(self._database, self.log)
        self.bots = Bots(self._database, self.log)
        self.receipts = Receipts(self._database, self.log)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def problems(self) -> list[str]:
        """List what the database finds wrong with itself."""
        return problems_of(self._database)

    def close(self) -> None:
        """Close the database; what was not committed is lost."""
        self._database.close()
