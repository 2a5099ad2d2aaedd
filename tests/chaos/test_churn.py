"""Callers that vanish leave nothing behind: no memory, no descriptors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.churn import churn_for

MARGIN = 10_000
"""Bytes a caller above the bare server: within seconds caches still fill."""
CALLERS = 500
"""Half of them fill the most of these; a busy machine has so many in minutes only."""


@pytest.mark.slow
async def test_memory_stays_and_descriptors_come_back(tmp_path: Path) -> None:
    seen = await churn_for(30.0, tmp_path, margin=MARGIN, least=CALLERS)
    print(seen)  # noqa: T201 - the figures are what this is for


@pytest.mark.slow
async def test_a_server_that_keeps_something_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="callers came and vanished"):
        await churn_for(20.0, tmp_path, margin=MARGIN, leak=4 * MARGIN)
