"""`ohhell rules`: what can be played, and what a rule set means."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from cli.exits import ExitCode, fail
from cli.rules.options import Json, Players, Preset, Settings

app = typer.Typer(
    help="Rule sets: list them, look into one, check one of your own.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list", epilog="Example:  ohhell rules list --search elevator")
def list_presets(
    *,
    search: Annotated[
        str,
        typer.Option("--search", metavar="WORD", help="Only those that go by WORD."),
    ] = "",
    as_json: Json = False,
) -> None:
    """List the presets: name, players, a line about each, other names.

    Exit status 1 if nothing was found.
    """
    from cli.rules.listing import found, listing_lines

    listed = list(found(search))
    if as_json:
        _print_json([one._asdict() for one in listed])
    else:
        _print(listing_lines(listed))
    if not listed:
        fail(f"no preset goes by {search!r}", ExitCode.FAILED)


@app.command("show", epilog="Example:  ohhell rules show pagat_standard --players 4")
def show(
    preset: Preset,
    *,
    players: Players = None,
    settings: Settings = None,
    words: Annotated[
        bool, typer.Option("--words", help="Tell the rules as to a player instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show every parameter of a preset, as a spec would have it.

    With --players also what follows for so many: deals, pack, hash.
    """
    from cli.rules.naming import chosen
    from cli.rules.showing import show_document, show_lines, words_lines

    choice = chosen(preset, settings, players)
    resolved = players is not None
    if as_json:
        _print_json(show_document(choice, resolved=resolved))
    elif words:
        _print(words_lines(choice))
    else:
        _print(show_lines(choice, resolved=resolved))


@app.command("plan", epilog="Example:  ohhell rules plan clag --players 4")
def plan(
    preset: Preset,
    *,
    players: Players = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Print the deals of a game: sizes, dealers, certain trumps.

    The first dealer is seat 0. Without --players for four, or the nearest number.
    """
    from cli.rules.deals import plan_document, plan_lines
    from cli.rules.naming import chosen

    choice = chosen(preset, settings, players)
    if as_json:
        head = {"preset": choice.preset, "players": choice.players}
        _print_json(head | plan_document(choice.rules, choice.players))
        return
    typer.echo(f"{choice.preset}, {choice.players} players; seat 0 deals first")
    _print(plan_lines(choice.rules, choice.players))


@app.command("validate", epilog="Example:  ohhell rules validate my.toml --players 5")
def validate(
    file: Annotated[
        Path,
        typer.Argument(
            help="TOML with a [rules] table; a tournament's spec will do.",
            metavar="FILE.toml",
        ),
    ],
    *,
    players: Players = None,
    as_json: Json = False,
) -> None:
    """Check the rules in a file, and tell all that is wrong.

    Without --players they are checked for the seats of the spec, or else for every
    number of players that they name. Exit status: 0 legal, 1 not, 2 cannot be read.
    """
    from cli.rules.checking import (
        NotRules,
        check,
        read_rules,
        report_document,
        report_lines,
    )

    try:
        report = check(read_rules(file), players)
    except NotRules as error:
        fail(error)
    if as_json:
        _print_json(report_document(report))
    else:
        _print(report_lines(report))
    if report.violations:
        raise typer.Exit(ExitCode.FAILED)


@app.command("score", epilog="Example:  ohhell rules score score_square --cards 5")
def score(
    preset: Preset,
    *,
    cards: Annotated[
        int | None,
        typer.Option(min=1, help="Size of the deal; without it the largest."),
    ] = None,
    players: Players = None,
    settings: Settings = None,
    as_json: Json = False,
) -> None:
    """Print the points of a deal, for every bid and tricks won."""
    from cli.rules.naming import chosen
    from cli.rules.points import points_document, points_lines
    from engine.plan import cards_dealt, deal_plan

    choice = chosen(preset, settings, players)
    rules, number = choice.rules, choice.players
    size = deal_plan(rules, number).largest if cards is None else cards
    pack = rules.pack_for(number)
    if number * cards_dealt(rules, size) > pack.size:
        fail(f"--cards {size}: {number} such hands do not fit {pack.size} cards")
    if as_json:
        head = {"preset": choice.preset, "players": number}
        _print_json(head | points_document(rules, size))
        return
    typer.echo(f"{choice.preset}, deals of {size} cards")
    _print(points_lines(rules, size))


@app.command("diff", epilog="Example:  ohhell rules diff blackout kachuful")
def diff(
    preset: Preset,
    other: Annotated[
        str, typer.Argument(help="The other, in the same way.", metavar="OTHER")
    ],
    *,
    players: Players = None,
    as_json: Json = False,
) -> None:
    """Show in which parameters two presets differ, and how.

    With --players their deals as well.
    """
    from cli.rules.comparing import Side, comparison_document, comparison_lines
    from cli.rules.naming import chosen

    one, two = (chosen(name, None, players) for name in (preset, other))
    mine, theirs = Side(one.preset, one.rules), Side(two.preset, two.rules)
    if as_json:
        _print_json(comparison_document(mine, theirs, players))
    else:
        _print(comparison_lines(mine, theirs, players))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def _print_json(document: object) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
