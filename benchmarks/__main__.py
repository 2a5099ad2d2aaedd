"""Everything that has a goal, and what it costs where nobody can be compared with.

Each part is a process of its own with an end that it cannot outlive, on each build
that is there. Their goals are said again at the end; exit status 1 if one was missed,
or if a part failed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from benchmarks.flavours import Flavour, built
from benchmarks.goals import MARK

_NO_CHATTER = {"GRPC_VERBOSITY": "NONE"}


class Part(NamedTuple):
    """A module with a `main`, and the seconds after which it has hung."""

    module: str
    at_most_s: float
    each_build: bool = False
    """Whether it measures the build that it runs on, not all of them."""


PARTS = (
    Part("engine", 180, each_build=True),
    Part("decisions", 60, each_build=True),
    Part("tables", 120, each_build=True),
    Part("rating", 180),
    Part("idle", 240),
    Part("crowd", 240),
    Part("unary", 600),
    Part("transport", 1500),
)


def run(part: Part, flavour: Flavour) -> tuple[bool, list[str]]:
    """Run it, passing on what it prints; whether it went well, and its goals."""
    goals = []
    process = subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{part.module}"],
        stdout=subprocess.PIPE,
        text=True,
        env={**flavour.environment, **_NO_CHATTER},
    )
    watchdog = threading.Timer(part.at_most_s, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.startswith(MARK):
                goals.append(line.removeprefix(MARK))
        status = process.wait()
    finally:
        watchdog.cancel()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if status < 0:
        print(f"{part.module} was ended after {part.at_most_s:g} s", flush=True)
    return status == 0, goals


def main() -> bool:
    """Run all parts; whether all floors were reached."""
    begun = time.monotonic()
    verdicts, goals = [], []
    for part in PARTS:
        for flavour in built() if part.each_build else (Flavour.PURE,):
            reached, lines = run(part, flavour)
            verdicts.append(reached)
            goals += lines
            print(flush=True)
    load, _, _ = os.getloadavg()
    print(
        f"all goals, after {time.monotonic() - begun:.0f} s; load of the machine",
        end="",
    )
    print(f" {load:.1f} (1 is this benchmark alone)")
    print("".join(goals), end="")
    if Flavour.COMPILED not in built():
        print("without a compiled build (`make compiled`), which is what is shipped")
    return all(verdicts)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
