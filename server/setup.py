"""What a match is before its first card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.rules import Rules
from server.clock import NO_CLOCK, TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """Everything a match needs before its first card."""

    table: str
    rules: Rules
    players: tuple[str, ...]
    """Names by seat."""
    first_dealer: int
    decks: Callable[[int], Sequence[int]]
    """Whole pack of a deal as card codes, first card dealt first."""
    bot_seeds: tuple[bytes, ...]
    """16 bytes by seat."""
    preset: str = ""
    """Where the rules came from."""
    rules_hash: str = ""
    clock: TimeControl = NO_CLOCK
    idle_ms: int = 0
    """For a decision where there is no clock; 0: as long as it takes."""
    amendments: bool = False
    listed: bool = False
    """Whether it may be listed and watched by those who have no seat at it."""
