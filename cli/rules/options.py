"""Options that several commands about rule sets share."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.exits import fail


def _possible(players: int | None) -> int | None:
    """Not by the option's own limits, of which the message is not in our words."""
    if players is not None and not 2 <= players <= 10:
        fail(f"--players {players}: a table has from 2 to 10 players")
    return players


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Preset = Annotated[
    str,
    typer.Argument(help="Name of a preset, or another name of it.", metavar="PRESET"),
]
Players = Annotated[
    int | None,
    typer.Option(
        "--players", callback=_possible, help="Number of players, from 2 to 10."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Replace a parameter, as in --set hook=false; may be given again.",
    ),
]
