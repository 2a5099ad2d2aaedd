"""`ohhell bot`: who may connect to a service, and what bot writers need."""

from __future__ import annotations

import typer

from cli.bot.bridge import bridge

app = typer.Typer(
    help="Bots: who may connect to a service, and what their writers need.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command(
    "bridge",
    epilog="Example:  ohhell bot bridge --address 127.0.0.1:50051 -- ./bot.sh",
    context_settings={"allow_interspersed_args": False},
)(bridge)
