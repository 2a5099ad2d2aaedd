"""How far bot processes are kept from the runner and from each other."""

import os
import pwd
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

_TRIAL_SECONDS = 20.0
_EMPTIED = ("/tmp", "/var/tmp")  # noqa: S108  # what others may have left there
_THIS_PROGRAM = (Path(sys.base_prefix), Path(sys.prefix), Path(__file__).parents[2])
"""Where the interpreter and our own modules lie: house bots and bridges need both."""


class Isolation(Enum):
    """The level in force, from the weakest."""

    NONE = "none"
    USER = "user"
    NAMESPACE = "namespace"

    def describe(self) -> str:
        """Name the level, and say in one line what a bot can still reach."""
        match self:
            case Isolation.NONE:
                return (
                    "none: bots run under the runner's own user and can"
                    " read its files and each other's memory; trust them"
                )
            case Isolation.USER:
                return (
                    "user: bots run under another user and can reach"
                    " each other, not the runner's private files"
                )
            case Isolation.NAMESPACE:
                return (
                    "namespace: bots see a read-only system without"
                    " other processes or the run's folder; the network is shared"
                )


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of one bot process; None leaves the system's."""

    memory_bytes: int | None = None
    """Address space; runtimes that reserve much of it (Go, Java) need it unset."""
    open_files: int | None = 1024
    file_bytes: int | None = None
    """The largest file it may write; its captured output does not count."""
    processes: int | None = None
    """Processes of the bots' user together: the kernel counts by user."""

    def by_name(self) -> dict[str, int]:
        """Give the limits that are set, with core dumps off, by system name."""
        chosen = {
            "AS": self.memory_bytes,
            "NOFILE": self.open_files,
            "FSIZE": self.file_bytes,
            "NPROC": self.processes,
            "CORE": 0,
        }
        return {name: limit for name, limit in chosen.items() if limit is not None}


class IllegalConfinement(ValueError):
    """The wanted confinement is not possible here; the message says why."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is wanted for every bot process; `check` before relying on it."""

    user: str | None = None
    """Run bots as this user; only root can."""
    bubblewrap: bool = False
    """Run bots under `bwrap` in namespaces of their own."""
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Raise IllegalConfinement if this machine cannot do it."""
        if self.user is not None:
            if os.geteuid() != 0:
                message = f"bots can run as user {self.user!r} only if root starts them"
                raise IllegalConfinement(message)
            self.identity()
        elif self.limits.processes is not None:
            message = (
                "a limit of processes needs a user for the bots: the system counts"
                " all processes of a user together, the runner's included"
            )
            raise IllegalConfinement(message)
        if self.bubblewrap:
            _try_bubblewrap()

    def identity(self) -> tuple[int, int] | None:
        """Give the user and group ids of the bots, if they get their own."""
        if self.user is None:
            return None
        try:
            entry = pwd.getpwnam(self.user)
        except KeyError:
            message = f"there is no user {self.user!r} on this machine"
            raise IllegalConfinement(message) from None
        return entry.pw_uid, entry.pw_gid

    def wrap(
        self,
        command: tuple[str, ...],
        *,
        home: Path,
        directory: Path,
        hidden: Path | None = None,
    ) -> tuple[str, ...]:
        """Give the command as it is to be run; it sees `hidden` as an empty folder."""
        if not self.bubblewrap:
            return command
        options = _NAMESPACES.split()
        for emptied in _EMPTIED:
            options += ("--tmpfs", emptied)
        for needed in (*_THIS_PROGRAM, directory):
            if any(needed.is_relative_to(emptied) for emptied in _EMPTIED):
                options += ("--ro-bind", str(needed), str(needed))
        if hidden is not None:
            options += ("--tmpfs", str(hidden))
        options += ("--bind", str(home), str(home), "--chdir", str(directory))
        return (*options, "--", *command)


_NAMESPACES = (
    "bwrap --unshare-pid --unshare-ipc --unshare-uts --die-with-parent"
    " --ro-bind / / --dev /dev --proc /proc"
)


def _try_bubblewrap() -> None:
    """Many containers have the program and may not use it."""
    if shutil.which("bwrap") is None:
        message = "bubblewrap is wanted, but no program `bwrap` is on the PATH"
        raise IllegalConfinement(message)
    try:
        tried = subprocess.run(
            [*_NAMESPACES.split(), "true"],
            capture_output=True,
            text=True,
            timeout=_TRIAL_SECONDS,
            check=False,
        )
        trouble = tried.stderr.strip() if tried.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        trouble = str(error)
    if trouble:
        message = f"bwrap makes no namespaces here: {trouble}"
        raise IllegalConfinement(message)


def isolation(confinement: Confinement) -> Isolation:
    """Say which level a confinement that passed `check` puts in force."""
    if confinement.bubblewrap:
        return Isolation.NAMESPACE
    if confinement.user is not None:
        return Isolation.USER
    return Isolation.NONE
