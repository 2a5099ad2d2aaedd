"""Callers that vanish leave nothing behind: no memory, no descriptors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.churn import churn_for


@pytest.mark.slow
async def test_memory_stays_and_descriptors_come_back(tmp_path: Path) -> None:
    seen = await churn_for(30.0, tmp_path, most_growth=0.1)
    print(seen)  # noqa: T201 - the figures are what this is for
    assert seen.callers > 100
