"""`ohhell tournament verify`: how far it is, and what it found."""

from __future__ import annotations

import json
import sys

import typer
from rich.console import Console
from rich.progress import track

from tournament.counted import counted
from tournament.folder import RunFolder
from tournament.journal import Journal
from tournament.spec import Spec
from tournament.verify import Verification, verify

MOST_SHOWN = 20


def checked(spec: Spec, journal: Journal, folder: RunFolder) -> Verification:
    """Check a run to its end, with a bar where somebody watches."""
    found = Verification()
    for _ in track(
        verify(spec, journal, folder, found),
        description="verifying",
        total=spec.blocks,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ):
        pass
    return found


def report(found: Verification, folder: RunFolder, *, as_json: bool) -> None:
    """Print what was compared, and every difference."""
    if as_json:
        document = {
            "blocks": found.blocks,
            "matches": found.matches,
            "commitments": found.promises,
            "differences": found.differences,
        }
        typer.echo(json.dumps(document, indent=2))
        return
    for difference in found.differences[:MOST_SHOWN]:
        typer.echo(f"! {difference}")
    if len(found.differences) > MOST_SHOWN:
        typer.echo(f"... and {len(found.differences) - MOST_SHOWN} more (--json)")
    roots = counted(found.promises, "commitment")
    verdict = (
        f"differences: {len(found.differences)}" if found.differences else "all agree"
    )
    typer.echo(
        f"{folder.path}: {counted(found.blocks, 'block')}, {found.matches} matches, "
        f"{roots}: {verdict}"
    )
