"""`python -m ohhell_bot [flags] MODULE:CLASS` runs a bot without a `run` of its own."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from ohhell_bot.bot import Bot
from ohhell_bot.running import EXIT_USAGE, run

_USAGE = (
    "usage: python -m ohhell_bot [--address HOST:PORT | --serve HOST:PORT] [...]"
    " MODULE:CLASS"
)


def _bot_class(name: str) -> type[Bot]:
    module_name, colon, class_name = name.partition(":")
    if not (module_name and colon and class_name):
        raise ValueError(f"{name!r} is not MODULE:CLASS")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(importlib.import_module(module_name), class_name, None)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        raise ValueError(f"there is no module {module_name} here") from None
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise ValueError(  # noqa: TRY004  # a wrong word on the command line
            f"{module_name} has no bot class {class_name}"
        )
    return found


def _place_of_bot(words: list[str]) -> int:
    """Every flag has a value, in the same word or the next."""
    place = 0
    while place < len(words) and words[place].startswith("--"):
        place += 1 if "=" in words[place] else 2
    return place


def main() -> None:
    words = sys.argv[1:]
    place = _place_of_bot(words)
    if place >= len(words) or words[place] == "-h":
        print(_USAGE, file=sys.stderr)  # noqa: T201  # the only output
        raise SystemExit(EXIT_USAGE)
    try:
        bot = _bot_class(words.pop(place))
    except ValueError as error:
        print(f"ohhell_bot: {error}", file=sys.stderr)  # noqa: T201  # the only output
        raise SystemExit(EXIT_USAGE) from None
    run(bot, words)


if __name__ == "__main__":
    main()
