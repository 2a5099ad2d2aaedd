"""What the tournament layer wants handed in about bots: commands that start them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

HOUSE_BOTS: Final = ("random", "lowest", "greedy", "expected-tricks")
"""Their names; a test compares them with the bots that there are."""

BRIDGE: Final = (sys.executable, "-P", "-m", "ohhell_bot.stdio", "--")
"""Begins the command that plays for a program of lines, as `ohhell bot bridge` does."""


def house_commands() -> Mapping[str, tuple[str, ...]]:
    """Give the command that runs each house bot as a process."""
    return {name: (sys.executable, "-m", "bots", name) for name in HOUSE_BOTS}
