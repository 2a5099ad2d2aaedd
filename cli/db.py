"""`ohhell db`: look after the store of served tables."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from cli.exits import ExitCode, fail
from cli.stores import require_store

app = typer.Typer(help="Look after the store of `ohhell serve`.", no_args_is_help=True)

Store = Annotated[
    str | None,
    typer.Option(
        "--store", help="File or database URL; by default that of the settings."
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="A TOML file with settings.")
]


@app.command("upgrade", epilog="Example:  ohhell db upgrade --store tables.db")
def upgrade(*, store: Store = None, config: ConfigFile = None) -> None:
    """Bring a store of an earlier version up to this one.

    It is done in one transaction, or not at all.
    """
    from server.store import StoreError
    from server.store.upgrading import upgrade as upgrade_store

    where = _where(store, config)
    try:
        before, after = upgrade_store(where)
    except StoreError as error:
        fail(error, ExitCode.FAILED)
    if before == after:
        typer.echo(f"{where} has version {after} already: nothing to do")
    else:
        typer.echo(f"{where}: from version {before or 'none'} to {after}")


@app.command("check", epilog="Example:  ohhell db check --store tables.db --json")
def check(
    *,
    store: Store = None,
    config: ConfigFile = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a machine-readable answer.")
    ] = False,
) -> None:
    """Read every chunk of a store, and replay every table.

    No server may have the store open: check a backup instead. Exit status 1 if
    anything is wrong.
    """
    from server.audit import audit
    from server.store import Store as OpenStore
    from server.store import StoreError

    where = _where(store, config)
    try:
        with OpenStore(where) as opened:
            done = audit(opened)
    except StoreError as error:
        fail(error, ExitCode.FAILED)
    looked_at = {
        "chunks": done.chunks,
        "tables": done.tables,
        "entries": done.entries,
    }
    if as_json:
        findings = [finding._asdict() for finding in done.findings]
        typer.echo(json.dumps({**looked_at, "findings": findings}))
    else:
        for finding in done.findings:
            typer.echo(f"{finding.where}: {finding.problem}")
        counted = ", ".join(_counted(count, what) for what, count in looked_at.items())
        typer.echo(f"{counted}: {_counted(len(done.findings), 'findings')}")
    if done.findings:
        raise typer.Exit(ExitCode.FAILED)


@app.command("backup", epilog="Example:  ohhell db backup copy.db --store tables.db")
def backup(
    target: Annotated[Path, typer.Argument(help="The new file.", metavar="FILE")],
    *,
    store: Store = None,
    config: ConfigFile = None,
) -> None:
    """Copy a store at one instant, while its server goes on."""
    from server.store import StoreError
    from server.store.backing_up import NoPlace, back_up

    try:
        size = back_up(_where(store, config), target)
    except NoPlace as error:
        fail(error)
    except StoreError as error:
        fail(error, ExitCode.FAILED)
    typer.echo(f"{target}: {size:,} bytes")


def _counted(count: int, what: str) -> str:
    return f"{count} {what.removesuffix('s') if count == 1 else what}"


def _where(store: str | None, file: Path | None) -> str:
    """The store that is meant; ends the command where there is none."""
    from server.config import SettingsWrong, load

    try:
        where = load(file, os.environ, {"store": {"where": store}}).store.where
    except SettingsWrong as wrong:
        fail(wrong)
    require_store(where)
    return where
