"""Write the kept records: one whole match of every preset, played by house bots.

    python -m tests.conformance.records.keep [PRESET ...]

Records that are there stay as they are, for they must replay for ever: a preset gets
its record once.
"""

from __future__ import annotations

import sys
from pathlib import Path

import engine
from engine.presets import preset_names
from engine.record import record_text
from tests.doubles.matches import played

KEPT = Path(__file__).parent / "v1"


def seats_of(preset: str) -> list[str]:
    """As few players as the preset allows; two kinds of house bots take turns."""
    players = min(engine.Rules.of(preset).players)
    return (["random", "lowest"] * players)[:players]


def path_of(preset: str) -> Path:
    return KEPT / f"{preset}.jsonl"


def played_now(preset: str) -> str:
    """The text of the match as today's engine and bots play it."""
    seats = seats_of(preset)
    match = played(engine.Rules.of(preset), seats)
    return record_text(match, seats) + "\n"


def main(presets: list[str]) -> None:
    for preset in presets or preset_names():
        path = path_of(preset)
        if path.exists():
            print(f"{preset}: kept")
        else:
            path.write_text(played_now(preset), encoding="utf-8")
            print(f"{preset}: written")


if __name__ == "__main__":
    main(sys.argv[1:])
