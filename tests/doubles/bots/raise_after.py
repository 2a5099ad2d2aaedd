import sys

from ohhell_bot import run
from tests.doubles.bots.counted import Counted


def fail() -> None:
    raise RuntimeError("this bot fails on purpose")


if __name__ == "__main__":
    run(Counted(int(sys.argv[1]), fail), sys.argv[2:])
