"""What an image is built from is enough to build it."""

import subprocess
from pathlib import Path

from tests.project.tree import ROOT

IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
COPIED = [line.removeprefix("!") for line in IGNORED if line.startswith("!")]


def test_all_that_is_copied_into_the_image_is_there() -> None:
    assert [name for name in COPIED if not (ROOT / name).exists()] == []


def test_make_finds_its_files_among_what_is_copied(tmp_path: Path) -> None:
    for name in COPIED:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(ROOT / name)
    done = subprocess.run(
        ["make", "--dry-run", "compiled"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
