"""Compile the engine and the served path ahead of time with mypyc, from their source.

    python deploy/compile_ahead.py FOLDER

FOLDER becomes a copy of the packages `engine` and `server` in which every module of
the engine, and each of the server that a decision passes through, is machine code.
With it first on PYTHONPATH (and PYTHONSAFEPATH=1, so that the current folder is not),
everything runs on it. The source tree is left as it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]  # it has none

ROOT = Path(__file__).resolve().parent.parent

SERVED_PATH: Final = (
    "server/audience.py",
    "server/clock.py",
    "server/decision.py",
    "server/guard.py",
    "server/histogram.py",
    "server/journal.py",
    "server/outcome.py",
    "server/players/local.py",
    "server/players/port.py",
    "server/players/seat.py",
    "server/players/session.py",
    "server/players/transport.py",
    "server/players/unary.py",
    "server/rpc/conduct.py",
    "server/rpc/heartbeat.py",
    "server/rpc/inbox.py",
    "server/rpc/messages.py",
    "server/rpc/outbox.py",
    "server/rpc/prompts.py",
    "server/rpc/stream.py",
    "server/rpc/wire.py",
    "server/rpc_counts.py",
    "server/seat_clocks.py",
    "server/setup.py",
    "server/store/log.py",
    "server/store_journal.py",
    "server/table.py",
    "server/tally.py",
)
"""What runs for every decision; the rest of the server would gain nothing. Observers
stay as they are, because everybody may write one, and none may extend a compiled class.
"""


def modules(work: Path) -> list[Path]:
    """Return what is compiled: packages keep their faces, which hold no code."""
    found = sorted((work / "engine").rglob("*.py"))
    engine = [path.relative_to(work) for path in found if path.name != "__init__.py"]
    return [*engine, *map(Path, SERVED_PATH)]


def compile_ahead(folder: Path) -> int:
    """Build into the folder, which is replaced; return the number of modules."""
    with tempfile.TemporaryDirectory() as work:
        for package in ("engine", "server"):
            shutil.copytree(
                ROOT / package,
                Path(work, package),
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        os.chdir(work)  # modules are named by their paths from here
        sources = modules(Path(work))
        extensions = mypycify(
            [
                f"--config-file={os.devnull}",
                "--strict",
                # What is not compiled is checked by `make check`, with its settings.
                "--follow-imports=silent",
                "--ignore-missing-imports",
                *map(str, sources),
            ],
            opt_level="3",
            debug_level="0",
        )
        setup(
            name="ohhell-compiled",
            packages=[],
            ext_modules=extensions,
            script_args=["--quiet", "build_ext", "--inplace"],
        )
        for source in sources:
            source.unlink()  # nothing runs from source unnoticed
        shutil.rmtree("build")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work, folder)
        folder.chmod(0o755)  # a temporary folder is its owner's alone
        os.chdir(ROOT)
    return len(sources)


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    print(f"{compile_ahead(target)} modules compiled into {sys.argv[1]}")
