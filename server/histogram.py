"""Counts by size, cheap enough for what happens at every decision."""

from __future__ import annotations

from bisect import bisect_left

from prometheus_client.core import HistogramMetricFamily

SECONDS = (
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    10.0,
)
"""Upper bounds for anything that takes time."""


class Histogram:
    """Counts by upper bound; the last bucket has none."""

    __slots__ = ("_bounds", "_bucket", "_counts", "_sum", "_value")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self._value = 0.0
        """What was seen last: all that comes in one message took equally long."""
        self._bucket = 0

    @property
    def count(self) -> int:
        return sum(self._counts)

    def observe(self, value: float) -> None:
        if value != self._value:
            self._value = value
            self._bucket = bisect_left(self._bounds, value)
        self._counts[self._bucket] += 1
        self._sum += value

    def add_to(self, family: HistogramMetricFamily, labels: list[str]) -> None:
        running = 0
        buckets = []
        names = [*map(str, self._bounds), "+Inf"]
        for name, count in zip(names, self._counts, strict=True):
            running += count
            buckets.append((name, float(running)))
        family.add_metric(labels, buckets, self._sum)
