"""Playing a tournament from the command line: its messages and its exit status."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import typer
from rich.console import Console

from bots.local import LOCAL_FACTORIES
from cli.exits import ExitCode, fail, told_by_system
from cli.house import BRIDGE, house_commands
from tournament.arena_server import MetricsPortTaken
from tournament.conclusion import Conclusion, conclude
from tournament.course import TooManyVoids
from tournament.folder import FolderError, Opening, RunFolder
from tournament.identity import new_charter
from tournament.journal import Journal, JournalUnreadable, JournalUnwritable
from tournament.lanes import BotsNotReady
from tournament.report.terminal import standings_table
from tournament.run import Surroundings, play
from tournament.spec import Spec

PLAIN_WIDTH = 80


class ProgressConsole(Console):
    """Raises what any stream raises when nobody reads it.

    The SystemExit of its base would leave a task and tear the event loop down around
    a server that still runs.
    """

    def on_broken_pipe(self) -> None:
        """End the run as any other failure to write does."""
        raise BrokenPipeError


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
    """Open the run folder, play, conclude, show; every mistake ends in `fail`."""
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
            folder.locked(),
            folder.open(new_charter(spec), opening) as journal,
        ):
            finished = _play(spec, journal, folder, surroundings, resume_command)
            if not finished:
                return ExitCode.INTERRUPTED
            conclusion = conclude(spec, journal)
            conclusion.write(folder)
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
    show(conclusion, folder, as_json=as_json)
    if conclusion.suspended:
        return ExitCode.SUSPENDED
    has_faults = any(line.faults for line in conclusion.standings.lines)
    return ExitCode.FAILED if strict and has_faults else ExitCode.DONE


def show(conclusion: Conclusion, folder: RunFolder, *, as_json: bool) -> None:
    """Print the standings, as a table or as results.json."""
    if as_json:
        typer.echo(json.dumps(conclusion.document, indent=2))
        return
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    console.print(standings_table(conclusion.standings))
    if conclusion.suspended:
        console.print(f"suspended: {', '.join(conclusion.suspended)}")
    console.print(f"results: {folder.results}  report: {folder.report}", soft_wrap=True)


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
        console.print(
            f"interrupted with {done} of {spec.blocks} blocks played; "
            f"go on with:  {resume_command}",
            soft_wrap=True,
            highlight=False,
        )
    return finished
