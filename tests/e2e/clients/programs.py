"""The bot `lowest` of every language, as `make test-clients` has built it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
BUILT = ROOT / "build" / "clients"
JAVA = ROOT / "clients" / "java" / "target"

LOWEST: dict[str, tuple[str, ...]] = {
    "python": (sys.executable, "-m", "bots", "lowest"),
    "cpp": (str(BUILT / "cpp" / "lowest"),),
    "go": (str(BUILT / "lowest-go"),),
    "java": ("java", "-cp", f"{JAVA}/classes:{JAVA}/lib/*", "dev.ohhell.lowest.Lowest"),
    "rust": (str(BUILT / "lowest-rust"),),
    "typescript": ("node", str(ROOT / "clients/typescript/dist/src/lowest.js")),
}
"""Command by language."""

_LINES = (sys.executable, "-m", "ohhell_bot.stdio", "--")
_TEMPLATES = ROOT / "cli" / "bot" / "new" / "templates"

LINES: dict[str, tuple[str, ...]] = {
    "bash, lines": (*_LINES, "bash", str(_TEMPLATES / "bash" / "bot.sh")),
    "c, lines": (*_LINES, str(BUILT / "lowest-c")),
    "perl, lines": (*_LINES, "perl", str(_TEMPLATES / "perl" / "bot.pl")),
    "python, lines": (
        *_LINES,
        sys.executable,
        str(_TEMPLATES / "python-stdio" / "bot.py"),
    ),
}
"""The same policy behind the bridge; C as `make bench-clients` builds it."""
