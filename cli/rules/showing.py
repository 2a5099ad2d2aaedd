"""One rule set: its parameters, what follows from them, or the same in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from cli.rules.naming import Choice
from cli.rules.words import page, plan_in_words
from engine.cards import cards_text
from engine.plan import deal_plan

WIDTH = 80


def show_document(choice: Choice, *, resolved: bool) -> dict[str, object]:
    """Give JSON values; `resolved` adds what follows for the number of players."""
    document: dict[str, object] = {
        "preset": choice.preset,
        "title": choice.title,
        "parameters": choice.rules.parameters(),
    }
    if resolved:
        rules, players = choice.rules, choice.players
        plan = deal_plan(rules, players)
        pack = rules.pack_for(players)
        document["resolved"] = {
            "players": players,
            "hash": rules.hash(players),
            "pack": pack.name.value,
            "pack_size": pack.size,
            "cards": cards_text(pack.codes()).split(),
            "sizes": None if plan.length is None else list(plan.sizes()),
            "open_ended": plan.length is None,
        }
    return document


def show_lines(choice: Choice, *, resolved: bool) -> Iterator[str]:
    """Print the parameters as TOML, as comments what follows from them."""
    yield from _comment(f"{choice.preset}: {choice.title}")
    for name, value in choice.rules.parameters().items():
        yield from _parameter(name, value)
    if not resolved:
        return
    rules, players = choice.rules, choice.players
    pack = rules.pack_for(players)
    yield f"# with {players} players"
    yield from _comment(plan_in_words(deal_plan(rules, players)))
    yield f"# pack: {pack.size} cards ({pack.name.value})"
    yield "# hash:"
    yield f"#   {rules.hash(players)}"


def _parameter(name: str, value: object) -> list[str]:
    """Lines of TOML, which has no word for what is not set."""
    match value:
        case None:
            return [f"# {name} is not set"]
        case dict():
            return [f"{name}.{key} = {json.dumps(one)}" for key, one in value.items()]
        case _:
            return wrap(f"{name} = {json.dumps(value)}", WIDTH, subsequent_indent="  ")


def _comment(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ")


def words_lines(choice: Choice) -> Iterator[str]:
    """Tell the rules to somebody who plays by them."""
    title = f"{choice.title} ({choice.preset}, {choice.players} players)."
    yield from wrap(title, WIDTH)
    for heading, sentences in page(choice.rules, choice.players):
        for i, sentence in enumerate(sentences):
            head = f"{heading if i == 0 else '':9}"
            yield from wrap(
                sentence, WIDTH, initial_indent=head, subsequent_indent=" " * 11
            )
