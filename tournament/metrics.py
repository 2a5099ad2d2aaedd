"""What Prometheus reads about a run; nothing here changes between two commits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from server.histogram import Histogram
from tournament.estimates import Estimates, Estimator
from tournament.outcome import BlockResult
from tournament.progress import Tally

MOST_BOTS = 200
OTHER = "other"


class TournamentMetrics:
    """A collector for a Prometheus registry, and one of the audience of a run."""

    def __init__(
        self,
        tally: Tally,
        committed: Sequence[BlockResult],
        *,
        concurrency: int,
        estimator: Estimator,
    ) -> None:
        """`tally` and `committed` are kept up by those who hear of commits before."""
        self._tally = tally
        self._committed = committed
        self._concurrency = concurrency
        self._estimator = estimator
        self._estimates: Estimates | None = None
        self._stored = Histogram()
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
        self._estimates = self._estimator.latest(self._committed)
        self._matches += sum(len(result.copies) for result in results)
        self._families = tuple(self._build())

    def voided(self, block: int, reason: str) -> None:
        """Voids are counted in the tally."""

    def stored(self, seconds: float) -> None:
        """Take in how long the journal took to store a block."""
        self._stored.observe(seconds)

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
        yield from self._estimated()
        journal = HistogramMetricFamily(
            "ohhell_tournament_journal_commit_seconds",
            "Storing a finished block: its transaction, with what the disk asks for",
            labels=(),
        )
        self._stored.add_to(journal, [])
        yield journal

    def _estimated(self) -> Iterator[Metric]:
        """Give what takes longer than a commit, and so lags behind it."""
        found = self._estimates
        yield GaugeMetricFamily(
            "ohhell_tournament_estimated_blocks",
            "Blocks that ratings and standard errors rest on",
            value=found.blocks if found else 0,
        )
        points_error, rating, rating_error = (
            GaugeMetricFamily(f"ohhell_tournament_{name}", text, labels=("bot",))
            for name, text in (
                ("points_error", "Standard error of points per deal, by block"),
                ("rating", "Plackett-Luce on the Elo scale, the field's mean at 1500"),
                ("rating_error", "Standard error of the rating, by block"),
            )
        )
        if found is not None:
            shown = zip(
                self._tally.names[:MOST_BOTS],
                found.points,
                found.ratings,
                strict=False,
            )
            for name, scored, rated in shown:
                if scored is not None and scored.error is not None:
                    points_error.add_metric([name], scored.error)
                if rated is not None:
                    rating.add_metric([name], rated.elo)
                    if rated.error is not None:
                        rating_error.add_metric([name], rated.error)
        yield points_error
        yield rating
        yield rating_error
