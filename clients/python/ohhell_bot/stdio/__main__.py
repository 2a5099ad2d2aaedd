"""`python -m ohhell_bot.stdio [flags] -- COMMAND...` plays with a bot of lines."""

from __future__ import annotations

import sys

from ohhell_bot.running import EXIT_USAGE
from ohhell_bot.stdio.bridge import bridge

_USAGE = "usage: python -m ohhell_bot.stdio [--address HOST:PORT] [...] -- COMMAND..."


def main() -> None:
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    if place + 1 >= len(words):
        print(_USAGE, file=sys.stderr)  # noqa: T201  # the only output
        raise SystemExit(EXIT_USAGE)
    bridge(words[place + 1 :], words[:place])


if __name__ == "__main__":
    main()
