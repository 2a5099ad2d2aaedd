"""The tree under test, as the tests of the project see it."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

PROJECTS = tuple(
    ROOT / name
    for name in (
        "pyproject.toml",
        "proto/python/pyproject.toml",
        "clients/python/pyproject.toml",
    )
)

PACKAGES = {
    "engine": ROOT / "engine",
    "server": ROOT / "server",
    "tournament": ROOT / "tournament",
    "bots": ROOT / "bots",
    "cli": ROOT / "cli",
    "ohhell": ROOT / "proto" / "python" / "ohhell",
    "ohhell_bot": ROOT / "clients" / "python" / "ohhell_bot",
}
"""Every import package that the project's distributions bring."""

_NOT_OURS = {"runs", "build", "dist", "target", "__pycache__", "node_modules"}


def project(path: Path) -> dict[str, Any]:
    """Read a ``pyproject.toml``."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def text_files(folder: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Yield every file of the tree that is text, caches and environments left out."""
    for path in sorted(folder.iterdir()):
        hidden = path.name.startswith(".") and path.name != ".ci"
        if path.is_dir() and (hidden or path.name in _NOT_OURS):
            continue
        if path.is_dir():
            yield from text_files(path)
        elif path.is_file():
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
