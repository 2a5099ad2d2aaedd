"""`ohhell compare`: is one bot better than another?"""

from __future__ import annotations

import json
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ExitCode, fail
from cli.rules.options import Settings
from cli.runs import RUNS, Runs

if TYPE_CHECKING:
    from cli.compare.plan import Wish

FEWEST_PLAYERS, MOST_PLAYERS = 3, 7


class Until(StrEnum):
    """When a comparison ends."""

    DECIDED = "decided"
    END = "end"


def compare(  # noqa: PLR0913 - a command has as many parameters as options
    *,
    bot: Annotated[
        list[str],
        typer.Option(
            help="A house bot, HOST:PORT, or a command in quotes (stdio:COMMAND for"
            " one of lines); given twice: A, then B.",
            metavar="BOT",
        ),
    ],
    preset: Annotated[str, typer.Option(help="Name of a preset.")] = "pagat_standard",
    players: Annotated[
        int,
        typer.Option(
            min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="Seats of every table."
        ),
    ] = 4,
    settings: Settings = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="Who takes a further seat, as --bot; one for each.  [default: house"
            " bots]",
            metavar="BOT",
        ),
    ] = None,
    blocks: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="Blocks at most.")
    ] = 400,
    until: Annotated[
        Until,
        typer.Option(help="When to end: once it is decided, or after all blocks."),
    ] = Until.DECIDED,
    trusted: Annotated[
        bool,
        typer.Option(
            "--trusted",
            help="One process for each bot, which may meet the same deals again.",
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**63 - 1, help="The same deals again."),
    ] = None,
    name: Annotated[
        str, typer.Option(help="Name of the run, which is kept.")
    ] = "compare",
    runs: Runs = RUNS,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Replace the run of that name.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON on standard output.")
    ] = False,
) -> None:
    """Play two bots until it is decided which of them is better.

    Both sit at every table, in every rotation of the same deals. Exit status: 0 A is
    better, 1 B is, 6 undecided; 2 not begun because of a mistake, 3 with suspended
    bots, 4 interrupted and resumable, 5 a fault of this program.
    """
    from cli.compare.plan import Wish
    from cli.rules.naming import overrides_of

    if len(bot) != 2:
        times = "once" if len(bot) == 1 else f"{len(bot)} times"
        fail(f"--bot is given {times}: give it twice, for A and for B")
    if resume and fresh:
        fail("--resume goes on with a run and --fresh replaces it: give one of them")
    wish = Wish(
        bots=(bot[0], bot[1]),
        field=field,
        preset=preset,
        overrides=overrides_of(settings),
        players=players,
        blocks=blocks,
        early=until is Until.DECIDED,
        trusted=trusted,
        seed=seed,
        name=name,
    )
    raise typer.Exit(_compared(wish, runs, resume=resume, fresh=fresh, as_json=as_json))


def _compared(
    wish: Wish, runs: Path, *, resume: bool, fresh: bool, as_json: bool
) -> ExitCode:
    from cli.compare.plan import CannotPlan, spec_of
    from cli.compare.verdict import Better, document, text, verdict_on
    from cli.running import run_to_end
    from tournament.folder import Opening
    from tournament.spec import IllegalSpec

    try:
        spec, bots = spec_of(wish)
    except (CannotPlan, IllegalSpec) as error:
        fail(error)
    opening = Opening.RESUME if resume else Opening.FRESH if fresh else Opening.NEW
    ended = run_to_end(
        spec,
        runs / spec.name,
        opening,
        metrics_port=None,
        resume_command=_again(),
    )
    if ended is None:
        return ExitCode.INTERRUPTED
    verdict = verdict_on(spec, ended)
    if as_json:
        typer.echo(json.dumps(document(verdict, spec, bots, ended), indent=2))
    else:
        for line in text(verdict, spec, bots, ended):
            typer.echo(line)
    if ended.conclusion.suspended:
        return ExitCode.SUSPENDED
    match verdict.better:
        case Better.A:
            return ExitCode.DONE
        case Better.B:
            return ExitCode.FAILED
        case Better.UNDECIDED:
            return ExitCode.UNDECIDED


def _again() -> str:
    """The command that goes on with an interrupted comparison."""
    words = [word for word in sys.argv[1:] if word not in ("--fresh", "--resume")]
    return shlex.join(["ohhell", *words, "--resume"])
