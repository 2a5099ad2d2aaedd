"""`ohhell serve` as a process that can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


class Server:
    """Keeps its store and its port from one start to the next."""

    def __init__(
        self,
        where: str,
        folder: Path,
        *,
        flags: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        before: str = "",
    ) -> None:
        """`before` are statements that the process runs first."""
        self.port = 0
        self.metrics = ""
        """Where its numbers are."""
        self._flags = ("--store", where, "--http-port", "0", *flags)
        free_port = {"OHHELL_SERVER__ADMIN__PORT": "0"}
        self._environment = {**os.environ, **free_port, **(environment or {})}
        self._program = f"{before}\nfrom cli.main import main; main()"
        self._errors = folder / "serve.err"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns once it listens; AssertionError with its complaint if it ends."""
        with self._errors.open("ab") as errors:
            process = self._process = subprocess.Popen(
                [
                    *(sys.executable, "-c", self._program, "serve"),
                    *("--game-port", str(self.port), *self._flags),
                ],
                cwd=ROOT,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert process.stdout is not None
        listens: dict[str, str] = {}
        while "metrics" not in listens:
            what, _, address = process.stdout.readline().partition(" ")
            if not what:
                self.end()
                raise AssertionError(f"no server: {self.errors()}")
            listens[what] = address.strip()
        self.port = int(listens["game"].rpartition(":")[2])
        self.metrics = listens["metrics"]

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def errors(self) -> str:
        """What it has said on standard error, over all its lives."""
        return self._errors.read_text()

    def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Sends the signal, and waits; the exit status."""
        assert self._process is not None
        self._process.send_signal(number)
        status = self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
        return status

    def close(self) -> None:
        if self._process is not None:
            self.end()
