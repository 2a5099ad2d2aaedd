"""Options of the commands that put a program in touch with a service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Command = Annotated[
    list[str], typer.Argument(help="Program and its arguments.", metavar="-- COMMAND")
]
Address = Annotated[
    str | None,
    typer.Option(
        help="Where the service listens; 127.0.0.1:50051.", metavar="HOST:PORT"
    ),
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="File that holds the bot's token.")
]
CaFile = Annotated[
    Path | None,
    typer.Option("--ca-file", help="Certificates to trust, PEM; encrypts the call."),
]
Certificate = Annotated[
    Path | None,
    typer.Option(
        help="Chain to show to a service that asks for one, PEM; encrypts the call.",
        metavar="FILE",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(help="The key of that certificate, PEM.", metavar="FILE"),
]
