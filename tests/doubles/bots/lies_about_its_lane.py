import os
import sys

from bots.lowest import Lowest
from ohhell_bot import run

if __name__ == "__main__":
    liar = os.environ["OHHELL_BOT_LANE"] == sys.argv[1]
    claimed = ["--lane", sys.argv[2]] if liar else []
    run(Lowest, [*claimed, *sys.argv[3:]], workers=64)
