"""`ohhell tournament compare`: what two runs have in common, in words."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import typer

from tournament.agreement import Agreement, BotBeside
from tournament.naming import some_of

MOST_SHOWN = 20
DECIMALS = 4


def report_agreement(
    found: Agreement, paths: tuple[Path, Path], *, as_json: bool
) -> None:
    """Print it, for people or for programs."""
    if as_json:
        document = {"runs": list(map(str, paths)), "identical": found.identical}
        document |= asdict(found) | {"bots": [_document(bot) for bot in found.bots]}
        typer.echo(json.dumps(document, indent=2))
        return
    for line in _lines(found, paths):
        typer.echo(line)


def _document(bot: BotBeside) -> dict[str, object]:
    return {
        "name": bot.name,
        "points_per_deal": [_rounded(one) for one in bot.points],
        "difference": _rounded(bot.difference),
        "interval": bot.interval and [_rounded(end) for end in bot.interval],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)


def _lines(found: Agreement, paths: tuple[Path, Path]) -> Iterator[str]:
    for number, path in enumerate(paths, 1):
        yield f"{number}: {path}, {found.blocks[number - 1]} blocks"
    yield f"rules: {'the same' if found.same_rules else 'others'}"
    yield f"deals: {'the same' if found.same_deals else 'others'}"
    if found.spec:
        yield "spec: differs (- in 1, + in 2)"
        yield from (f"  {line}"[:80] for line in found.spec[:MOST_SHOWN])
        if len(found.spec) > MOST_SHOWN:
            yield f"  ... and {len(found.spec) - MOST_SHOWN} more lines (--json)"
    else:
        yield "spec: the same"
    for number, names in enumerate(found.missing, 1):
        if names:
            told = f"only in {number}: {some_of(names)}"
            yield from textwrap.wrap(told, 80, subsequent_indent="  ")
    yield f"records of {found.compared} blocks compared: {_records(found)}"
    yield ""
    yield f"{'points a deal':24}{'in 1':>9}{'in 2':>9}{'change':>10}   95 % interval"
    for bot in found.bots:
        yield _line(bot)
    if any(bot.difference is not None for bot in found.bots):
        how = "of the same deals" if found.paired else "of independent deals"
        yield f"change: against the field, from blocks {how}"
    yield ""
    if found.compared:
        yield "one reproduces the other" if found.identical else "the runs differ"
    else:
        yield "nothing of both has been played: none reproduces the other"


def _records(found: Agreement) -> str:
    if not found.compared:
        return "none"
    if not found.differing:
        return "all the same"
    first = found.differing[0]
    return f"{len(found.differing)} differ, the first is block {first}"


def _line(bot: BotBeside) -> str:
    one, two = ("-" if value is None else f"{value:.3f}" for value in bot.points)
    change = "-" if bot.difference is None else f"{bot.difference:+.3f}"
    line = f"{bot.name[:23]:24}{one:>9}{two:>9}{change:>10}"
    if bot.interval is not None:
        line += f"   {bot.interval.lo:+.3f} to {bot.interval.hi:+.3f}"
    return line
