"""`ohhell conformance`: data files against the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ExitCode, fail

if TYPE_CHECKING:
    from cli.conformance.running import Outcome, Verdict


def conformance(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Data files.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run conformance data files against the engine.

    Prints the id and the first difference of what fails, and ends with the counts. A
    file that cannot be read is named, and the others are run.
    """
    from cli.conformance.running import BadFile, Outcome, verdicts

    tally = dict.fromkeys(Outcome, 0)
    noted: list[Verdict] = []
    unread: list[str] = []
    for path in files:
        try:
            for verdict in verdicts(path):
                tally[verdict.outcome] += 1
                if verdict.outcome is Outcome.PASSED:
                    continue
                noted.append(verdict)
                if not as_json:
                    typer.echo(f"{verdict.outcome.value} {verdict.id}: {verdict.why}")
        except BadFile as error:
            unread.append(str(error))
    typer.echo(_json_text(tally, noted) if as_json else _counts(tally))
    if unread:
        fail("\n".join(unread))
    if tally[Outcome.FAILED]:
        raise typer.Exit(ExitCode.FAILED)


def _counts(tally: Mapping[Outcome, int]) -> str:
    passed, failed, skipped = tally.values()
    counts = f"{passed} passed, {failed} failed"
    return f"{counts}, {skipped} skipped" if skipped else counts


def _json_text(tally: Mapping[Outcome, int], noted: Sequence[Verdict]) -> str:
    cases = [
        {"id": verdict.id, "outcome": verdict.outcome.value, "why": verdict.why}
        for verdict in noted
    ]
    counts = {outcome.value: number for outcome, number in tally.items()}
    return json.dumps({**counts, "cases": cases}, indent=2)
