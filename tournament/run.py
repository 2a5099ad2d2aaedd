"""A session of a run: journal, server, bots, blocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from server.players.local import BotFactory
from tournament.announcement import opening_words
from tournament.arena_server import LOOPBACK, METRICS_PORT, arena_server
from tournament.course import Course
from tournament.estimates import Estimator
from tournament.executors.hosted import HostedExecutor
from tournament.folder import RunFolder, write_whole
from tournament.journal import Journal
from tournament.lanes import Lanes
from tournament.launcher import Launcher
from tournament.metrics import TournamentMetrics
from tournament.outcome import BlockResult
from tournament.progress import Progress, Starting, Tally
from tournament.runner import Runner
from tournament.spec import Spec
from tournament.stopping import Stopping, until_stopped

BOT_GRACE = 0.5
"""Seconds that bots get to end by themselves when a run is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the command line knows and this layer does not.

    `house_commands` start house bots as processes, `house_bots` play them without one.
    `bridge` begins the command that plays for a program of lines.
    """

    house_commands: Mapping[str, tuple[str, ...]]
    house_bots: Mapping[str, BotFactory]
    bridge: tuple[str, ...]
    metrics_port: int | None
    console: Console
    """Where progress is told."""


class RecordFiles:
    """Writes the records of each block when it is committed."""

    def __init__(
        self, folder: RunFolder, journal: Journal, note: Callable[[str], None]
    ) -> None:
        """`note` tells people of files that had to be written again."""
        self.folder = folder
        self._journal = journal
        self._note = note
        folder.records.mkdir(exist_ok=True)

    def committed(self, results: Sequence[BlockResult]) -> None:
        """Write the blocks' files; those that are there and right stay."""
        for result in results:
            path = self.folder.record(result.block)
            records = self._journal.records(result.block)
            there = path.read_bytes() if path.exists() else None
            if records is None or there == records:
                continue
            write_whole(path, records)
            if there is not None:
                self._note(f"{path} was damaged: it is written again from the journal")

    def voided(self, block: int, reason: str) -> None:
        """Nothing of a voided block was written."""


async def play(
    spec: Spec, journal: Journal, folder: RunFolder, surroundings: Surroundings
) -> bool:
    """Play what is missing in the journal; whether it is complete now.

    Raises `BotsNotReady`, `MetricsPortTaken` and `TooManyVoids`. On return, however it
    comes about, no bot process is left.
    """
    course = Course(spec, journal)
    files = RecordFiles(
        folder,
        journal,
        lambda text: surroundings.console.print(Text(text), soft_wrap=True),
    )
    files.committed(course.committed)
    if course.finished:
        return True
    stopping = Stopping(surroundings.console.print)
    with stopping.on_signals():
        session = _session(spec, course, journal, files, surroundings, stopping)
        await until_stopped(session, stopping)
    return course.finished


async def _session(
    spec: Spec,
    course: Course,
    journal: Journal,
    files: RecordFiles,
    surroundings: Surroundings,
    stopping: Stopping,
) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            arena_server(
                house_bots=surroundings.house_bots,
                metrics_port=surroundings.metrics_port,
                log=files.folder.logs / "server.log",
            )
        )
        launcher = Launcher(
            logs=files.folder.logs,
            confinement=spec.confinement,
            hidden=files.folder.path.absolute(),
        )
        stack.push_async_callback(launcher.close, BOT_GRACE)
        tally = Tally(spec.names, course.blocks)
        progress = Progress(tally, surroundings.console, told=spec.decide or ())
        lanes = Lanes(
            spec,
            house=surroundings.house_commands,
            bridge=surroundings.bridge,
            launcher=launcher,
            host=server.host,
            address=server.address,
            note=progress.note,
        )
        for line in opening_words(spec, course, launcher.isolation):
            progress.note(line)
        progress.note(_about_metrics(server.metrics_port))
        with Starting(len(lanes), surroundings.console) as starting:
            lanes.on_ready = starting.ready
            await stack.enter_async_context(lanes)
        tally.begin(course.committed, time.monotonic())
        estimator = Estimator(len(spec.names))
        stack.callback(estimator.close)
        metrics = TournamentMetrics(
            tally,
            course.committed,
            concurrency=spec.concurrency,
            estimator=estimator,
        )
        journal.on_stored = metrics.stored
        server.metrics.registry.register(metrics)
        course.on_promise = lambda promise: progress.note(str(promise))
        stack.enter_context(progress)
        runner = Runner(
            course,
            HostedExecutor(spec, server.host, lanes),
            concurrency=spec.concurrency,
            audience=(files, progress, metrics),
            stopping=stopping,
        )
        await runner.run()


def _about_metrics(port: int | None) -> str:
    if port is None:
        return (
            f"no metrics: port {METRICS_PORT} is taken (--metrics-port 0 takes another)"
        )
    return f"metrics: http://{LOOPBACK}:{port}/metrics"
