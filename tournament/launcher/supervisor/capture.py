"""A log that keeps the beginning and the end of what a bot prints."""

import os
import time

HEAD = TAIL = 512 * 1024
"""Bytes kept of the beginning and of the end."""
RECENT = 4096
"""Bytes kept in memory for the message about how a bot ended."""
_REWRITE_SECONDS = 1.0
_GAP = b"\n--- left out here, in bytes: %d ---\n"
_AGAIN = b"--- started again ---\n"


class Capture:
    """One stream of one bot in a file of at most HEAD + TAIL bytes and one line.

    Opened again, it goes on where it was, so restarts do not multiply the limit. A
    file that cannot be written loses text, never the bot: `error` says why.
    """

    def __init__(self, path: str) -> None:
        self.error: str | None = None
        self._recent = b""
        self._tail = bytearray()
        self._left_out = 0
        self._size = 0
        self._next_rewrite = 0.0
        self.behind = False
        """Whether the file lacks the newest of the end."""
        self._file = -1
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._take_up()
        except OSError as error:
            self.error = error.strerror

    def _take_up(self) -> None:
        size = os.fstat(self._file).st_size
        self._size = min(size, HEAD)
        if size > HEAD:
            rest = os.pread(self._file, size - HEAD, HEAD)
            gap, _, tail = rest[1:].partition(b"\n")
            count = gap.removesuffix(b" ---").rpartition(b" ")[2]
            self._left_out = int(count) if count.isdigit() else 0
            self._tail += tail
        if size:
            self.write(_AGAIN)
            self._recent = b""

    def write(self, data: bytes) -> None:
        """Take what the bot printed."""
        self._recent = (self._recent + data[-RECENT:])[-RECENT:]
        if self._size < HEAD:
            head, data = data[: HEAD - self._size], data[HEAD - self._size :]
            self._put(head, at=self._size)
            self._size += len(head)
        if data:
            self._tail += data
            self.behind = True
            if len(self._tail) > 2 * TAIL:
                self._trim()

    def _trim(self) -> None:
        surplus = len(self._tail) - TAIL
        if surplus > 0:
            self._left_out += surplus
            del self._tail[:surplus]

    def rewrite_if_due(self) -> None:
        """Bring the end on disk up to date, at most once a second."""
        if self.behind and time.monotonic() >= self._next_rewrite:
            self._rewrite()
            self._next_rewrite = time.monotonic() + _REWRITE_SECONDS

    def _rewrite(self) -> None:
        self._trim()
        self.behind = False
        gap = _GAP % self._left_out
        self._put(gap + self._tail, at=HEAD)
        # A gap line grows with its number, a tail never shrinks: nothing to cut off.

    def _put(self, data: bytes, *, at: int) -> None:
        try:
            while data:
                written = os.pwrite(self._file, data, at)
                data, at = data[written:], at + written
        except OSError as error:
            self.error = self.error or error.strerror

    def last_lines(self) -> str:
        """Give the last lines, as far as they are kept in memory."""
        text = self._recent.decode("utf-8", "replace")
        if len(self._recent) == RECENT:
            text = text.partition("\n")[2] or text
        return text.strip("\n")

    def close(self) -> None:
        """Write the end and close the file."""
        if self.behind:
            self._rewrite()
        if self._file >= 0:
            os.close(self._file)
