"""`ohhell replay`: read a match of a run."""

from __future__ import annotations

import re
import textwrap
from typing import Annotated

import typer

from cli.exits import fail
from cli.runs import RUNS, Runs, run_folder

_MATCH = re.compile(r"(?P<run>.+):(?P<block>[0-9]{1,9})\.(?P<copy>[0-9]{1,2})")


def replay(
    match: Annotated[
        str,
        typer.Argument(
            help="RUN:BLOCK.COPY, both counted from 0.", metavar="RUN:BLOCK.COPY"
        ),
    ],
    *,
    runs: Runs = RUNS,
) -> None:
    """Print a match of a run as a person reads it."""
    from tournament.replay import WIDTH, NoSuchMatch, read_match, transcript

    parts = _MATCH.fullmatch(match)
    if parts is None:
        fail(f"{match!r} names no match: write RUN:BLOCK.COPY, as in quickstart:3.1")
    folder = run_folder(runs, parts["run"])
    if not folder.path.is_dir():
        fail(f"there is no run in {folder.path}")
    try:
        record = read_match(folder.record(int(parts["block"])), int(parts["copy"]))
    except NoSuchMatch as error:
        fail(error)
    head = f"{match}: {', '.join(record.players)}, by seat from 0"
    for line in textwrap.wrap(head, WIDTH, subsequent_indent="  "):
        typer.echo(line)
    for line in transcript(record):
        typer.echo(line)
