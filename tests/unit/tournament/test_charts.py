"""The charts of the report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.doubles.played import block_of
from tournament.outcome import BlockResult
from tournament.report.charts import versus_chart
from tournament.standings import standings


@pytest.mark.parametrize(
    ("aheads", "said"),
    [
        # A standard error of 2, times the 12.706 of one degree of freedom.
        ([3, 7], "+5.000 ± 25.412<br>2 blocks"),
        ([3], "+3.000<br>1 block"),
    ],
)
def test_the_heat_map_tells_how_sure_a_difference_is(
    aheads: list[int], said: str
) -> None:
    names = ["a", "b", "c"]

    def points(ahead: int, copy: int, seat: int, bot: int) -> int:
        return ahead if bot == 0 else 0

    def blocks() -> Iterator[BlockResult]:
        for index, ahead in enumerate(aheads):
            yield block_of(index, (0, 1, 2), partial(points, ahead))

    found: Any = versus_chart(standings(blocks(), names, replicates=2))
    (heat,) = found["data"]
    row, column = heat["y"].index("a"), heat["x"].index("b")
    assert heat["customdata"][row][column] == said
