"""The house bots by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bots.expected_tricks import ExpectedTricks
from bots.greedy import Greedy
from bots.lowest import Lowest
from bots.uniform import Random
from ohhell_bot import Bot

FACTORIES: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {
        "random": Random,
        "lowest": Lowest,
        "greedy": Greedy,
        "expected-tricks": ExpectedTricks,
    }
)
