"""Tests that are made for the bots of every language."""

from __future__ import annotations

import pytest

from tests.e2e.clients.programs import LOWEST

every_language = pytest.mark.parametrize(
    "language",
    [
        pytest.param(
            language,
            marks=()
            if language == "python"
            else (pytest.mark.slow, pytest.mark.clients),
        )
        for language in LOWEST
    ],
)
"""Python's library is there in every run, the others once they are built."""
