import json
import os
import sys
from pathlib import Path

from bots.lowest import Lowest
from ohhell_bot import View, card_text, cards_text, run


class NotesWhatItSees(Lowest):
    def __init__(self, file: Path) -> None:
        self._file = file
        self._noted: set[tuple[str, int, int]] = set()

    def bid(self, view: View) -> int:
        self._note(view)
        return super().bid(view)

    def play(self, view: View) -> int:
        self._note(view)
        return super().play(view)

    def _note(self, view: View) -> None:
        """Once a deal, with the whole hand if it can be seen by then."""
        key = (view.match.table, view.match.seat, view.deal)
        if key in self._noted or len(view.hand) < view.size:
            return
        self._noted.add(key)
        line = {
            "pid": os.getpid(),
            "lane": int(os.environ.get("OHHELL_BOT_LANE", "0")),
            "table": view.match.table,
            "seat": view.match.seat,
            "deal": view.deal,
            "upcard": card_text(view.upcard),
            "hand": cards_text(view.hand),
        }
        with self._file.open("a", encoding="utf-8") as notes:
            notes.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    run(NotesWhatItSees(Path(sys.argv[1])), sys.argv[2:], workers=64)
