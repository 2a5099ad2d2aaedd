import sys
from pathlib import Path

from bots.lowest import Lowest
from ohhell_bot import View, run


class Peeps(Lowest):
    """Says on standard error what it can see of the run and of other processes."""

    def bid(self, view: View) -> int:
        run_folder = Path("runs").absolute()
        journals = [str(path) for path in run_folder.glob("*/run.db")]
        others = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
        sys.stderr.write(f"journals {journals}\n")
        sys.stderr.write(f"many processes {len(others) > 20}\n")
        try:
            Path("mine").touch()
        except OSError as error:
            sys.stderr.write(f"beside the spec: {error.strerror}\n")
        (Path.home() / "mine").touch()
        return super().bid(view)


if __name__ == "__main__":
    run(Peeps())
