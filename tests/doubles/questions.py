"""Write the questions with which a new bot of lines is tried.

python -m tests.doubles.questions
"""

from __future__ import annotations

import engine
from bots.local import rules_for_bots
from ohhell_bot import Match, View
from ohhell_bot.stdio.schema import ask_line, start_line
from tests.doubles.matches import played
from tests.project.tree import ROOT

FILE = ROOT / "cli/bot/new/templates/lines/questions.jsonl"
MATCHES = {
    "pagat_standard": (0, 24),
    "wizard": (4, 400),
    "blackout_jokers": (0, 60),
    "ninety_nine": (0, 12),
    "devils_bridge": (0, 8),
}
"""By preset: which match, and up to which entry its questions are taken."""


def questions() -> str:
    """Lines for seat 0 of a match of each preset; few, but of every kind."""
    lines: list[str] = []
    for preset, (block, last) in MATCHES.items():
        rules = engine.Rules.of(preset)
        seats = min(rules.players)
        match = Match(
            seat=0,
            rules=rules_for_bots(rules, seats),
            bot_seed=bytes(range(16)),
            table=preset,
            players=("lowest",) * seats,
        )
        lines.append(start_line(match))

        def note(
            _: engine.Match,
            seat: int,
            prompt: engine.View,
            match: Match = match,
            last: int = last,
        ) -> None:
            asked = prompt.ask != engine.Ask.PLAY or prompt.legal_cards
            kept = prompt.seq < last and (last < 100 or prompt.ask == engine.Ask.TRUMP)
            if seat == 0 and asked and kept:
                lines.append(ask_line(View(prompt, match)))

        played(rules, ["lowest"] * seats, block, watch=note)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(questions(), encoding="utf-8")
