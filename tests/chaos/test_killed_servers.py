"""kill -9 of a real server at random instants: nothing lost, nothing told twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.rounds import Counts, rounds

KILLS = (5, 5)


@pytest.mark.slow
async def test_a_killed_server_loses_nothing(where: str, tmp_path: Path) -> None:
    total = Counts()
    async for counts in rounds(where, tmp_path, kills=KILLS):
        total = total.plus(counts)
    print(total)  # noqa: T201 - the figures are what this is for
    assert total.instants == sum(KILLS)
    assert total.acknowledged > 100
    assert total.seen_again > 1_000
