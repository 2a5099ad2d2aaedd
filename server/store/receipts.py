"""Receipts of calls that may be repeated."""

from sqlalchemy import Executable, delete, insert, or_, select

from server.receipt import KEPT_FOR_S, Receipt
from server.store.errors import explaining
from server.store.log import EventLog
from server.store.opening import Database
from server.store.schema import receipts


class Receipts:
    """Of all methods; `now` is in seconds since 1970."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log

    def keep(self, receipt: Receipt, *, now: int) -> None:
        """Keep one, at the next commit, with what is changed beside it."""
        for change in changes_for(receipt, now=now):
            self._log.beside(change)

    def find(self, call: bytes, *, now: int) -> Receipt | None:
        """Give the receipt of a call; None where there is none, or none any more."""
        wanted = select(receipts).where(
            receipts.c.call == call, receipts.c.made_at >= now - KEPT_FOR_S
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).one_or_none()
        if row is None:
            return None
        return Receipt(
            bytes(row.call),
            bytes(row.request),
            bytes(row.salt),
            row.table_name,
            row.seat,
        )


def changes_for(receipt: Receipt, *, now: int) -> list[Executable]:
    """Give what keeps a receipt, and lets go of all that are too old."""
    row = {
        "call": receipt.call,
        "request": receipt.request,
        "salt": receipt.salt,
        "table_name": receipt.table,
        "seat": receipt.seat,
        "made_at": now,
    }
    old = or_(receipts.c.made_at < now - KEPT_FOR_S, receipts.c.call == receipt.call)
    return [delete(receipts).where(old), insert(receipts).values(row)]
