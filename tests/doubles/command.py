"""The `ohhell` command as people use it, in a folder of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

BOTS = Path(__file__).parent / "bots"
PATIENCE = 120.0

QUICK_RULES = """
[rules.overrides]
deal_shape = "up"
deal_low = 1
deal_high = 3
"""


def house(*names: str) -> str:
    """Give the [[bots]] of a spec for house bots."""
    return "".join(f'\n[[bots]]\nhouse = "{name}"\n' for name in names)


def double(name: str, *arguments: str, trusted: bool = False) -> str:
    """Give the [[bots]] of a spec for a bot that misbehaves."""
    command = [sys.executable, str(BOTS / f"{name}.py"), *arguments]
    shown = ", ".join(f'"{word}"' for word in command)
    called = name.replace("_", "-")
    lines = ["[[bots]]", f'name = "{called}"', f"command = [{shown}]"]
    return "\n" + "\n".join([*lines, *(["trusted = true"] if trusted else [])]) + "\n"


class Ohhell:
    """Runs the command in `folder`, where specs and runs lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def spec(
        self,
        bots: str,
        *,
        name: str = "t",
        blocks: int = 4,
        rules: str = QUICK_RULES,
        more: str = "",
        top: str = "",
    ) -> str:
        """Write a spec; give its file name. `top` are keys, `more` tables."""
        file = self.folder / f"{name}.toml"
        file.write_text(
            f'name = "{name}"\nseed = 11\n{top}[schedule]\nblocks = {blocks}\n'
            f"{rules}{more}{bots}"
        )
        return file.name

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the command; its output is to be read."""
        return subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        with self.start(*arguments) as process:
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def bot_processes(self, word: str = "") -> list[int]:
        """List what was started in the folder, by a word of the command."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                if (entry / "cwd").readlink() != self.folder.resolve():
                    continue
                command = (entry / "cmdline").read_bytes().decode(errors="replace")
                if "\x00-m\x00cli\x00" not in command and word in command:
                    found.append(int(entry.name))
        return found

    def no_process_is_left(self) -> bool:
        """Wait for processes that are on their way out."""
        return any(not self.bot_processes() for _ in _tries())

    def until_blocks(self, run: str, blocks: int) -> None:
        """Wait until so many records of a run have been written."""
        records = self.folder / "runs" / run / "records"
        for _ in _tries():
            if records.is_dir() and len(list(records.glob("*.gz"))) >= blocks:
                return
        msg = f"{run} did not commit {blocks} blocks"
        raise AssertionError(msg)

    def result_bytes(self, run: str) -> dict[str, bytes]:
        """Give results and records of a run by file name."""
        folder = self.folder / "runs" / run
        files = [folder / "results.json", *sorted((folder / "records").iterdir())]
        return {file.name: file.read_bytes() for file in files}


def interrupt(process: subprocess.Popen[str], number: signal.Signals) -> str:
    """Send a signal and wait for the end; give what was said on standard error."""
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    return err


def _tries() -> Iterator[None]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        yield
        time.sleep(0.02)
