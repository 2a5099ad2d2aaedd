"""Limits of options, told in our words instead of those of the parser."""

from __future__ import annotations

import math
from collections.abc import Callable

from cli.exits import fail


def within(flag: str, least: float, most: float = math.inf) -> Callable[[float], float]:
    """Give the callback of an option that takes a number from `least` to `most`."""

    def checked(value: float) -> float:
        if not least <= value <= most:
            upwards = f"{least:g} or more"
            right = upwards if most == math.inf else f"from {least:g} to {most:g}"
            fail(f"{flag} {value:g}: it takes {right}")
        return value

    return checked
