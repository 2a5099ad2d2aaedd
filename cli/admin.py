"""`ohhell admin`: what operators do with a service while it runs."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer

from cli.exits import fail
from cli.operating import (
    STORE,
    AccessOption,
    JsonOption,
    ReasonOption,
    StoreOption,
    reach_service,
)

app = typer.Typer(
    help="A running service: its limits, its tables, its end.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
LONGEST_S = 86_400


@app.command("limits", epilog="Example:  ohhell admin limits calls_per_s=100")
def limits(
    changes: Annotated[
        list[str] | None,
        typer.Argument(help="New values; none: only show.", metavar="[NAME=NUMBER]..."),
    ] = None,
    *,
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show all limits of a service, or change some until it ends."""
    wanted = dict(map(_change, changes or ()))
    with reach_service(store, access) as service:
        found = dict(sorted(service.set_limits(wanted).items()))
    if as_json:
        typer.echo(json.dumps({"limits": found}))
        return
    shown = {name: found[name] for name in wanted or found}
    width = max(map(len, shown))
    for name, number in shown.items():
        typer.echo(f"{name:{width}}  {number}")


@app.command("end-table", epilog="Example:  ohhell admin end-table t4kq0x")
def end_table(
    table: Annotated[
        str,
        typer.Argument(help="Id of the table.", metavar="TABLE", show_default=False),
    ],
    *,
    reason: ReasonOption = "",
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """Cancel a table, whoever opened it."""
    with reach_service(store, access) as service:
        service.end_table(table, reason)
    typer.echo(json.dumps({"table": table}) if as_json else f"{table} is cancelled")


@app.command("drain", epilog="Example:  ohhell admin drain --within 300")
def drain(
    *,
    within: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=LONGEST_S,
            help="Seconds that tables may still be played; default: its setting.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """Have a service go down in good order, as SIGTERM does."""
    with reach_service(store, access) as service:
        tables = service.drain(1_000 * (within or 0))
    if as_json:
        typer.echo(json.dumps({"tables": tables}))
    else:
        played = "1 table is" if tables == 1 else f"{tables} tables are"
        typer.echo(f"it goes down; {played} still being played")


def _change(word: str) -> tuple[str, int]:
    from server.config import MOST

    name, equals, number = word.partition("=")
    if not (name and equals):
        fail(f"{word!r} is not NAME=NUMBER, as in calls_per_s=100")
    if not (re.fullmatch(r"[0-9]{1,20}", number) and int(number) <= MOST):
        fail(f"{name}: {number!r} is not a whole number 0..{MOST}")
    return name, int(number)
