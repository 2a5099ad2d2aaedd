"""`ohhell rules`: what can be played."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cli.exits import fail

app = typer.Typer(
    help="Rule sets: list them, look into one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list", epilog="Example:  ohhell rules list")
def list_presets(*, as_json: Json = False) -> None:
    """List the presets with a line about each."""
    from engine.presets import PRESETS, preset_names

    titles = {name: PRESETS[name].title for name in preset_names()}
    if as_json:
        typer.echo(json.dumps(titles, indent=2))
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        typer.echo(f"{name:{width}}  {title}")


@app.command("show", epilog="Example:  ohhell rules show pagat_standard --players 4")
def show(
    preset: Annotated[str, typer.Argument(help="Name of a preset.")],
    *,
    players: Annotated[
        int | None, typer.Option(min=2, max=10, help="Show the plan for so many.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show every parameter of a preset, as it would stand under [rules.overrides]."""
    from engine.errors import IllegalRules
    from engine.plan import deal_plan
    from engine.rules import Rules

    try:
        rules = Rules.of(preset, players=players)
    except IllegalRules as error:
        fail(error)
    if as_json:
        typer.echo(json.dumps(rules.parameters(), indent=2))
        return
    for name, value in rules.parameters().items():
        typer.echo(f"{name} = {json.dumps(value)}")
    if players is None:
        return
    plan = deal_plan(rules, players)
    typer.echo(f"# hash for {players} players: {rules.hash(players)}")
    if plan.length is None:
        typer.echo("# deals: as many as it takes")
    else:
        sizes = " ".join(str(plan.size(deal)) for deal in range(1, plan.length + 1))
        typer.echo(f"# {plan.length} deals, cards each: {sizes}")
