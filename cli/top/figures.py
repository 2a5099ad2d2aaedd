"""What the readings of /metrics come to: rates, percentiles, sums by bot."""

from __future__ import annotations

from dataclasses import dataclass

from cli.top.scrape import Scrape, quantile, since


@dataclass(frozen=True, slots=True, kw_only=True)
class BotFigures:
    """One bot; what is not known of it is None."""

    points_per_deal: float | None
    points_error: float | None
    rating: float | None
    faults: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A tournament; `seconds_left` is None before there is an estimate."""

    blocks: int
    blocks_planned: int
    matches_per_second: float
    seconds_left: float | None
    voids: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Rates and percentiles are of the last `seconds`, sums of all the time.

    Percentiles are the 99th, in milliseconds, None where nothing happened.
    """

    seconds: float | None
    tables: dict[str, int]
    decisions: int
    decisions_per_second: float | None
    decision_ms: float | None
    queue_ms: float | None
    loop_lag_ms: float | None
    streams: int
    streams_opened: int
    streams_resumed: int
    frames_waiting: int
    rejections: dict[str, int]
    slow_consumers: int
    clock_stopped_s: float
    store_failing: bool
    draining: bool
    memory_bytes: int | None
    cpu_share: float | None
    run: Run | None
    bots: dict[str, BotFigures]


def figures(now: Scrape, before: Scrape | None = None) -> Figures:
    """Between two readings, or since the process was started."""
    seconds = now.age if before is None else now.at - before.at

    def grown(name: str) -> float:
        return now.total(name) - (0.0 if before is None else before.total(name))

    def rate(name: str) -> float | None:
        return grown(name) / seconds if seconds else None

    def late(name: str) -> float | None:
        buckets = now.buckets(name)
        if before is not None:
            buckets = since(buckets, before.buckets(name))
        found = quantile(0.99, buckets)
        return None if found is None else 1_000 * found

    return Figures(
        seconds=seconds,
        tables=_counts(now, "ohhell_tables", "state"),
        decisions=int(now.total("ohhell_decisions_total")),
        decisions_per_second=rate("ohhell_decisions_total"),
        decision_ms=late("ohhell_decision_seconds"),
        queue_ms=late("ohhell_decision_queue_seconds"),
        loop_lag_ms=late("ohhell_event_loop_lag_seconds"),
        streams=int(now.total("ohhell_stream_active")),
        streams_opened=int(now.total("ohhell_streams_opened_total")),
        streams_resumed=int(now.total("ohhell_stream_resumes_total")),
        frames_waiting=int(now.total("ohhell_outbound_queue_frames")),
        rejections=_counts(now, "ohhell_rejections_total", "reason"),
        slow_consumers=int(now.total("ohhell_slow_consumers_total")),
        clock_stopped_s=now.total("ohhell_clock_stopped_seconds_total"),
        store_failing=now.total("ohhell_store_failing") > 0,
        draining=now.total("ohhell_drain_state") > 0,
        memory_bytes=_known(now, "process_resident_memory_bytes"),
        cpu_share=rate("process_cpu_seconds_total"),
        run=_run(now),
        bots=_bots(now),
    )


def _counts(now: Scrape, name: str, label: str) -> dict[str, int]:
    return {
        key: int(value)
        for (key,), value in sorted(now.by(name, label).items())
        if value
    }


def _known(now: Scrape, name: str) -> int | None:
    return int(now.total(name)) if now.has(name) else None


def _run(now: Scrape) -> Run | None:
    planned = "ohhell_tournament_blocks_planned"
    if not now.has(planned):
        return None
    left = "ohhell_tournament_seconds_left"
    return Run(
        blocks=int(now.total("ohhell_tournament_blocks_committed")),
        blocks_planned=int(now.total(planned)),
        matches_per_second=now.total("ohhell_tournament_matches_per_second"),
        seconds_left=now.total(left) if now.has(left) else None,
        voids=int(now.total("ohhell_tournament_voids_total")),
    )


def _bots(now: Scrape) -> dict[str, BotFigures]:
    """Best points first; of a service, those with faults."""
    points, errors, ratings = (
        now.by(f"ohhell_tournament_{name}", "bot")
        for name in ("points_per_deal", "points_error", "rating")
    )
    faults: dict[str, dict[str, int]] = {}
    # A tournament counts faults of committed blocks, and a service all there are.
    name = "ohhell_tournament_faults_total" if points else "ohhell_bot_faults_total"
    for (bot, fault), times in sorted(now.by(name, "bot", "fault").items()):
        faults.setdefault(bot, {})[fault] = int(times)
    names = sorted(
        {bot for (bot,) in points} | set(faults),
        key=lambda bot: (-points.get((bot,), 0.0), bot),
    )
    return {
        bot: BotFigures(
            points_per_deal=points.get((bot,)),
            points_error=errors.get((bot,)),
            rating=ratings.get((bot,)),
            faults=faults.get(bot, {}),
        )
        for bot in names
    }
