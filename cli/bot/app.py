"""`ohhell bot`: who may connect to a service, and what bot writers need."""

from __future__ import annotations

import typer

from cli.bot import registered
from cli.bot.bridge import bridge
from cli.bot.check.app import check
from cli.bot.new.app import new
from cli.bot.run import run

app = typer.Typer(
    help="Bots: who may connect, and what their writers need.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("register", epilog="Example:  ohhell bot register ada")(registered.register)
app.command("list", epilog="Example:  ohhell bot list --json")(registered.list_bots)
app.command("token", epilog="Example:  ohhell bot token ada --replace")(
    registered.token
)
app.command("revoke", epilog="Example:  ohhell bot revoke ada ohb_Zk3v0q9x")(
    registered.revoke
)
app.command("disable", epilog="Example:  ohhell bot disable ada")(registered.disable)
app.command("enable", epilog="Example:  ohhell bot enable ada")(registered.enable)
app.command("kick", epilog="Example:  ohhell bot kick ada")(registered.kick)
app.command("new", epilog="Example:  ohhell bot new --lang go mybot")(new)
app.command(
    "run",
    epilog="Example:  ohhell bot run --trace -- python mybot.py",
    context_settings={"allow_interspersed_args": False},
)(run)
app.command(
    "bridge",
    epilog="Example:  ohhell bot bridge --address 127.0.0.1:50051 -- ./bot.sh",
    context_settings={"allow_interspersed_args": False},
)(bridge)
app.command(
    "check",
    epilog="Example:  ohhell bot check -- python mybot.py",
    context_settings={"allow_interspersed_args": False},
)(check)
