"""`ohhell simulate`: house bots against each other in this process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import fail
from cli.rules.options import Json, Players, Settings

if TYPE_CHECKING:
    from cli.simulate.simulation import Simulation

STOPPED = 130
"""The exit status of a command that was stopped by Ctrl-C."""

USUAL_BOTS = ("expected-tricks", "greedy", "lowest", "random")
"""Where no bots are named; where there are fewer seats, the first of them."""

Bots = Annotated[
    str, typer.Option("--bots", metavar="A,B,C", help="House bots by name.")
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", min=0, max=2**64 - 1, help="Number that makes the same deals again."
    ),
]


def simulate(
    *,
    preset: Annotated[
        str, typer.Option("--preset", help="Name of a preset.")
    ] = "pagat_standard",
    players: Players = None,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=10_000_000, help="How many.")
    ] = 100,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C",
            help=f"House bots by name.  [default: {','.join(USUAL_BOTS)}]",
        ),
    ] = None,
    seed: Seed = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Play matches between house bots here, and compare them.

    Each sequence of deals is played in every rotation of the seats, so a number of
    matches that is a multiple of the players treats all alike. Fewer bots than seats
    take the seats in turn. Exit status: 0 done, 2 a mistake, 130 stopped by Ctrl-C,
    with the figures of what was played.
    """
    import secrets

    from cli.rules.naming import chosen
    from cli.seating import SEED_LIMIT, house_bots
    from cli.simulate.simulation import Simulation

    choice = chosen(preset, settings, players)
    names = USUAL_BOTS[: choice.players] if bots is None else house_bots(bots)
    if len(names) > choice.players:
        fail(
            f"{len(names)} bots for {choice.players} seats: name as many at most, or"
            " let `ohhell tournament` pair them"
        )
    if seed is None:
        seed = secrets.randbelow(min(SEED_LIMIT, 10**9))
    simulation = Simulation(choice.preset, choice.rules, choice.players, names, seed)
    stopped = False
    try:
        _watch(simulation.play(matches), matches)
    except KeyboardInterrupt:
        stopped = True
        typer.echo(
            f"ohhell: stopped after {simulation.matches} of {matches} matches", err=True
        )
    _show(simulation, as_json=as_json)
    if stopped:
        raise typer.Exit(STOPPED)


def _watch(played: Iterable[int], matches: int) -> None:
    """Play to the end, and tell a terminal how far it is."""
    if not sys.stderr.isatty():
        for _ in played:
            pass
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("matches"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("time left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("matches", total=matches)
        for number in played:
            progress.update(task, completed=number)


def _show(simulation: Simulation, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(simulation.document(), indent=2))
        return
    for line in simulation.text():
        typer.echo(line)
