"""The heartbeat of a stream, and what it measures."""

from __future__ import annotations

from typing import Final

from ohhell.v1 import frames_pb2

MOST_TOLD: Final = 2**32 - 1
"""Microseconds that the wire can hold."""


class Heartbeat:
    """Counts beats; the pong to the last one tells how long a round trip takes."""

    def __init__(self) -> None:
        self.due = False
        self.beat = 0
        """Number of the last one; 0: there was none."""
        self._sent_at = 0.0
        self._round_trip_us = 0

    def frame(self, now: float) -> frames_pb2.ServerFrame:
        """The beat that is due."""
        self.due = False
        self.beat += 1
        self._sent_at = now
        beat = frames_pb2.Heartbeat(nonce=self.beat, round_trip_us=self._round_trip_us)
        return frames_pb2.ServerFrame(heartbeat=beat)

    def pong(self, nonce: int, now: float) -> None:
        """The first one to the last beat counts."""
        if self._sent_at and nonce == self.beat:
            took_us = int((now - self._sent_at) * 1e6)
            self._round_trip_us = min(took_us, MOST_TOLD)
            self._sent_at = 0.0
