"""Take guards of the service away, one by one; the test of its story must fail.

    python -m tests.e2e.hostile.guards [story ...]

`guards.toml` says what each guard is, where it stands and what stands there without
it, which test misses it and what that test then says. Every guard is taken away in a
copy of the tree, so that the tree stays as it is. A guard that nobody misses is a
fault, and so is a test that fails for another reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent
LIST: Final = HERE / "guards.toml"
PAGE: Final = ROOT / "docs" / "reference" / "guards.md"
STORIES: Final = range(1, 26)
COPIED: Final = (
    *("bots", "cli", "clients/python", "engine", "proto", "server", "tests"),
    *("tournament", "pyproject.toml"),
)
PATHS: Final = (".", "proto/python", "clients/python")
PATIENCE_S: Final = 240.0
JOBS: Final = 2
FAILED: Final = 1
"""What pytest ends with where a test has failed, and nothing else was wrong."""

HEAD: Final = """\
# Guards of the service

Made by `python -m tests.e2e.hostile.guards page` from
[guards.toml](../../tests/e2e/hostile/guards.toml). Each guard was taken away, and the
test beside it, which talks to a real server process, failed; `make deep` does that
again. The tests are in [tests/e2e/hostile](../../tests/e2e/hostile), a file a story.
"""


class Edit(NamedTuple):
    """A place in the product; without its guard it reads `became`."""

    under: str
    """Folder or file in which `was` stands exactly once."""
    was: str
    became: str

    def file(self, root: Path) -> Path:
        """Where it is; LookupError unless there is exactly one such place."""
        under = root / self.under
        files = [under] if under.is_file() else sorted(under.rglob("*.py"))
        found = [
            file
            for file in files
            for _ in range(file.read_text(encoding="utf-8").count(self.was))
        ]
        if len(found) != 1:
            raise LookupError(f"{len(found)} times in {self.under}: {self.was!r}")
        return found[0]

    def apply(self, root: Path) -> None:
        file = self.file(root)
        text = file.read_text(encoding="utf-8").replace(self.was, self.became)
        compile(text, str(file), "exec")
        file.write_text(text, encoding="utf-8")


class Guard(NamedTuple):
    """What holds one kind of hostile client off."""

    story: int
    says: str
    test: str
    fails: str
    """What pytest prints of the failure."""
    edits: tuple[Edit, ...]

    @property
    def file(self) -> Path:
        """The file of its story."""
        (file,) = HERE.glob(f"test_{self.story:02}_*.py")
        return file


def listed() -> list[Guard]:
    """All guards, in order of their stories."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["guard"]
    return [
        Guard(
            entry["story"],
            entry["says"],
            entry["test"],
            entry["fails"],
            tuple(Edit(**edit) for edit in entry["edit"]),
        )
        for entry in entries
    ]


def copy_of_the_tree(folder: Path) -> None:
    """As far as the tests of the stories need it."""
    for part in COPIED:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy(source, target)


def without(guard: Guard, tree: Path) -> str:
    """What is wrong with it, or with its test; empty if the test misses it."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "tree"
        shutil.copytree(tree, root)
        for edit in guard.edits:
            edit.apply(root)
        test = f"{guard.file.relative_to(ROOT)}::{guard.test}"
        quiet = ("-q", "-p", "no:cacheprovider", "--tb=short")
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *quiet, test],
                cwd=root,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(str(root / path) for path in PATHS),
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{guard.test} did not end"
    if not done.returncode:
        return f"{guard.test} does not miss it"
    if done.returncode != FAILED or guard.fails not in done.stdout:
        return f"{guard.test} failed without {guard.fails!r}:\n{done.stdout[-4000:]}"
    return ""


def page() -> str:
    """The list for readers."""
    rows = [f"| {guard.story} | {guard.says} | {linked(guard)} |" for guard in listed()]
    return "\n".join([HEAD, "| story | guard | test |", "|---|---|---|", *rows, ""])


def linked(guard: Guard) -> str:
    path = guard.file.relative_to(ROOT).as_posix()
    name = guard.test.partition("[")[0]
    return f"[{name}](../../{path})"


def main(arguments: Sequence[str]) -> int:
    if arguments == ["page"]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    stories = {int(argument) for argument in arguments} or set(STORIES)
    guards = [guard for guard in listed() if guard.story in stories]
    faults = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(JOBS) as pool:
        # Copied once, so that work on the tree may go on meanwhile.
        tree = Path(name)
        copy_of_the_tree(tree)
        done = pool.map(without, guards, repeat(tree))
        for guard, wrong in zip(guards, done, strict=True):
            faults += bool(wrong)
            print(f"{guard.story:2} {guard.says}: {wrong or 'is missed'}", flush=True)
    print(f"{len(guards)} guards taken away, {len(guards) - faults} are missed")
    return 1 if faults or not guards else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
