import sys
import threading
from typing import NoReturn

from ohhell_bot import Bot, View, run


def hang() -> NoReturn:
    while True:
        threading.Event().wait()


class HangForever(Bot):
    """Hangs in a thread, so that its process still answers heartbeats."""

    def bid(self, view: View) -> int:
        hang()

    def play(self, view: View) -> int:
        hang()


if __name__ == "__main__":
    run(HangForever(), ["--threads", "1", *sys.argv[1:]])
