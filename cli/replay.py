"""`ohhell replay`: read a match of a run, or look at one decision of it."""

from __future__ import annotations

import asyncio
import re
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from cli.exits import ExitCode, fail
from cli.runs import RUNS, Runs, meant, opened_run, run_folder

if TYPE_CHECKING:
    from cli.moment import Moment

_MATCH = re.compile(r"(?P<run>.+):(?P<block>[0-9]{1,9})\.(?P<copy>[0-9]{1,2})")

Match = Annotated[
    str,
    typer.Argument(
        help="RUN:BLOCK.COPY, both counted from 0.", metavar="RUN:BLOCK.COPY"
    ),
]
Command = Annotated[
    list[str] | None,
    typer.Argument(help="With --ask: the bot to be asked.", metavar="[-- COMMAND]"),
]
SeatOption = Annotated[
    str | None,
    typer.Option("--seat", help="A bot of the match, or its seat.", metavar="BOT"),
]
At = Annotated[
    str | None,
    typer.Option(
        help="With --seat: one decision, DEAL.TRICK, or DEAL.bid, .trump, .amend.",
        metavar="DEAL.TRICK",
    ),
]
Ask = Annotated[
    bool, typer.Option("--ask", help="Start a bot, and ask it there as well.")
]
ProtocolOption = Annotated[
    str,
    typer.Option(help="What that bot speaks: grpc or stdio.", metavar="NAME"),
]


def replay(
    match: Match,
    command: Command = None,
    *,
    seat: SeatOption = None,
    at: At = None,
    ask: Ask = False,
    protocol: ProtocolOption = "grpc",
    runs: Runs = RUNS,
) -> None:
    """Print a match of a run as a person reads it.

    With --seat and --at it prints what that seat saw at one of its decisions, what it
    might do and what it did.
    """
    from cli.moment import NoSuchMoment, moment_of
    from engine.errors import RecordError
    from engine.record import match_of
    from tournament.replay import WIDTH, NoSuchMatch, read_match, transcript

    parts = _MATCH.fullmatch(match)
    if parts is None:
        fail(f"{match!r} names no match: write RUN:BLOCK.COPY, as in quickstart:3.1")
    if (seat is None) != (at is None):
        fail("--seat and --at belong together: --seat BOT --at DEAL.TRICK")
    if ask != bool(command) or (ask and at is None):
        fail("to ask a bot: --seat BOT --at DEAL.TRICK --ask -- COMMAND")
    folder = run_folder(runs, parts["run"])
    if not folder.path.is_dir():
        hint = meant(runs, parts["run"])
        fail(f"there is no run in {folder.path}: {hint}")
    block, copy = int(parts["block"]), int(parts["copy"])
    try:
        record = read_match(folder.record(block), copy)
        # What cannot be played again cannot be told either.
        match_of(record)
        moment = None if seat is None or at is None else moment_of(record, seat, at)
    except (NoSuchMatch, NoSuchMoment) as error:
        fail(error)
    except RecordError as error:
        fail(f"{folder.record(block)}, copy {copy}: this cannot have been: {error}")
    head = f"{match}: {', '.join(record.players)}, by seat from 0"
    for line in textwrap.wrap(head, WIDTH, subsequent_indent="  "):
        typer.echo(line)
    for line in transcript(record) if moment is None else moment.lines():
        typer.echo(line)
    if moment is not None and command:
        if moment.is_amendment:
            fail("a bot amends its bid unasked: --ask is for its other decisions")
        seed = _bot_seed(runs, parts["run"], block, copy=copy, seat=moment.seat)
        _ask(moment, command, protocol, seed)


def _bot_seed(runs: Runs, run: str, block: int, *, copy: int, seat: int) -> bytes:
    """What the seat's bot drew its chance from."""
    from engine.shuffle import bot_seed

    with opened_run(runs, run) as (_, journal, folder):
        results = {result.block: result for result in journal.results()}
        if block not in results:
            fail(f"{folder.journal} has no block {block}, although there are records")
        seed = journal.charter.seeds.seed(block, results[block].attempt)
    return bot_seed(seed, copy, seat)


def _ask(moment: Moment, command: list[str], protocol: str, seed: bytes) -> None:
    from cli.bot.asking import asked
    from cli.bot.check.app import bridged
    from cli.bot.check.rig import Gone

    try:
        answer = asyncio.run(asked(moment, bridged(tuple(command), protocol), seed))
    except Gone as gone:
        fail(f"the bot cannot be asked: {gone}", ExitCode.FAILED)
    typer.echo(answer.errors, err=True, nl=False)
    typer.echo(f"Asked again: {answer.said}")
