"""What a client sends beside answers: how much of it is too much."""

from __future__ import annotations

from typing import Final

MAX_VIOLATIONS: Final = 5
VIOLATIONS_WITHIN: Final = 60.0
"""Seconds."""
MAX_IDLE_FRAMES: Final = 100
IDLE_FRAMES_WITHIN: Final = 2.0
"""Seconds; more frames in it that answer nothing are a flood."""


class Conduct:
    """Of one stream."""

    def __init__(self) -> None:
        self._violations: list[float] = []
        self._idle_since = 0.0
        self._idle_frames = 0

    def violates(self, now: float) -> bool:
        """Counts a frame that was no good; whether there were too many."""
        self._violations = [
            at for at in self._violations if at > now - VIOLATIONS_WITHIN
        ]
        self._violations.append(now)
        return len(self._violations) >= MAX_VIOLATIONS

    def idles(self, now: float) -> bool:
        """Counts a frame that answered nothing; whether there were too many."""
        if now > self._idle_since + IDLE_FRAMES_WITHIN:
            self._idle_since = now
            self._idle_frames = 0
        self._idle_frames += 1
        return self._idle_frames > MAX_IDLE_FRAMES
