"""`python -m tests.chaos INSTANTS`: kills servers so often, and prints what came of it.

Half of the instants are on SQLite and half on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from pathlib import Path

from tests.chaos.rounds import Counts, rounds
from tests.doubles.postgres import running_postgres

KILLS = 5
"""In one round."""


async def _kill(kind: str, where: str, folder: Path, instants: int) -> None:
    total = Counts()
    whole, rest = divmod(instants, KILLS)
    kills = [*itertools.repeat(KILLS, whole), *([rest] if rest else [])]
    async for counts in rounds(where, folder, kills=kills):
        total = total.plus(counts)
        print(f"{kind}: {total}", flush=True)  # noqa: T201 - a command


def main() -> None:
    """Raises AssertionError at the first thing that was lost."""
    instants = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        on_sqlite = _kill("sqlite", str(folder / "tables.db"), folder, instants // 2)
        asyncio.run(on_sqlite)
        with running_postgres() as server:
            url = server.new_database()
            asyncio.run(_kill("postgresql", url, folder, instants - instants // 2))


if __name__ == "__main__":
    main()
