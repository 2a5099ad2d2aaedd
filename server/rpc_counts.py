"""What is counted of one method, at every call and every message."""

from __future__ import annotations

from collections import defaultdict

from server.histogram import Histogram


class RpcCounts:
    """The counters of one method."""

    __slots__ = (
        "active",
        "codes",
        "kind",
        "method",
        "received",
        "seconds",
        "sent",
        "service",
        "started",
        "unknown",
    )

    def __init__(self, kind: str, service: str, method: str) -> None:
        self.kind = kind
        self.service = service
        self.method = method
        self.started = 0
        self.received = 0
        self.sent = 0
        self.active = 0
        self.unknown = 0
        """Requests with fields that are not known here."""
        self.codes: defaultdict[str, int] = defaultdict(int)
        self.seconds = Histogram()

    @property
    def labels(self) -> list[str]:
        return [self.kind, self.service, self.method]
