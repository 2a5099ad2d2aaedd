"""Signals as something to poll for."""

import os
import signal

from .descriptors import pipe


def _heard(signum: int, frame: object) -> None:
    """Do nothing: the wake-up descriptor carries the signal."""


class Wakeup:
    """Makes SIGTERM and SIGCHLD readable on `fd`; SIGINT is the runner's business."""

    def __init__(self) -> None:
        self.fd, writing = pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for signum in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(signum, _heard)

    def signals(self) -> set[int]:
        """Take the signals that have come."""
        try:
            return set(os.read(self.fd, 4096))
        except BlockingIOError:
            return set()
