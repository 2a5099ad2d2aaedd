"""Options that several commands about rule sets share."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Preset = Annotated[
    str,
    typer.Argument(help="Name of a preset, or another name of it.", metavar="PRESET"),
]
Players = Annotated[
    int | None,
    typer.Option("--players", min=2, max=10, help="Number of players."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Replace a parameter, as in --set hook=false; may be given again.",
    ),
]
