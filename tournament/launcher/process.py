"""One bot process: what is to be run, and how it ended."""

import hashlib
import os
import signal
import string
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tournament.launcher.supervisor.birth import TOKEN_FD

_PREFIX = "OHHELL_BOT_"
_SAFE = frozenset(string.ascii_letters + string.digits + "_-")
_LONGEST_STEM = 100


@dataclass(frozen=True, slots=True)
class BotProcess:
    """One lane of a bot, as the launcher is to run it."""

    name: str
    command: tuple[str, ...]
    directory: Path
    """Where relative paths in the command start: the folder of the spec."""
    lane: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the bot library: `address` becomes `OHHELL_BOT_ADDRESS`."""
    token: str | None = None
    """Handed over through a pipe, at most 4096 bytes; see `OHHELL_BOT_TOKEN_FD`."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Further environment variables, as the organiser wrote them."""

    def environment(self, home: Path) -> dict[str, str]:
        """Give the whole environment: nothing of the runner's own but the PATH."""
        clean = {
            "PATH": search_path(),
            "LANG": "C.UTF-8",
            "HOME": str(home),
            **self.variables,
        }
        clean |= {_PREFIX + key.upper(): text for key, text in self.settings.items()}
        if self.token is not None:
            clean[_PREFIX + "TOKEN_FD"] = str(TOKEN_FD)
        return clean


def search_path() -> str:
    """Give the PATH of bots: the programs of the running installation come first.

    So `python` and `ohhell` in a command mean those that run the tournament.
    """
    path = os.environ.get("PATH", os.defpath)
    return os.pathsep.join((str(Path(sys.executable).parent), path))


def log_stem(name: str, lane: int) -> str:
    """Give the file name, without ending, for what this lane of a bot prints.

    The first lane is `<name>`, lane 2 is `<name>.2`. Other characters than ASCII
    letters, digits, `-` and `_` are written `%XX`, and long names end in a hash, so
    that no two bots share a file.
    """
    stem = "".join(
        chr(byte) if chr(byte) in _SAFE else f"%{byte:02X}"
        for byte in name.encode("utf-8", "surrogatepass")
    )
    if len(stem) > _LONGEST_STEM:
        digest = hashlib.sha256(stem.encode()).hexdigest()[:16]
        stem = f"{stem[:_LONGEST_STEM]}%{digest}"
    return stem if lane == 0 else f"{stem}.{lane}"


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot process ended; nothing that it started is left."""

    status: int | None
    """Exit code, minus the signal, or None if its supervisor was killed."""
    last_lines: str
    """The end of its standard error."""
    asked: bool
    """Whether it had been told to stop."""
    log: Path
    log_error: str | None = None

    def describe(self) -> str:
        """Say it as the rest of a sentence that begins with the bot."""
        if self.status is None:
            how = "was lost: the process that supervised it was killed"
        elif self.status < 0:
            how = f"was ended by {_signal_name(-self.status)}"
        else:
            how = f"exited with status {self.status}"
        if self.status == 0:
            how += (
                " as if it had nothing to do (a Python bot's file ends with run(MyBot),"
                " which stays until it is stopped; a bot that reads lines needs"
                " protocol stdio)"
            )
        if self.log_error is not None:
            how += f" (its log {self.log} is not complete: {self.log_error})"
        if not self.last_lines:
            return f"{how}; it wrote nothing to its standard error"
        return f"{how}; the end of its standard error ({self.log}):\n{self.last_lines}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
