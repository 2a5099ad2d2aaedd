"""Counts what observers and the rpc layer report, and shows it to Prometheus.

Counting is plain integers, because it happens for every decision; what Prometheus
reads is made of them when it asks. Every label has a closed set of values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from server.histogram import Histogram
from server.observe import Observer, Viewer
from server.rpc_counts import RpcCounts
from server.tally import ASKS, Tally

if TYPE_CHECKING:
    from server.guard import Fault
    from server.host import Host
    from server.table import Table

FRAMES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
OTHER = "other"
MAX_BOTS = 200


class Metrics(Observer):
    """Everything under /metrics."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        self._gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """Help and reading by name, for what is known elsewhere."""
        self._tally = Tally()
        self._faults: defaultdict[Fault, int] = defaultdict(int)
        self._bot_faults: defaultdict[tuple[str, Fault], int] = defaultdict(int)
        self._tables: defaultdict[str, int] = defaultdict(int)
        self._failed = 0
        self._opened = 0
        self._resumed = 0
        self._closed: defaultdict[str, int] = defaultdict(int)
        self._batches_sent = Histogram(FRAMES)
        self._batches_read = Histogram(FRAMES)
        self._lag = Histogram()
        self._waits = Histogram()
        self._rejections: defaultdict[str, int] = defaultdict(int)
        self._auth_failures: defaultdict[str, int] = defaultdict(int)
        self._slow: defaultdict[Viewer, int] = defaultdict(int)
        self._stopped = 0.0
        self._rpcs: dict[str, RpcCounts] = {}
        self._bots: set[str] = set()
        # Every decision comes by, and every message: heard without a step between.
        self.decided = self._tally.decided  # type: ignore[method-assign]  # see above
        self.batch_sent = self._batches_sent.observe  # type: ignore[assignment,method-assign]  # its number has another name
        self.batch_read = self._batches_read.observe  # type: ignore[assignment,method-assign]  # its number has another name

    def watch(self, host: Host) -> None:
        """Show what stands at the moment of a scrape."""
        self._gauges.update(
            {
                "ohhell_stream_active": (
                    "Streams of bots that are open",
                    lambda: sum(host.arena.streams().values()),
                ),
                "ohhell_calls_in_flight": (
                    "Single calls that are being served",
                    lambda: len(host.calls),
                ),
                "ohhell_connections_active": (
                    "Connections on which a call is being served",
                    lambda: host.calls.connections,
                ),
                "ohhell_outbound_queue_frames": (
                    "Frames and questions that wait to be sent",
                    host.arena.waiting_frames,
                ),
                "ohhell_store_failing": (
                    "1 while nothing can be stored, so that nothing is accepted",
                    lambda: float(host.keeper.trouble is not None),
                ),
                "ohhell_drain_state": (
                    "1 while the service goes down",
                    lambda: float(host.draining),
                ),
            }
        )

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)

    def rpc(self, kind: str, service: str, method: str) -> RpcCounts:
        """The counters of a method that exists; made when first asked for."""
        key = f"{service}/{method}"
        counts = self._rpcs.get(key)
        if counts is None:
            counts = self._rpcs[key] = RpcCounts(kind, service, method)
        return counts

    # Facts

    def faulted(self, table: Table, seat: int, fault: Fault) -> None:
        self._faults[fault] += 1
        self._bot_faults[self._bot_label(table.setup.players[seat]), fault] += 1

    def table_state(self, table: Table, before: str) -> None:
        if before:
            self._tables[before] -= 1
        self._tables[table.state] += 1

    def table_failed(self, table: Table, error: BaseException) -> None:
        self._failed += 1

    def stream_opened(self, bot: str, resumed: int) -> None:
        self._bot_label(bot)
        self._opened += 1
        self._resumed += bool(resumed)

    def stream_closed(self, bot: str, why: str) -> None:
        self._closed[why] += 1

    def lagged(self, seconds: float) -> None:
        self._lag.observe(seconds)

    def waited(self, seconds: float) -> None:
        self._waits.observe(seconds)

    def rejected(self, reason: str) -> None:
        self._rejections[reason] += 1

    def auth_failed(self, reason: str) -> None:
        self._auth_failures[reason] += 1

    def slow_consumer(self, viewer: Viewer) -> None:
        self._slow[viewer] += 1

    def clock_stopped(self, seconds: float) -> None:
        self._stopped += seconds

    def _bot_label(self, bot: str) -> str:
        if bot not in self._bots:
            if len(self._bots) >= MAX_BOTS:
                return OTHER
            self._bots.add(bot)
        return bot

    # What Prometheus reads

    def collect(self) -> Iterable[Metric]:
        yield _counter(
            "ohhell_decisions",
            "Answers judged, and decisions closed without one",
            ("kind", "outcome", "link"),
            {
                (ASKS[ask], str(verdict), str(link)): count
                for (ask, verdict, link), count in self._tally.outcomes().items()
            },
        )
        seconds = HistogramMetricFamily(
            "ohhell_decision_seconds",
            "From handing over a question to reading the accepted answer",
            labels=("kind", "link"),
        )
        for ask, link, histogram in self._tally.seconds():
            histogram.add_to(seconds, [ASKS[ask], str(link)])
        yield seconds
        yield _counter(
            "ohhell_faults",
            "Faults of bots by class",
            ("fault",),
            {(str(fault),): count for fault, count in list(self._faults.items())},
        )
        yield _counter(
            "ohhell_bot_faults",
            "Faults by bot and class",
            ("bot", "fault"),
            {
                (bot, str(fault)): count
                for (bot, fault), count in list(self._bot_faults.items())
            },
        )
        tables = GaugeMetricFamily(
            "ohhell_tables", "Tables by state", labels=("state",)
        )
        for state, count in list(self._tables.items()):
            tables.add_metric([state], count)
        yield tables
        yield _counter(
            "ohhell_tables_failed", "Voided by our own mistake", (), {(): self._failed}
        )
        yield _counter(
            "ohhell_streams_opened", "Streams accepted", (), {(): self._opened}
        )
        yield _counter(
            "ohhell_stream_resumes",
            "Streams that went on with seats",
            (),
            {(): self._resumed},
        )
        yield _counter(
            "ohhell_streams_closed",
            "Streams that ended, by reason",
            ("reason",),
            {(why,): count for why, count in list(self._closed.items())},
        )
        for name, help_text, histogram in (
            ("ohhell_batch_frames", "Frames in a message to a bot", self._batches_sent),
            (
                "ohhell_batch_read_frames",
                "Frames in a message from a bot",
                self._batches_read,
            ),
            ("ohhell_event_loop_lag_seconds", "Lateness of the event loop", self._lag),
            (
                "ohhell_decision_queue_seconds",
                "Wait of questions that found all workers of their bot taken",
                self._waits,
            ),
        ):
            family = HistogramMetricFamily(name, help_text, labels=())
            histogram.add_to(family, [])
            yield family
        yield from self._collect_refusals()
        for name, (help_text, read) in self._gauges.items():
            yield GaugeMetricFamily(name, help_text, value=read())
        yield from self._collect_rpcs()

    def _collect_refusals(self) -> Iterable[Metric]:
        yield _counter(
            "ohhell_rejections",
            "Calls and frames that were refused, by the code of the refusal",
            ("reason",),
            {(why,): count for why, count in list(self._rejections.items())},
        )
        yield _counter(
            "ohhell_auth_failures",
            "Calls whose caller is unknown or may not do that",
            ("reason",),
            {(why,): count for why, count in list(self._auth_failures.items())},
        )
        yield _counter(
            "ohhell_slow_consumers",
            "Streams that were ended because they read too slowly",
            ("viewer",),
            {(str(viewer),): self._slow[viewer] for viewer in Viewer},
        )
        yield _counter(
            "ohhell_clock_stopped_seconds",
            "Time for which the clocks of open questions stood still",
            (),
            {(): self._stopped},
        )

    def _collect_rpcs(self) -> Iterable[Metric]:
        rpcs = list(self._rpcs.values())
        labels = ("grpc_type", "grpc_service", "grpc_method")
        yield _counter(
            "ohhell_unknown_fields",
            "Requests, of a stream the first, with fields that are not known here",
            labels,
            {tuple(r.labels): r.unknown for r in rpcs},
        )
        for name, help_text, field in (
            ("grpc_server_started", "RPCs begun", "started"),
            ("grpc_server_msg_received", "Messages from clients", "received"),
            ("grpc_server_msg_sent", "Messages to clients", "sent"),
        ):
            yield _counter(
                name,
                help_text,
                labels,
                {tuple(r.labels): getattr(r, field) for r in rpcs},
            )
        handled = CounterMetricFamily(
            "grpc_server_handled", "RPCs completed", labels=(*labels, "grpc_code")
        )
        active = GaugeMetricFamily(
            "grpc_server_streams_active", "Streams open", labels=labels
        )
        seconds = HistogramMetricFamily(
            "grpc_server_handling_seconds", "Time of unary RPCs", labels=labels
        )
        for rpc in rpcs:
            for code, count in list(rpc.codes.items()):
                handled.add_metric([*rpc.labels, code], count)
            if rpc.kind == "unary":
                rpc.seconds.add_to(seconds, rpc.labels)
            else:
                active.add_metric(rpc.labels, rpc.active)
        yield handled
        yield active
        yield seconds


def _counter(
    name: str,
    help_text: str,
    labels: tuple[str, ...],
    values: Mapping[tuple[str, ...], float],
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, help_text, labels=labels)
    for key, value in values.items():
        family.add_metric(list(key), value)
    return family
