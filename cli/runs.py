"""How commands name a run, and open one that is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.exits import fail

if TYPE_CHECKING:
    from tournament.folder import RunFolder
    from tournament.journal import Journal
    from tournament.spec import Spec

RUNS = Path("runs")

Runs = Annotated[
    Path, typer.Option("--runs", help="Folder in which run folders lie.", metavar="DIR")
]


class UnusableRun(Exception):
    """A run that is not there, or cannot be read; the message says why."""


class OpenRun(NamedTuple):
    """A run that is there; another process may be playing it."""

    spec: Spec
    journal: Journal
    folder: RunFolder


def run_folder(runs: Path, run: str) -> RunFolder:
    """Take a name as one in the folder of runs, and anything with / as a path."""
    from tournament.folder import RunFolder

    return RunFolder(Path(run) if "/" in run else runs / run)


@contextmanager
def open_run(runs: Path, run: str) -> Iterator[OpenRun]:
    """Open a run for reading; raises `UnusableRun`, also while it is used."""
    from tournament.folder import FolderError
    from tournament.journal import JournalUnreadable, JournalUnwritable
    from tournament.spec import IllegalSpec, stored_spec

    folder = run_folder(runs, run)
    try:
        with folder.reading() as journal:
            spec = stored_spec(journal.charter.spec, file=folder.journal)
            yield OpenRun(spec, journal, folder)
    except (FolderError, JournalUnreadable, JournalUnwritable) as error:
        hint = "" if folder.path.exists() else f": {meant(runs, run)}"
        raise UnusableRun(f"{error}{hint}") from error
    except IllegalSpec as error:
        msg = f"{folder.path} is a run of another version of this program:\n{error}"
        raise UnusableRun(msg) from error


def meant(runs: Path, run: str) -> str:
    """Tell which run was meant, or where it was looked for in vain."""
    if "/" in run:
        return f"there is no {Path(run).absolute()}"
    if not runs.is_dir():
        return f"there is no folder {runs.absolute()}; --runs names another"
    names = [path.parent.name for path in sorted(runs.glob("*/run.db"))]
    word = run.removesuffix(".toml")
    if near := get_close_matches(word, names, n=1):
        return f"did you mean {near[0]}?"
    return f"there is no {(runs / run).absolute()}; `ohhell tournament list` tells all"


@contextmanager
def opened_run(runs: Path, run: str) -> Iterator[OpenRun]:
    """Open a run for reading, or end the command."""
    try:
        with open_run(runs, run) as opened:
            yield opened
    except UnusableRun as error:
        fail(error)
