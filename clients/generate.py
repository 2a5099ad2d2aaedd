"""Make the committed code of a client library from proto/ohhell/v1.

``python clients/generate.py LANGUAGE ...`` writes it; ``--check`` writes nothing and
fails if what is committed differs from what would be made. The compiler is the one of
the Python code; plugins come from each language's own package manager, in the versions
that its lock file names.
"""

from __future__ import annotations

import argparse
import filecmp
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

CLIENTS = Path(__file__).resolve().parent
PROTO = CLIENTS.parent / "proto"
SOURCES = sorted((PROTO / "ohhell" / "v1").glob("*.proto"))
FOR_BOTS = [
    source
    for source in SOURCES
    if source.stem in {"arena", "cards", "frames", "match", "rules"}
]
"""What a bot needs; the rest is for organisers and people."""


def _compile(out: Path, *options: str) -> None:
    compiler = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}"]
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([*compiler, *options, *map(str, FOR_BOTS)], check=True)


def go(out: Path) -> None:
    plugins = ("protobuf/cmd/protoc-gen-go", "grpc/cmd/protoc-gen-go-grpc")
    build = ("go", "build", "-modfile=tools.mod")
    with tempfile.TemporaryDirectory() as folder:
        for plugin in plugins:
            subprocess.run(
                [*build, "-o", folder, f"google.golang.org/{plugin}"],
                cwd=CLIENTS / "go",
                check=True,
            )
        _compile(
            out,
            *[f"--plugin={Path(folder) / Path(plugin).name}" for plugin in plugins],
            f"--go_out={out}",
            "--go_opt=module=ohhell.dev",
            f"--go-grpc_out={out}",
            "--go-grpc_opt=module=ohhell.dev",
        )


def typescript(out: Path) -> None:
    plugin = CLIENTS / "typescript" / "node_modules" / ".bin" / "protoc-gen-es"
    _compile(
        out,
        f"--plugin={plugin}",
        f"--es_out={out}",
        "--es_opt=target=ts,import_extension=js",
    )


def rust(out: Path) -> None:
    """The package, in one file; and its descriptors, for tests that read JSON."""
    package = out / "ohhell" / "v1"
    package.mkdir(parents=True, exist_ok=True)
    descriptors = package / "descriptors.binpb"
    generate = ("cargo", "run", "--quiet", "--package=generate", "--")
    _compile(out, f"--descriptor_set_out={descriptors}", "--include_imports")
    subprocess.run(
        [*generate, str(descriptors), str(package)],
        cwd=CLIENTS / "rust",
        check=True,
    )


LANGUAGES: dict[str, tuple[Callable[[Path], None], Path]] = {
    "go": (go, CLIENTS / "go"),
    "rust": (rust, CLIENTS / "rust" / "src" / "generated"),
    "typescript": (typescript, CLIENTS / "typescript" / "src" / "generated"),
}
"""How the code is made, and the folder in which its `ohhell/v1` is committed."""


def differences(language: str) -> list[str]:
    """Name the files in which what is committed differs from what is made."""
    make, committed = LANGUAGES[language]
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        make(fresh)
        names = {
            path.relative_to(root)
            for root in (fresh, committed)
            for path in (root / "ohhell").rglob("*")
            if path.is_file()
        }
        return [
            str(name)
            for name in sorted(names)
            if not (fresh / name).is_file()
            or not (committed / name).is_file()
            or not filecmp.cmp(fresh / name, committed / name, shallow=False)
        ]


def main() -> int:
    """Generate, or with ``--check`` compare; exit status 1 if they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="+", choices=sorted(LANGUAGES))
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    stale = 0
    for language in options.languages:
        make, committed = LANGUAGES[language]
        if not options.check:
            make(committed)
            continue
        for name in differences(language):
            print(f"{language}: {name} is not what clients/generate.py makes")
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
