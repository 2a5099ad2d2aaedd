"""Where matches are played: the port, and what comes back through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tournament.blocks import MatchPlan
from tournament.outcome import CopyResult


class MatchVoid(Exception):
    """A match could not be played for a reason that no bot is to blame for."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played to its end; `record` is its text, a gzip member."""

    result: CopyResult
    record: bytes


class Executor(Protocol):
    """Plays single matches; where they are played never shows in what comes back."""

    async def play(self, plan: MatchPlan) -> Played:
        """Play a match to its end; raises `MatchVoid`. Cancelling voids the match."""
        ...
