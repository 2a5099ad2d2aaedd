"""`ohhell tournament`: write a spec, play it, look at what came out."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ExitCode, fail
from cli.runs import RUNS, Runs, UnusableRun, open_run, opened_run

if TYPE_CHECKING:
    from tournament.spec import Spec

app = typer.Typer(
    help="Tournaments of bots, from spec to results.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Run = Annotated[
    str, typer.Argument(help="Name of a run, or path of its folder.", metavar="RUN")
]


@app.command("new", epilog="Example:  ohhell tournament new my.toml")
def new(
    file: Annotated[
        Path, typer.Argument(help="File to write.", metavar="[FILE]")
    ] = Path("tournament.toml"),
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it is there.")
    ] = False,
) -> None:
    """Write a commented spec that works as it is."""
    from cli.house import HOUSE_BOTS
    from tournament.spec import LONGEST_NAME, starter_spec

    name = "".join(c if c.isalnum() and c.isascii() else "-" for c in file.stem)
    name = name[:LONGEST_NAME].strip("-") or "tournament"
    shown = shlex.quote(str(file))
    # It stands in a comment, which a line break would end.
    shown = "".join(c if c.isprintable() else "?" for c in shown)
    text = starter_spec(name, file=shown, house_bots=HOUSE_BOTS)
    try:
        with file.open("w" if force else "x", encoding="utf-8") as spec:
            spec.write(text)
    except OSError as error:
        if file.is_dir():
            fail(f"{file} is a folder; name the file in it that is to be written")
        if isinstance(error, FileExistsError):
            fail(f"{file} is there already; --force overwrites it")
        fail(f"{file} cannot be written: {error.strerror}")
    typer.echo(f"wrote {file}; play it with:  ohhell tournament run {shown}")


@app.command("run", epilog="Example:  ohhell tournament run my.toml --concurrency 32")
def run(  # noqa: PLR0913 - a command has as many parameters as options
    spec_file: Annotated[Path, typer.Argument(help="The spec.", metavar="SPEC.toml")],
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run.")
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Replace the run in the folder, once a block is played."
        ),
    ] = False,
    runs: Runs = RUNS,
    concurrency: Annotated[
        int | None,
        typer.Option(min=1, max=4096, help="Tables at a time, instead of the spec's."),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port of /metrics on loopback; 0: any. Without it 9464, if free.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any bot had a fault.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a tournament, and show its standings.

    Exit status: 0 done, 1 done but with faults (only with --strict), 2 not begun
    because of a mistake or a bot that does not start, 3 done with suspended bots,
    4 interrupted and resumable, 5 a fault of this program.
    """
    from dataclasses import replace

    from cli.running import run_to_exit_code
    from tournament.folder import Opening

    if resume and fresh:
        fail("--resume goes on with a run and --fresh replaces it: give one of them")
    spec = _read(spec_file)
    if concurrency is not None:
        spec = replace(spec, concurrency=concurrency)
    opening = Opening.RESUME if resume else Opening.FRESH if fresh else Opening.NEW
    command = f"ohhell tournament run {shlex.quote(str(spec_file))} --resume"
    if runs != RUNS:
        command += f" --runs {shlex.quote(str(runs))}"
    code = run_to_exit_code(
        spec,
        runs / spec.name,
        opening,
        metrics_port=metrics_port,
        resume_command=command,
        strict=strict,
        as_json=as_json,
    )
    raise typer.Exit(code)


def _read(file: Path) -> Spec:
    from cli.house import HOUSE_BOTS
    from tournament.spec import IllegalSpec, read_spec

    try:
        return read_spec(file, HOUSE_BOTS)
    except IllegalSpec as error:
        fail(error)


@app.command("report", epilog="Example:  ohhell tournament report quickstart")
def report(run: Run, *, runs: Runs = RUNS, as_json: Json = False) -> None:
    """Work out the standings of a run, and write its results."""
    from cli.running import show
    from tournament.conclusion import conclude

    with opened_run(runs, run) as (spec, journal, folder):
        conclusion = conclude(spec, journal)
        conclusion.write(folder)
    show(conclusion, folder, as_json=as_json)


@app.command("verify", epilog="Example:  ohhell tournament verify quickstart")
def verify_run(run: Run, *, runs: Runs = RUNS, as_json: Json = False) -> None:
    """Check a run's deals, records and results against its journal.

    Everything is worked out again from the secret and compared. Exit status: 0 all of
    it agrees, 1 something differs and is named, 2 there is no such run.
    """
    from cli.verifying import checked, report

    with opened_run(runs, run) as (spec, journal, folder):
        found = checked(spec, journal, folder)
    report(found, folder, as_json=as_json)
    if found.differences:
        raise typer.Exit(ExitCode.FAILED)


@app.command("compare", epilog="Example:  ohhell tournament compare monday tuesday")
def compare_runs(
    run: Run,
    other: Annotated[str, typer.Argument(help="Another one.", metavar="OTHER")],
    *,
    runs: Runs = RUNS,
    as_json: Json = False,
) -> None:
    """Compare two runs: specs, bots, records, standings.

    Exit status: 0 one reproduces the other, 1 they differ, 2 there is no such run.
    """
    from cli.agreeing import report_agreement
    from tournament.agreement import Side, agreement

    with (
        opened_run(runs, run) as (spec, journal, folder),
        opened_run(runs, other) as (other_spec, other_journal, other_folder),
    ):
        found = agreement(
            Side(spec, journal, list(journal.committed())),
            Side(other_spec, other_journal, list(other_journal.committed())),
        )
    report_agreement(found, (folder.path, other_folder.path), as_json=as_json)
    if not found.identical:
        raise typer.Exit(ExitCode.FAILED)


@app.command("show", epilog="Example:  ohhell tournament show quickstart")
def show_spec(run: Run, *, runs: Runs = RUNS) -> None:
    """Show what a run is: its id, progress, and whole spec."""
    from tournament.deciding import blocks_to_play

    with opened_run(runs, run) as (spec, journal, folder):
        committed = journal.committed()
        planned = blocks_to_play(spec, committed)
        typer.echo(f"# {folder.path}: tournament {journal.charter.tournament}")
        typer.echo(f"# {len(committed)} of {planned} blocks committed")
        typer.echo(journal.charter.spec, nl=False)


@app.command("list", epilog="Example:  ohhell tournament list")
def list_runs(*, runs: Runs = RUNS, as_json: Json = False) -> None:
    """List the runs in the folder of runs."""
    from tournament.deciding import blocks_to_play

    if not runs.is_dir() and (runs != RUNS or runs.exists()):
        fail(f"--runs {runs}: there is no such folder")
    rows, unusable = [], []
    for path in sorted(runs.glob("*/run.db")):
        try:
            with open_run(runs, path.parent.name) as (spec, journal, _):
                committed = journal.committed()
                rows.append(
                    {
                        "run": path.parent.name,
                        "tournament": journal.charter.tournament,
                        "blocks": len(committed),
                        "blocks_planned": blocks_to_play(spec, committed),
                        "bots": list(spec.names),
                    }
                )
        except UnusableRun as error:
            unusable.append(str(error))
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
    else:
        for row in rows:
            done = f"{row['blocks']}/{row['blocks_planned']} blocks"
            typer.echo(f"{row['run']:24} {done:16} {row['tournament']}")
        if not rows and not unusable:
            typer.echo(f"no runs in {runs}")
    if unusable:
        fail("\n".join(unusable), ExitCode.FAILED)
