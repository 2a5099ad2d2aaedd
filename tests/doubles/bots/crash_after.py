import os
import sys

from ohhell_bot import run
from tests.doubles.bots.counted import Counted

STATUS = 70

if __name__ == "__main__":
    run(Counted(int(sys.argv[1]), lambda: os._exit(STATUS)), sys.argv[2:])
