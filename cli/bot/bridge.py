"""`ohhell bot bridge`: connect a program that reads and writes lines."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.bot.options import Address, CaFile, Certificate, Command, Key, TokenFile

Workers = Annotated[
    int | None,
    typer.Option(min=1, max=4096, help="Questions to ask it at the same time; 1."),
]
Log = Annotated[
    str | None, typer.Option(help="error, warning, info or debug.", metavar="LEVEL")
]


def bridge(  # noqa: PLR0913 - one argument for each flag
    command: Command,
    *,
    address: Address = None,
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    certificate: Certificate = None,
    key: Key = None,
    workers: Workers = None,
    log: Log = None,
) -> None:
    """Play for a program that reads questions and writes answers.

    Variables OHHELL_BOT_* count as for every bot. The lines are described in
    docs/stdio.md. A service that is out of reach is tried for ten minutes, or for
    OHHELL_BOT_PATIENCE_S seconds. Exit status: 0 told to stop, 1 the program ended, 2 a
    mistake in the command or refused by the service, 3 service out of reach.
    """
    from ohhell_bot.stdio.bridge import bridge as play

    given = {
        "--address": address,
        "--token-file": token_file,
        "--ca-file": ca_file,
        "--certificate": certificate,
        "--key": key,
        "--workers": workers,
        "--log": log,
    }
    flags = [
        word
        for flag, value in given.items()
        if value is not None
        for word in (flag, str(value))
    ]
    play(command, flags)
