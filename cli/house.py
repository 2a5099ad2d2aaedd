"""The house bots, as the tournament layer wants them handed in."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

HOUSE_BOTS: Final = ("random", "lowest", "greedy", "expected-tricks")
"""Their names; a test compares them with the bots that there are."""


def house_commands() -> Mapping[str, tuple[str, ...]]:
    """Give the command that runs each house bot as a process."""
    return {name: (sys.executable, "-m", "bots", name) for name in HOUSE_BOTS}
