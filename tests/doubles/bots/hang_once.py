import sys
import threading

from bots.lowest import Lowest
from ohhell_bot import View, run


class HangOnce(Lowest):
    """Thinks in threads, so that one can hang while others answer."""

    def __init__(self) -> None:
        self._to_hang = threading.Semaphore(1)

    def _hang_the_first_time(self) -> None:
        if self._to_hang.acquire(blocking=False):
            threading.Event().wait()

    def bid(self, view: View) -> int:
        self._hang_the_first_time()
        return super().bid(view)

    def play(self, view: View) -> int:
        self._hang_the_first_time()
        return super().play(view)


if __name__ == "__main__":
    run(HangOnce(), ["--threads", "4", *sys.argv[1:]], workers=4)
