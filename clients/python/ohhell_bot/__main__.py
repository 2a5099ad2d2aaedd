"""`python -m ohhell_bot MODULE:CLASS [flags]` runs a bot without a `run` of its own."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from ohhell_bot.bot import Bot
from ohhell_bot.running import EXIT_USAGE, run

_USAGE = "usage: python -m ohhell_bot MODULE:CLASS [--address HOST:PORT ...]"


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


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(_USAGE, file=sys.stderr)  # noqa: T201  # the only output
        raise SystemExit(EXIT_USAGE)
    try:
        bot = _bot_class(sys.argv[1])
    except ValueError as error:
        print(f"ohhell_bot: {error}", file=sys.stderr)  # noqa: T201  # the only output
        raise SystemExit(EXIT_USAGE) from None
    run(bot, sys.argv[2:])


if __name__ == "__main__":
    main()
