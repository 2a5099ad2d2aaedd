"""`python -m bots NAME [flags]` runs a house bot as a process of its own."""

from __future__ import annotations

import sys

from bots.factory import FACTORIES
from ohhell_bot import run

WORKERS = 64
"""House bots answer at once, so that many prompts may be open."""


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in FACTORIES:
        known = ", ".join(FACTORIES)
        said = f"there is no house bot {name!r}" if name else "which house bot?"
        print(f"bots: {said}: one of {known}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2)
    run(FACTORIES[name], sys.argv[2:], workers=WORKERS)


if __name__ == "__main__":
    main()
