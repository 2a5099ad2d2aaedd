"""Compile the engine ahead of time with mypyc, from the source as it is.

    python deploy/compile_engine.py FOLDER

FOLDER becomes a copy of the package `engine` whose modules are machine code: with it
first on PYTHONPATH (and `python -P`, so that the current folder is not), everything
runs on it. The source tree is left as it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]  # it has none

ROOT = Path(__file__).resolve().parent.parent


def modules(package: Path) -> list[Path]:
    """Return what is compiled: packages keep their faces, which hold no code."""
    found = sorted(package.rglob("*.py"))
    return [path for path in found if path.name != "__init__.py"]


def compile_engine(folder: Path) -> int:
    """Build into the folder, which is replaced; return the number of modules."""
    with tempfile.TemporaryDirectory() as work:
        package = Path(work, "engine")
        shutil.copytree(
            ROOT / "engine", package, ignore=shutil.ignore_patterns("__pycache__")
        )
        os.chdir(work)  # modules are named by their paths from here
        sources = [path.relative_to(work) for path in modules(package)]
        extensions = mypycify(
            [f"--config-file={os.devnull}", "--strict", *map(str, sources)],
            opt_level="3",
            debug_level="0",
        )
        setup(
            name="engine-compiled",
            packages=[],
            ext_modules=extensions,
            script_args=["--quiet", "build_ext", "--inplace"],
        )
        for source in sources:
            source.unlink()  # nothing runs from source unnoticed
        shutil.rmtree("build")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work, folder)
        os.chdir(ROOT)
    return len(sources)


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    print(f"{compile_engine(target)} modules of the engine compiled into {sys.argv[1]}")
