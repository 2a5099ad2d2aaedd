import sys
import time

from bots.lowest import Lowest
from ohhell_bot import View, run


class Slow(Lowest):
    """Blocks its process, as a bot that computes does."""

    def __init__(self, milliseconds: int) -> None:
        self._seconds = milliseconds / 1000

    def bid(self, view: View) -> int:
        time.sleep(self._seconds)
        return super().bid(view)

    def play(self, view: View) -> int:
        time.sleep(self._seconds)
        return super().play(view)


if __name__ == "__main__":
    run(Slow(int(sys.argv[1])), sys.argv[2:])
