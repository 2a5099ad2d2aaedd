"""Playing a tournament from the command line: its messages and its exit status."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console

from bots.local import LOCAL_FACTORIES
from cli.exits import ExitCode, fail, told_by_system
from cli.house import BRIDGE, house_commands
from tournament.arena_server import MetricsPortTaken
from tournament.conclusion import Conclusion, conclude
from tournament.counted import counted
from tournament.course import TooManyVoids
from tournament.folder import FolderError, Opening, RunFolder
from tournament.identity import new_charter
from tournament.journal import Journal, JournalUnreadable, JournalUnwritable
from tournament.lanes import BotsNotReady
from tournament.launcher.process import log_stem
from tournament.outcome import BlockResult
from tournament.report.terminal import standings_table
from tournament.run import Surroundings, play
from tournament.spec import Spec

PLAIN_WIDTH = 80
MOST_LOGS = 5


class ProgressConsole(Console):
    """Raises what any stream raises when nobody reads it.

    The SystemExit of its base would leave a task and tear the event loop down around
    a server that still runs.
    """

    def on_broken_pipe(self) -> None:
        """End the run as any other failure to write does."""
        raise BrokenPipeError


class Ended(NamedTuple):
    """A run that has been played to its end."""

    conclusion: Conclusion
    committed: Sequence[BlockResult]
    folder: RunFolder


def run_to_exit_code(
    spec: Spec,
    path: Path,
    opening: Opening,
    *,
    metrics_port: int | None,
    resume_command: str,
    strict: bool,
    as_json: bool,
) -> ExitCode:
    """Play, and show the standings; every mistake ends in `fail`."""
    ended = run_to_end(
        spec, path, opening, metrics_port=metrics_port, resume_command=resume_command
    )
    if ended is None:
        return ExitCode.INTERRUPTED
    conclusion = ended.conclusion
    show(conclusion, ended.folder, as_json=as_json)
    if conclusion.suspended:
        return ExitCode.SUSPENDED
    has_faults = any(line.faults for line in conclusion.standings.lines)
    return ExitCode.FAILED if strict and has_faults else ExitCode.DONE


def run_to_end(
    spec: Spec,
    path: Path,
    opening: Opening,
    *,
    metrics_port: int | None,
    resume_command: str,
) -> Ended | None:
    """Open the run folder, play, conclude; None where it was interrupted.

    Every mistake ends in `fail`.
    """
    folder = RunFolder(path)
    progress = ProgressConsole(
        stderr=True, width=None if sys.stderr.isatty() else PLAIN_WIDTH
    )
    surroundings = Surroundings(
        house_commands=house_commands(),
        house_bots=LOCAL_FACTORIES,
        bridge=BRIDGE,
        metrics_port=metrics_port,
        console=progress,
    )
    try:
        with (
            folder.locked(opening),
            _replacing(folder, progress),
            folder.open(new_charter(spec), opening) as journal,
        ):
            finished = _play(spec, journal, folder, surroundings, resume_command)
            if not finished:
                return None
            conclusion = conclude(spec, journal)
            conclusion.write(folder)
            return Ended(conclusion, journal.committed(), folder)
    except (FolderError, JournalUnreadable) as error:
        fail(error)
    except JournalUnwritable as error:
        fail(error, ExitCode.OURS)
    except OSError as error:
        about = f"{path} cannot be written: {told_by_system(error)}"
        if folder.journal.is_file():
            about += f"\nthen go on with:  {resume_command}"
        fail(about, ExitCode.OURS)
    except KeyboardInterrupt:
        fail(f"interrupted; go on with:  {resume_command}", ExitCode.INTERRUPTED)


@contextlib.contextmanager
def _replacing(folder: RunFolder, console: Console) -> Iterator[None]:
    """Put back what a fresh run was to replace, if that has come to nothing."""
    try:
        yield
    finally:
        if folder.settle():
            console.print(
                f"{folder.path} holds its earlier run again: no block of the new one "
                "was committed",
                soft_wrap=True,
                highlight=False,
            )


def show(conclusion: Conclusion, folder: RunFolder, *, as_json: bool) -> None:
    """Print the standings, as a table or as results.json."""
    if as_json:
        typer.echo(json.dumps(conclusion.document, indent=2))
        return
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(standings_table(conclusion.standings))
    if conclusion.suspended:
        console.print(f"suspended: {', '.join(conclusion.suspended)}")
    for line in _where(conclusion, folder):
        console.print(line, soft_wrap=True, highlight=False)


def _where(conclusion: Conclusion, folder: RunFolder) -> Iterator[str]:
    """Give the files in which to go on reading."""
    faulty = [line for line in conclusion.standings.lines if line.faults]
    for line in faulty[:MOST_LOGS]:
        name = line.name
        classes = ", ".join(f"{fault} {times}" for fault, times in line.faults)
        yield f"faults of {name}: {classes}"
        stem = log_stem(name, 0)
        logs = [*folder.logs.glob(f"{stem}.err"), *folder.logs.glob(f"{stem}.*.err")]
        if logs:
            more = (
                f" (and of {counted(len(logs) - 1, 'more lane')})"
                if len(logs) > 1
                else ""
            )
            yield f"log of {name}: {logs[0]}{more}"
    if faulty:
        yield f"log of the server, with each fault: {folder.logs / 'server.log'}"
    yield f"results: {folder.results}"
    yield f"report: {folder.report}"


def _play(
    spec: Spec,
    journal: Journal,
    folder: RunFolder,
    surroundings: Surroundings,
    resume_command: str,
) -> bool:
    console = surroundings.console
    try:
        finished = asyncio.run(play(spec, journal, folder, surroundings))
    except (BotsNotReady, MetricsPortTaken) as error:
        fail(error)
    except (TooManyVoids, JournalUnwritable, OSError) as error:
        log = folder.logs / "server.log"
        fail(f"{error}\nsee {log}; go on with:  {resume_command}", ExitCode.OURS)
    if not finished:
        done = len(journal.committed())
        told = f"interrupted with {done} of {spec.blocks} blocks played"
        if done or not folder.replaced.exists():
            told += f"; go on with:  {resume_command}"
        console.print(
            told,
            soft_wrap=True,
            highlight=False,
        )
    return finished
