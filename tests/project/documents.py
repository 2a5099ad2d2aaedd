"""Documents for people, as tests read them.

A fenced block is a language, perhaps a file name, and its text. `sh` blocks are meant
to be typed. A block with a file name is about that file: `python` is all of it, `toml`
is added at its end, and `text` is the standings that a run of it ends with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.project.tree import ROOT

_FENCE = re.compile(
    r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    language: str
    file: str
    """Empty for a block that is no file."""
    text: str


def document(name: str) -> Path:
    return ROOT / name


def documents() -> list[Path]:
    """Every page that is written for people."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    pages += [*ROOT.glob("clients/**/*.md"), *ROOT.glob("tests/**/*.md")]
    hidden = {page for page in pages if "node_modules" in page.parts}
    return sorted(set(pages) - hidden)


def blocks_of(page: Path, *languages: str) -> list[Block]:
    """Fenced blocks in order; without languages, all."""
    return [
        block for block in _blocks(page) if not languages or block.language in languages
    ]


def _blocks(page: Path) -> Iterator[Block]:
    for fence in _FENCE.finditer(page.read_text(encoding="utf-8")):
        yield Block(fence["language"], fence["file"] or "", fence["text"])
