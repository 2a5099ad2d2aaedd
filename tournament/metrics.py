"""What Prometheus reads about a run; nothing here changes between two commits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from tournament.outcome import BlockResult
from tournament.progress import Tally

MOST_BOTS = 200
OTHER = "other"


class TournamentMetrics:
    """A collector for a Prometheus registry, and one of the audience of a run."""

    def __init__(self, tally: Tally, *, concurrency: int) -> None:
        """`tally` is kept up by somebody who hears of commits before this does."""
        self._tally = tally
        self._concurrency = concurrency
        self._rate = 0.0
        self._seconds_left: float | None = None
        self._matches = 0
        # Prometheus reads from another thread: it gets what was made at a commit.
        self._families = tuple(self._build())

    def committed(self, results: Sequence[BlockResult]) -> None:
        """Fix the figures that would otherwise run on with time."""
        now = time.monotonic()
        self._rate = self._tally.matches_per_second(now)
        self._seconds_left = self._tally.seconds_left(now)
        self._matches += sum(len(result.copies) for result in results)
        self._families = tuple(self._build())

    def voided(self, block: int, reason: str) -> None:
        """Voids are counted in the tally."""

    def collect(self) -> Iterable[Metric]:
        """Give the metrics as they stood at the last commit."""
        return self._families

    def _build(self) -> Iterator[Metric]:
        tally = self._tally
        gauges = {
            "blocks_planned": ("Blocks of the schedule", tally.blocks),
            "blocks_committed": (
                "Blocks committed, those of earlier sessions too",
                tally.done,
            ),
            "tables_limit": (
                "Tables played at the same time at most",
                self._concurrency,
            ),
            "matches_per_second": ("Matches of this session per second", self._rate),
        }
        if self._seconds_left is not None:
            gauges["seconds_left"] = ("Estimate of the time left", self._seconds_left)
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(f"ohhell_tournament_{name}", text, value=value)
        yield CounterMetricFamily(
            "ohhell_tournament_matches", "Matches of this session", value=self._matches
        )
        yield CounterMetricFamily(
            "ohhell_tournament_voids", "Blocks played again", value=tally.voids
        )
        points = GaugeMetricFamily(
            "ohhell_tournament_points_per_deal",
            "Mean points per deal so far",
            labels=("bot",),
        )
        faults = CounterMetricFamily(
            "ohhell_tournament_faults",
            "Faults in committed blocks",
            labels=("bot", "fault"),
        )
        for bot, name in enumerate(tally.names[:MOST_BOTS]):
            mean = tally.points_per_deal(bot)
            if mean is not None:
                points.add_metric([name], mean)
            for fault, times in sorted(tally.faults[bot].items()):
                faults.add_metric([name, fault], times)
        for fault, times in sorted(tally.faults_beyond(MOST_BOTS).items()):
            faults.add_metric([OTHER, fault], times)
        yield points
        yield faults
