import sys
import threading

from ohhell_bot import run
from tests.doubles.bots.counted import Counted


def freeze() -> None:
    threading.Event().wait()


if __name__ == "__main__":
    run(Counted(int(sys.argv[1]), freeze), sys.argv[2:])
