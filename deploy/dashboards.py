"""Write the Grafana dashboards of `deploy/monitoring`, or check that they are current.

    python deploy/dashboards.py [--check]

What a panel asks is stated here once; the JSON around it is what Grafana 10 and newer
imports. A dashboard asks for its Prometheus when it is imported, and names no host.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "monitoring"
COLUMNS = 24
"""Width of Grafana's grid."""
SOURCE = {"type": "prometheus", "uid": "${source}"}


class Query(NamedTuple):
    """One expression, and what its lines are called."""

    expression: str
    legend: str = ""


class Panel(NamedTuple):
    """A picture of some queries; `unit` is one of Grafana's names."""

    title: str
    unit: str
    queries: tuple[Query, ...]
    about: str = ""
    now: bool = False
    """Only the figure of this moment, in large type."""


class Row(NamedTuple):
    """Panels side by side, equally wide."""

    title: str
    panels: tuple[Panel, ...]


class Dashboard(NamedTuple):
    """A page; `uid` is in links to it and never changes."""

    uid: str
    title: str
    rows: tuple[Row, ...]


def _rate(metric: str, by: str = "") -> str:
    return f"sum{f' by ({by})' if by else ''} (rate({_of(metric)}[$__rate_interval]))"


def _quantile(part: float, metric: str, by: str = "") -> str:
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({part}, {_rate(f'{metric}_bucket', labels)})"


def _now(metric: str, where: str = "") -> str:
    return f"sum ({_of(metric, where)})"


def _of(metric: str, where: str = "") -> str:
    return f'{metric}{{job="$job"{f", {where}" if where else ""}}}'


def _figure(title: str, expression: str, unit: str = "none", about: str = "") -> Panel:
    return Panel(title, unit, (Query(expression),), about, now=True)


DECISIONS = Row(
    "Decisions",
    (
        Panel(
            "Decisions by outcome",
            "ops",
            (Query(_rate("ohhell_decisions_total", "outcome"), "{{outcome}}"),),
            "All but `ok` is a fault of a bot, or an answer that came too late.",
        ),
        Panel(
            "Time to an accepted answer",
            "s",
            (
                Query(
                    _quantile(0.5, "ohhell_decision_seconds", "link"), "p50 {{link}}"
                ),
                Query(
                    _quantile(0.99, "ohhell_decision_seconds", "link"), "p99 {{link}}"
                ),
            ),
            "From handing over the question; the bot's own thinking is in it.",
        ),
        Panel(
            "Faults of bots",
            "ops",
            (Query(_rate("ohhell_faults_total", "fault"), "{{fault}}"),),
        ),
    ),
)

PROCESS = Row(
    "The process",
    (
        Panel(
            "Lateness of the event loop, p99",
            "s",
            (Query(_quantile(0.99, "ohhell_event_loop_lag_seconds"), "p99"),),
            "Clocks of bots stop while the loop is late.",
        ),
        Panel("Processor", "percentunit", (Query(_rate("process_cpu_seconds_total")),)),
        Panel(
            "Memory and descriptors",
            "short",
            (
                Query(_now("process_resident_memory_bytes"), "bytes resident"),
                Query(_now("process_open_fds"), "descriptors"),
            ),
        ),
    ),
)

SERVICE = Dashboard(
    "ohhell-service",
    "Oh Hell: service",
    (
        Row(
            "Now",
            (
                _figure("Tables running", _now("ohhell_tables", 'state="running"')),
                _figure("Streams of bots", _now("ohhell_stream_active")),
                _figure("Decisions a second", _rate("ohhell_decisions_total"), "ops"),
                _figure(
                    "Store failing",
                    _now("ohhell_store_failing"),
                    about="1: nothing can be stored, so nothing is accepted.",
                ),
                _figure("Going down", _now("ohhell_drain_state")),
                _figure(
                    "Tables voided by us",
                    _now("ohhell_tables_failed_total"),
                    about="A mistake of the server; its log has the traceback.",
                ),
            ),
        ),
        DECISIONS,
        Row(
            "Calls",
            (
                Panel(
                    "Calls by method",
                    "ops",
                    (
                        Query(
                            _rate("grpc_server_handled_total", "grpc_method"),
                            "{{grpc_method}}",
                        ),
                    ),
                ),
                Panel(
                    "Time of single calls, p99",
                    "s",
                    (
                        Query(
                            _quantile(
                                0.99, "grpc_server_handling_seconds", "grpc_method"
                            ),
                            "{{grpc_method}}",
                        ),
                    ),
                ),
                Panel(
                    "Refused, by code",
                    "ops",
                    (
                        Query(_rate("ohhell_rejections_total", "reason"), "{{reason}}"),
                        Query(
                            _rate("ohhell_auth_failures_total", "reason"),
                            "who: {{reason}}",
                        ),
                    ),
                    "Calls and frames; `who` are those refused because of the caller.",
                ),
            ),
        ),
        Row(
            "Streams of bots",
            (
                Panel(
                    "Tables by state",
                    "none",
                    (Query(f"sum by (state) ({_of('ohhell_tables')})"),),
                ),
                Panel(
                    "Opened and ended",
                    "ops",
                    (
                        Query(_rate("ohhell_streams_opened_total"), "opened"),
                        Query(_rate("ohhell_stream_resumes_total"), "with seats again"),
                        Query(
                            _rate("ohhell_streams_closed_total", "reason"), "{{reason}}"
                        ),
                        Query(
                            _rate("ohhell_slow_consumers_total", "viewer"),
                            "slow {{viewer}}",
                        ),
                    ),
                ),
                Panel(
                    "Waiting",
                    "short",
                    (
                        Query(_now("ohhell_outbound_queue_frames"), "frames to send"),
                        Query(
                            _quantile(0.99, "ohhell_decision_queue_seconds"),
                            "p99 seconds for a worker",
                        ),
                        Query(
                            f"{_rate('ohhell_batch_frames_sum')}"
                            f" / {_rate('ohhell_batch_frames_count')}",
                            "frames in a message",
                        ),
                    ),
                ),
            ),
        ),
        PROCESS,
        Row(
            "Clocks",
            (
                Panel(
                    "Seconds that clocks stood still, a second",
                    "none",
                    (Query(_rate("ohhell_clock_stopped_seconds_total")),),
                    "Late loops, drains and failing stores stop them.",
                ),
            ),
        ),
    ),
)

TOURNAMENT = Dashboard(
    "ohhell-tournament",
    "Oh Hell: tournament",
    (
        Row(
            "Now",
            (
                _figure(
                    "Blocks done",
                    f"{_now('ohhell_tournament_blocks_committed')}"
                    f" / {_now('ohhell_tournament_blocks_planned')}",
                    "percentunit",
                ),
                _figure(
                    "Matches a second",
                    _now("ohhell_tournament_matches_per_second"),
                    "ops",
                ),
                _figure("Time left", _now("ohhell_tournament_seconds_left"), "s"),
                _figure("Blocks played again", _now("ohhell_tournament_voids_total")),
                _figure(
                    "Bots with faults",
                    f"count (sum by (bot) ({_of('ohhell_tournament_faults_total')})"
                    " > 0) or vector(0)",
                ),
            ),
        ),
        Row(
            "Bots",
            (
                Panel(
                    "Points per deal",
                    "none",
                    (Query(_of("ohhell_tournament_points_per_deal"), "{{bot}}"),),
                ),
                Panel(
                    "95 % interval of it, half",
                    "none",
                    (
                        Query(
                            f"1.96 * {_of('ohhell_tournament_points_error')}", "{{bot}}"
                        ),
                    ),
                    "By block, normal: shown while the run goes on. The standings at "
                    "its end are exact about few blocks.",
                ),
                Panel(
                    "Rating",
                    "none",
                    (Query(_of("ohhell_tournament_rating"), "{{bot}}"),),
                    "Plackett-Luce on the Elo scale, the mean of the field at 1500.",
                ),
            ),
        ),
        Row(
            "Faults",
            (
                Panel(
                    "Faults by bot",
                    "none",
                    (
                        Query(
                            _of("ohhell_tournament_faults_total"), "{{bot}} {{fault}}"
                        ),
                    ),
                    "In committed blocks.",
                ),
                Panel(
                    "Storing a block, p99",
                    "s",
                    (
                        Query(
                            _quantile(0.99, "ohhell_tournament_journal_commit_seconds"),
                            "p99",
                        ),
                    ),
                ),
                Panel(
                    "Matches",
                    "ops",
                    (Query(_rate("ohhell_tournament_matches_total")),),
                ),
            ),
        ),
        DECISIONS,
        PROCESS,
    ),
)

DASHBOARDS = {"service": SERVICE, "tournament": TOURNAMENT}
"""By file name."""


def json_of(dashboard: Dashboard) -> str:
    """The text of its file."""
    variables = [
        {
            "name": "source",
            "label": "Prometheus",
            "type": "datasource",
            "query": "prometheus",
        },
        {
            "name": "job",
            "label": "Job",
            "type": "query",
            "datasource": SOURCE,
            "query": {
                "query": "label_values(ohhell_drain_state, job)",
                "refId": "job",
            },
            "refresh": 2,
        },
    ]
    whole = {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "tags": ["ohhell"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "5s",
        "time": {"from": "now-15m", "to": "now"},
        "templating": {"list": variables},
        "panels": list(_laid_out(dashboard.rows)),
    }
    return json.dumps(whole, indent=2) + "\n"


def _laid_out(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    top, number = 0, 0
    for row in rows:
        number += 1
        yield {
            "id": number,
            "type": "row",
            "title": row.title,
            "collapsed": False,
            "panels": [],
            "gridPos": {"x": 0, "y": top, "w": COLUMNS, "h": 1},
        }
        top += 1
        height = 4 if all(panel.now for panel in row.panels) else 8
        edges = [COLUMNS * i // len(row.panels) for i in range(len(row.panels) + 1)]
        for panel, left, right in zip(row.panels, edges, edges[1:], strict=False):
            number += 1
            place = {"x": left, "y": top, "w": right - left, "h": height}
            yield _drawn(panel, number) | {"gridPos": place}
        top += height


def _drawn(panel: Panel, number: int) -> dict[str, Any]:
    targets = [
        {
            "refId": chr(ord("A") + index),
            "datasource": SOURCE,
            "expr": query.expression,
            "legendFormat": query.legend or "__auto",
        }
        for index, query in enumerate(panel.queries)
    ]
    return {
        "id": number,
        "type": "stat" if panel.now else "timeseries",
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "options": {},
        "targets": targets,
    }


def main() -> int:
    """Exit status 1 where a file is not what this module says."""
    stale = []
    for name, dashboard in DASHBOARDS.items():
        file = FOLDER / f"{name}.json"
        text = json_of(dashboard)
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            stale.append(file.name)
    if stale:
        print(f"{', '.join(stale)}: not current; run python deploy/dashboards.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
