"""How commands reach a running service as its operator."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import fail

if TYPE_CHECKING:
    from server.operator import Access
    from server.rpc.operating import RemoteService

StoreOption = Annotated[
    str,
    typer.Option("--store", help="Store of the service, as `ohhell serve` has it."),
]
AccessOption = Annotated[
    Path | None,
    typer.Option(
        "--access",
        help="How to reach a running service elsewhere; default: beside the store.",
        show_default=False,
    ),
]
ReasonOption = Annotated[
    str, typer.Option("--reason", help="For people; it is put in the service's log.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object.")]
STORE = "ohhell.db"


def access_of(store: str, file: Path | None) -> Access:
    """What a file says of a service, the one beside the store by default; AccessWrong.

    Ends the command where there is none.
    """
    from server.config import access_file_of
    from server.operator import Access

    if file is None:
        if "://" in store:
            fail(
                "a store by URL is looked after by its service alone: name the access"
                " file of the service, with --access"
            )
        file = Path(access_file_of(store))
        if not file.exists():
            fail(
                f"no service that operators can reach has {store} open: there is no"
                f" {file}; name the access file of another with --access"
            )
    return Access.read(file)


@contextlib.contextmanager
def reach_service(store: str, access: Path | None) -> Iterator[RemoteService]:
    """A running service; ends the command where there is none, or it says no."""
    from server.operator import AccessWrong
    from server.rpc.operating import CannotOperate, NotDone, operating

    try:
        with operating(access_of(store, access)) as service:
            yield service
    except (AccessWrong, CannotOperate, NotDone) as error:
        fail(error)
