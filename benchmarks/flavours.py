"""The two builds of engine and service: the source, and what is compiled from it."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import Final

import server.table

_BUILD: Final = Path(__file__).resolve().parents[1] / "build" / "compiled"
_OURS: Final = ("PYTHONPATH", "PYTHONSAFEPATH")


class Flavour(Enum):
    """A build; the value is what the benchmarks call it."""

    PURE = "pure Python"
    COMPILED = "compiled"

    @property
    def environment(self) -> dict[str, str]:
        """Variables of a Python process that runs on this build."""
        others = {k: v for k, v in os.environ.items() if k not in _OURS}
        if self is Flavour.PURE:
            return others
        # The current folder, where the source is, must not come first.
        return others | {"PYTHONPATH": str(_BUILD), "PYTHONSAFEPATH": "1"}


IN_FORCE: Final = (
    Flavour.PURE if server.table.__file__.endswith(".py") else Flavour.COMPILED
)
"""The build that this process runs on."""


def built() -> tuple[Flavour, ...]:
    """Return those that are there to be measured."""
    compiled = (Flavour.COMPILED,) if (_BUILD / ".made").exists() else ()
    return (Flavour.PURE, *compiled)
