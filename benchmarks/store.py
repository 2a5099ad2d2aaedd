"""What a committed entry costs, by the size of the group: `python benchmarks/store.py`.

Processor time of the whole process, the median of several rounds, beside a row for
each entry through SQLAlchemy in the same round.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import create_engine, insert

from server.store import Durability, Store
from server.store.schema import log_chunks, metadata

BATCHES = (1, 8, 64)
ENTRIES = 16_384
ROUNDS = 5
PAYLOAD = bytes(range(25))


def _microseconds(work: Callable[[], None], entries: int) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) / entries * 1e6


def _log(store: Store, batch: int, entries: int) -> Callable[[], None]:
    append, commit = store.log.append, store.log.commit

    def work() -> None:
        for _ in range(entries // batch):
            for table in range(batch):
                append(table, PAYLOAD)
            commit()

    return work


def _row_each(path: Path, batch: int, entries: int) -> Callable[[], None]:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        connection.exec_driver_sql("PRAGMA synchronous = NORMAL")
    metadata.create_all(engine, checkfirst=True)
    statement = insert(log_chunks)

    def work() -> None:
        number = 0
        for _ in range(entries // batch):
            rows = [
                {"id": number + place, "items": 1, "crc": 0, "body": PAYLOAD}
                for place in range(batch)
            ]
            number += batch
            with engine.begin() as connection:
                connection.execute(statement, rows)
        engine.dispose()

    return work


def main() -> int:
    """Print microseconds of processor time an entry."""
    figures: dict[tuple[str, int], list[float]] = {}
    for _ in range(ROUNDS):
        for batch in BATCHES:
            with tempfile.TemporaryDirectory() as folder:
                for durability in Durability:
                    entries = min(ENTRIES, 1024 * batch)
                    path = Path(folder) / f"{durability.name}.db"
                    with Store(path, durability=durability) as store:
                        work = _log(store, batch, entries)
                        name = f"log, {durability.name.lower()}"
                        cost = _microseconds(work, entries)
                    figures.setdefault((name, batch), []).append(cost)
                entries = 256 * batch
                work = _row_each(Path(folder) / "rows.db", batch, entries)
                cost = _microseconds(work, entries)
                figures.setdefault(("a row each", batch), []).append(cost)
    print(f"{'us an entry':16}" + "".join(f"{f'x{b}':>9}" for b in BATCHES))
    for name in dict.fromkeys(name for name, _ in figures):
        medians = [statistics.median(figures[name, batch]) for batch in BATCHES]
        print(f"{name:16}" + "".join(f"{median:9.2f}" for median in medians))
    return 0


if __name__ == "__main__":
    sys.exit(main())
