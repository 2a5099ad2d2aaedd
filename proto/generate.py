"""Make the committed Python code under proto/python from proto/ohhell/v1.

``python proto/generate.py`` writes it; ``--check`` writes nothing and fails if what is
committed differs from what would be made.
"""

from __future__ import annotations

import argparse
import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parent
SOURCES = sorted((PROTO / "ohhell" / "v1").glob("*.proto"))
PACKAGE = Path("ohhell") / "v1"


def _has_service(source: Path) -> bool:
    lines = source.read_text(encoding="utf-8").splitlines()
    return any(line.startswith("service ") for line in lines)


def generate(out: Path) -> None:
    """Generate messages for all sources, and stubs where there is a service.

    The plugins are taken from beside the running interpreter, so that PATH cannot pick
    another version.
    """
    plugins = Path(sys.executable).parent
    out.mkdir(parents=True, exist_ok=True)
    compiler = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}"]
    mypy = f"--plugin=protoc-gen-mypy={plugins / 'protoc-gen-mypy'}"
    mypy_grpc = f"--plugin=protoc-gen-mypy_grpc={plugins / 'protoc-gen-mypy_grpc'}"
    messages = [mypy, f"--python_out={out}", f"--mypy_out=quiet:{out}"]
    stubs = [
        mypy_grpc,
        f"--grpc_python_out={out}",
        f"--mypy_grpc_out=quiet:{out}",
    ]
    services = [source for source in SOURCES if _has_service(source)]
    subprocess.run([*compiler, *messages, *map(str, SOURCES)], check=True)
    subprocess.run([*compiler, *stubs, *map(str, services)], check=True)
    for folder in (out / "ohhell", out / PACKAGE):
        (folder / "__init__.py").touch()
    (out / "ohhell" / "py.typed").touch()


def _files(folder: Path) -> set[Path]:
    return {
        path.relative_to(folder)
        for path in (folder / "ohhell").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def differences(committed: Path) -> list[str]:
    """Name the files in which ``committed`` differs from freshly generated code."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        names = sorted(_files(fresh) | _files(committed))
        return [
            str(name)
            for name in names
            if not (fresh / name).is_file()
            or not (committed / name).is_file()
            or not filecmp.cmp(fresh / name, committed / name, shallow=False)
        ]


def main() -> int:
    """Generate, or with ``--check`` compare; exit status 1 if they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    if not options.check:
        generate(PROTO / "python")
        return 0
    stale = differences(PROTO / "python")
    for name in stale:
        print(f"proto/python/{name} is not what proto/generate.py makes")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
