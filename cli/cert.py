"""`ohhell cert`: certificates for services and operators."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import fail

if TYPE_CHECKING:
    from cli.certificates import Authority

app = typer.Typer(
    help="Certificates for services and operators.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

HERE = ("localhost", "127.0.0.1", "::1")
HOST_NAME = re.compile(r"(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*|[0-9a-fA-F:]+")


@app.callback()
def certificates() -> None:
    """Certificates for services and operators."""


@app.command("new", epilog="Example:  ohhell cert new --name arena.example.org")
def new(
    *,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="Host name or address of the service; may be given again."
            " This machine's own names are always in.",
            show_default=False,
        ),
    ] = None,
    operator: Annotated[str, typer.Option(help="Name of the operator.")] = "operator",
    folder: Annotated[Path, typer.Option(help="Where the files go.")] = Path(),
    days: Annotated[
        int, typer.Option(min=1, max=3_650, help="Days that they are valid.")
    ] = 365,
) -> None:
    """Make certificates of a service and an operator.

    The authority that signs them is made as well, unless it is in the folder already.
    """
    from cli.certificates import AuthorityWrong, write_pair

    names = [*(name or ()), *HERE]
    wrong = [text for text in (*names, operator) if not HOST_NAME.fullmatch(text)]
    if wrong:
        fail(f"{wrong[0]!r} is no host name and no address")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        there = folder.exists() or folder.is_symlink()
        told = "it is there, and is no folder" if there else error.strerror
        fail(f"--folder {folder}: {told}")
    try:
        authority = _authority(folder)
    except AuthorityWrong as error:
        fail(error)
    for stem, (certificate, key) in (
        ("server", authority.server(names, days)),
        ("operator", authority.client(operator, days)),
    ):
        for path in write_pair(folder, stem, certificate, key):
            typer.echo(path)


def _authority(folder: Path) -> Authority:
    """The one that is there, or a new one; AuthorityWrong."""
    from cli.certificates import (
        authority_pem,
        new_authority,
        read_authority,
        write_pair,
    )

    certificate, key = folder / "ca.pem", folder / "ca-key.pem"
    if certificate.exists() or key.exists():
        return read_authority(certificate, key)
    authority = new_authority()
    for path in write_pair(folder, "ca", *authority_pem(authority)):
        typer.echo(path)
    return authority
