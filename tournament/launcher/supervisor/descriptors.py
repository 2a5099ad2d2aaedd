"""File descriptors that collide with none of those a bot is given."""

import fcntl
import os

_ABOVE = 10


def lift(fd: int) -> int:
    """Move a descriptor above the low numbers; it is closed on exec."""
    lifted = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    os.close(fd)
    return lifted


def pipe() -> tuple[int, int]:
    """Make a pipe: the end to read, the end to write."""
    reading, writing = os.pipe()
    return lift(reading), lift(writing)
