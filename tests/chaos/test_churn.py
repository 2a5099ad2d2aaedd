"""Callers that vanish leave nothing behind: no memory, no descriptors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.churn import churn_for

MOST_KEPT = 10_000
"""Bytes a caller: within seconds caches still fill."""


@pytest.mark.slow
async def test_memory_stays_and_descriptors_come_back(tmp_path: Path) -> None:
    seen = await churn_for(30.0, tmp_path, most_kept=MOST_KEPT)
    print(seen)  # noqa: T201 - the figures are what this is for
    assert seen.callers > 100


@pytest.mark.slow
async def test_a_server_that_keeps_something_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="callers came and vanished"):
        await churn_for(20.0, tmp_path, most_kept=MOST_KEPT, leak=4 * MOST_KEPT)
