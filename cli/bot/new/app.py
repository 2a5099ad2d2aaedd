"""`ohhell bot new`: a project to start from."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from cli.exits import fail, told_by_system

Folder = Annotated[Path, typer.Argument(help="Folder to make.", metavar="DIR")]
Language = Annotated[
    str, typer.Option("--lang", help="Its language; a wrong one lists them.")
]


def new(folder: Folder, *, language: Language = "python") -> None:
    """Write a bot to start from, with tests and a tournament."""
    from cli.bot.new.templates import CannotMake, languages

    known = languages()
    template = known.get(language.lower())
    if template is None:
        near = get_close_matches(language.lower(), known, n=1)
        meant = f"; did you mean {near[0]}?" if near else "."
        there = "\n".join(f"  {name:<14}{t.title}" for name, t in known.items())
        fail(f"--lang {language}: there is no such template{meant} There are:\n{there}")
    try:
        template.write(folder)
    except FileExistsError:
        fail(f"{folder} is there already; name a folder that is not")
    except CannotMake as error:
        fail(error)
    except OSError as error:
        fail(told_by_system(error))
    typer.echo(f"wrote {folder}: {template.title}. Next:")
    for command in template.commands(str(folder)):
        typer.echo(f"  {command}")
