"""`ohhell play`: sit at a table in the terminal."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cli.exits import fail
from cli.rules.options import Players, Settings
from cli.simulate.app import STOPPED, Bots, Seed

YOU = "You"


class TextTerminal:
    """Lines on standard output and input."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Whatever a keyboard or a pipe sends is a mistake to explain, no more.
            sys.stdin.reconfigure(errors="replace")

    def say(self, line: str) -> None:
        """Print a line, hearts and diamonds red where there is colour."""
        from cli.play.faces import in_colour

        typer.echo(in_colour(line) if self._colour else line)

    def ask(self, prompt: str) -> str:
        """Give a line typed; EOFError when there will be no more."""
        # Not `input`, which waits on after a line with a NUL in it.
        sys.stdout.write(prompt)
        sys.stdout.flush()
        # Started with standard input closed, Python has none.
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        return line


def play(
    *,
    preset: Annotated[
        str, typer.Option("--preset", help="Name of a preset.")
    ] = "pagat_standard",
    players: Players = None,
    bots: Bots = "expected-tricks,greedy",
    seed: Seed = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat, counted from 0.")] = 0,
    plain: Annotated[
        bool, typer.Option("--ascii", help="Letters instead of suit symbols.")
    ] = False,
    settings: Settings = None,
) -> None:
    """Play against house bots in the terminal.

    The bots take the other seats in the order given, again and again. `?` at any
    prompt tells what can be typed, `rules` the rules of the game. After your bid you
    are asked once more while it may still be changed: Enter keeps it.
    Exit status: 0 played or left, 2 a mistake, 130 stopped by Ctrl-C.
    """
    import secrets

    from cli.play.faces import Faces
    from cli.play.session import Left, Session
    from cli.rules.naming import chosen
    from cli.seating import SEED_LIMIT, HouseTable, house_bots
    from engine.shuffle import block_seed, published_seed

    choice = chosen(preset, settings, players)
    if not 0 <= seat < choice.players:
        fail(f"--seat {seat}: the seats are 0 to {choice.players - 1}")
    by_seat = _seated(house_bots(bots), choice.players, seat)
    if seed is None:
        seed = secrets.randbelow(min(SEED_LIMIT, 10**9))
    names = [YOU, *_told_apart(list(by_seat.values()))]
    names = [*names[1 : seat + 1], YOU, *names[seat + 1 :]]
    table = HouseTable(
        choice.rules, names, by_seat, seed=block_seed(published_seed(seed), 0, 0)
    )
    terminal = TextTerminal(colour=_has_colour())
    faces = Faces(plain=plain or not _has_symbols())
    session = Session(choice, table, seat, names=names, faces=faces, terminal=terminal)
    terminal.say(faces.dressed(choice.title))
    terminal.say(f"{choice.preset}, seed {seed}. Type ? for help, quit to leave.")
    try:
        session.play()
    except Left:
        terminal.say("")
        terminal.say("You leave the table.")
    except KeyboardInterrupt:
        terminal.say("")
        terminal.say("You leave the table.")
        raise typer.Exit(STOPPED) from None


def _seated(bots: Sequence[str], players: int, seat: int) -> dict[int, str]:
    others = [other for other in range(players) if other != seat]
    return {other: bots[i % len(bots)] for i, other in enumerate(others)}


def _told_apart(bots: Sequence[str]) -> list[str]:
    """Number those that sit at the table more than once."""
    from cli.play.screen import NAME_WIDTH

    names = []
    for i, bot in enumerate(bots):
        short = bot[: NAME_WIDTH - 3]
        number = 1 + bots[:i].count(bot)
        names.append(f"{short} {number}" if bots.count(bot) > 1 else short)
    return names


def _has_colour() -> bool:
    return (
        sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def _has_symbols() -> bool:
    try:
        "♠♥♦♣".encode(sys.stdout.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
