"""The `ohhell` command.

Modules of commands import what is heavy inside the command, so that help and mistakes
come at once.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from cli import admin, cert, db, replay, tournament
from cli.bot.app import app as bot
from cli.compare.app import compare
from cli.conformance.app import conformance
from cli.doctor.app import doctor
from cli.exits import ExitCode, told_by_system
from cli.play.app import play
from cli.rules.app import app as rules
from cli.serve import serve
from cli.simulate.app import simulate
from cli.top.app import top

app = typer.Typer(
    name="ohhell",
    help="Oh Hell: a game service and a tournament runner for bots.",
    epilog="Start with:  ohhell tournament new my.toml",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(tournament.app, name="tournament")
app.add_typer(rules, name="rules")
app.add_typer(bot, name="bot")
app.add_typer(admin.app, name="admin")
app.add_typer(cert.app, name="cert")
app.add_typer(db.app, name="db")
app.command("play", epilog="Example:  ohhell play --preset wizard --players 4")(play)
app.command(
    "simulate", epilog="Example:  ohhell simulate --bots greedy,random --matches 40"
)(simulate)
app.command(
    "compare", epilog="Example:  ohhell compare --bot greedy --bot './mybot --fast'"
)(compare)
app.command("serve", epilog="Example:  ohhell serve --game-port 50051")(serve)
app.command("top", epilog="Example:  ohhell top 127.0.0.1:9464 --once")(top)
app.command("doctor", epilog="Example:  ohhell doctor 127.0.0.1:50051")(doctor)
app.command("conformance", epilog="Example:  ohhell conformance games/*.jsonl")(
    conformance
)
app.command(
    "replay",
    epilog="Example:  ohhell replay quickstart:3.1 --seat greedy --at 3.2",
)(replay.replay)


def _version(wanted: bool) -> None:  # noqa: FBT001 - the form of a callback of typer
    if wanted:
        from importlib.metadata import version

        typer.echo(f"ohhell {version('ohhell')}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Oh Hell: a game service and a tournament runner for bots."""


def main() -> None:
    """Run the command line."""
    _open_streams()
    try:
        try:
            app()
        finally:
            # Here, where it can be told; at exit Python would complain by itself.
            sys.stdout.flush()
    except OSError as error:
        _give_up_output()
        if isinstance(error, BrokenPipeError):
            # Whoever read our output has had enough of it.
            sys.exit(ExitCode.FAILED)
        # A full disk, a folder of somebody else: no command can do better than say so.
        sys.stderr.write(f"ohhell: {told_by_system(error)}\n")
        sys.exit(ExitCode.OURS)


def _give_up_output() -> None:
    """Send what is still in the buffer of standard output nowhere."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def _open_streams() -> None:
    """Give every command three streams that take every character.

    The null device gets the number of the closed stream, being the lowest one free,
    and so no run's journal gets it.
    """
    null = Path(os.devnull)
    if sys.stdin is None:
        sys.stdin = null.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = null.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = null.open("w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
