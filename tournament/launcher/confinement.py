"""How far bot processes are kept from the runner and from each other."""

import os
import pwd
import shutil
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class Isolation(Enum):
    """The level in force, from the weakest; `describe` is what is printed."""

    NONE = "none"
    USER = "user"
    NAMESPACE = "namespace"

    def describe(self) -> str:
        """Say in one line what a bot can still reach."""
        match self:
            case Isolation.NONE:
                return (
                    "isolation = none: bots run under the runner's own user and can"
                    " read its files and each other's memory; trust them"
                )
            case Isolation.USER:
                return (
                    "isolation = user: bots run under another user and can reach"
                    " each other, not the runner's private files"
                )
            case Isolation.NAMESPACE:
                return (
                    "isolation = namespace: bots see a read-only system without"
                    " other processes; the network is shared"
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
        if self.bubblewrap and shutil.which("bwrap") is None:
            message = "bubblewrap is wanted, but no program `bwrap` is on the PATH"
            raise IllegalConfinement(message)

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
        self, command: tuple[str, ...], *, home: Path, directory: Path
    ) -> tuple[str, ...]:
        """Give the command as it is to be run."""
        if not self.bubblewrap:
            return command
        options = (
            "bwrap --unshare-pid --unshare-ipc --unshare-uts --die-with-parent"
            " --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /var/tmp"
        )
        folders = ("--bind", str(home), str(home), "--chdir", str(directory))
        return (*options.split(), *folders, "--", *command)


def isolation(confinement: Confinement) -> Isolation:
    """Say which level a confinement that passed `check` puts in force."""
    if confinement.bubblewrap:
        return Isolation.NAMESPACE
    if confinement.user is not None:
        return Isolation.USER
    return Isolation.NONE
