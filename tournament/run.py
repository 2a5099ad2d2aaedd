"""A whole run: folder, journal, server, bots, blocks, results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rich.console import Console

from server.players.local import BotFactory
from tournament.announcement import opening_words
from tournament.arena_server import LOOPBACK, METRICS_PORT, arena_server
from tournament.commitments import disclosure
from tournament.course import Course
from tournament.executors.hosted import HostedExecutor
from tournament.folder import RunFolder, write_whole
from tournament.journal import Journal
from tournament.lanes import Lanes
from tournament.launcher import Confinement, Launcher, isolation
from tournament.metrics import TournamentMetrics
from tournament.outcome import BlockResult
from tournament.progress import Progress, Tally
from tournament.report.facts import facts
from tournament.report.html import report_page
from tournament.report.results import results, results_text
from tournament.runner import Runner
from tournament.spec import Duplicate, Spec
from tournament.standings import Standings, standings
from tournament.stopping import Stopping, until_stopped
from tournament.suspension import suspended

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a finished run says; `document` is results.json."""

    folder: RunFolder
    standings: Standings
    suspended: tuple[str, ...]
    document: Mapping[str, object]


class RecordFiles:
    """Writes the records of each block when it is committed."""

    def __init__(self, folder: RunFolder, journal: Journal) -> None:
        self.folder = folder
        self._journal = journal
        folder.records.mkdir(exist_ok=True)

    def committed(self, results: Sequence[BlockResult]) -> None:
        """Write the blocks' files; those that are there already stay."""
        for result in results:
            path = self.folder.record(result.block)
            records = self._journal.records(result.block)
            if records is not None and not path.exists():
                write_whole(path, records)

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
    files = RecordFiles(folder, journal)
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
        launcher = Launcher(logs=files.folder.logs)
        stack.push_async_callback(launcher.close, BOT_GRACE)
        tally = Tally(spec.names, course.blocks)
        progress = Progress(tally, surroundings.console)
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
        await stack.enter_async_context(lanes)
        tally.begin(course.committed, time.monotonic())
        metrics = TournamentMetrics(
            tally, course.committed, concurrency=spec.concurrency
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


def conclude(spec: Spec, journal: Journal, folder: RunFolder) -> Conclusion:
    """Work out the standings of the committed blocks, and write results and report."""
    committed = journal.committed()
    concluded = standings(
        committed, spec.names, duplicate=spec.duplicate is Duplicate.ON
    )
    published = disclosure(
        journal.charter.seeds,
        journal.promises(),
        journal.attempts(),
        committed=len(committed),
        blocks=spec.blocks,
    )
    unfit = suspended(committed, len(spec.names))
    names = tuple(name for bot, name in enumerate(spec.names) if bot in unfit)
    level = isolation(Confinement())
    document = results(
        spec,
        journal.charter,
        concluded,
        disclosure=published,
        suspended=names,
        isolation=level.value,
    )
    about = facts(
        spec,
        journal.charter,
        concluded,
        disclosure=published,
        suspended=names,
        isolation=level.describe(),
    )
    write_whole(folder.results, results_text(document).encode())
    write_whole(folder.report, report_page(spec.name, about, concluded).encode())
    return Conclusion(
        folder=folder, standings=concluded, suspended=names, document=document
    )
