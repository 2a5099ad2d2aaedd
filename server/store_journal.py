"""What a served table leaves in the store while it is played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from server.guard import Fault
from server.store import Charge, SealedAnswer, Store, StoredFault

if TYPE_CHECKING:
    from server.table import Table

DISMISSED: Final = "DISMISSED"
"""Stands among the faults, though it is none: an operator took the seat away."""


class StoreJournal:
    """Hands what happens at a served table to the store, for its next commit."""

    def __init__(self, store: Store, stored_as: int) -> None:
        self._store = store
        self._stored_as = stored_as
        self._log = store.log

    def entries(self, table: Table, after: int) -> None:
        log = table.match.log
        for seq in range(after + 1, len(log) + 1):
            self._log.append(self._stored_as, log.encoded(seq))

    def sealed(self, table: Table, seat: int) -> None:
        answer = SealedAnswer(
            seq=table.match.seq,
            seat=seat,
            attempt=1 + table.amendments_of(seat),
            payload=json.dumps(table.match.sealed[seat]).encode(),
        )
        self._store.tables.seal(self._stored_as, answer)

    def faulted(
        self, table: Table, seat: int, fault: Fault, *, attempt: int, milliseconds: int
    ) -> None:
        self._store.tables.fault(
            self._stored_as,
            StoredFault(table.match.seq, seat, attempt, fault, milliseconds),
        )

    def dismissed(self, table: Table, seat: int) -> None:
        self._store.tables.fault(
            self._stored_as, StoredFault(table.match.seq, seat, 1, DISMISSED, 0)
        )

    def charged(
        self, table: Table, seat: int, seq: int, *, attempts: int, milliseconds: int
    ) -> None:
        self._log.charge(
            Charge(
                self._stored_as,
                seq,
                seat,
                attempts=attempts,
                milliseconds=milliseconds,
                bank_ms=table.clocks.banks[seat],
            )
        )
