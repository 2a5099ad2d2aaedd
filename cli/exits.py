"""How commands end: codes, and mistakes told in one line instead of a traceback."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import NoReturn

import typer


class ExitCode(IntEnum):
    """What the exit status of `ohhell` says."""

    DONE = 0
    FAILED = 1
    """What was checked is not right; also: faults, under --strict."""
    MISTAKE = 2
    """The command, a file or a setting is wrong; nothing was done."""
    SUSPENDED = 3
    """The tournament has ended, with bots that cannot go on like this."""
    INTERRUPTED = 4
    """The tournament can be resumed."""
    OURS = 5
    """A fault of this program or machine; the tournament can be resumed."""
    UNDECIDED = 6
    """All was played, and does not tell which of two bots is better."""


def fail(message: object, code: ExitCode = ExitCode.MISTAKE) -> NoReturn:
    """Say what is wrong on standard error, and end."""
    for line in str(message).splitlines():
        typer.echo(f"ohhell: {_printable(line)}", err=True)
    raise typer.Exit(code)


def told_by_system(error: OSError) -> str:
    """Say what the system refused, and of which file if it is known."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def not_started(program: str, error: OSError) -> str:
    """Say why a program cannot be started, and what would help."""
    path = Path(program)
    if path.is_dir():
        return f"{program} cannot be started: it is a folder; name a program in it"
    told = f"{program} cannot be started: {error.strerror or error}"
    if isinstance(error, PermissionError) and path.is_file():
        return f"{told}; make it executable: chmod +x {program}"
    if isinstance(error, FileNotFoundError) and "/" not in program:
        return f"{told} on the PATH; with ./ before it, it is one in this folder"
    return told


def _printable(line: str) -> str:
    """Escape what a terminal would obey: messages quote files and bots."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in line
    )
