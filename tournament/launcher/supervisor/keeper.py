"""The parent of one bot: captures its output, stops it, leaves nothing behind."""

import contextlib
import os
import select
import signal
import socket
import time

from .birth import BirthFailed, give_birth
from .brood import Brood
from .capture import Capture
from .descriptors import pipe
from .messages import Exited, Failed, Message, Start, Started, Stop, decode, encode
from .wakeup import Wakeup

_CHUNK = 64 * 1024
_TICK = 1.0


class _Line:
    """The keeper's connection to the runner."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""
        self.fd = connection.fileno()

    def receive(self) -> list[Message] | None:
        """Read what has come; None at the end of file: the runner is gone."""
        try:
            data = self._connection.recv(_CHUNK)
        except ConnectionError:
            return None
        if not data:
            return None
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return [decode(line) for line in lines]

    def send(self, message: Message) -> None:
        with contextlib.suppress(ConnectionError):  # nobody is left to be told
            self._connection.sendall(encode(message))


class _Output:
    """One of the bot's output streams, copied into its log."""

    def __init__(self, path: str) -> None:
        self.log = Capture(path)
        self.reading, self.writing = pipe()
        os.set_blocking(self.reading, False)

    def copy(self) -> bool:
        """Take one portion; False at the end of the stream."""
        try:
            data = os.read(self.reading, _CHUNK)
        except BlockingIOError:
            return True
        self.log.write(data)
        return bool(data)

    def drain(self) -> None:
        """Take what is left in the pipe, without waiting for a writer."""
        while True:
            try:
                data = os.read(self.reading, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                return
            self.log.write(data)


class Keeper:
    """Runs one bot process from its start to the end of its last descendant."""

    def __init__(self, connection: socket.socket, *, contains: bool) -> None:
        self._line = _Line(connection)
        self._brood = Brood(contains=contains)
        self._wakeup = Wakeup()
        self._deadline: float | None = None

    def run(self) -> None:
        """Serve one `Start`."""
        start = self._first_message()
        if start is None:
            return
        out, err = _Output(start.out_log), _Output(start.err_log)
        try:
            bot = give_birth(start, out=out.writing, err=err.writing)
        except BirthFailed as failure:
            self._line.send(Failed(failure.step, failure.errno))
            return
        finally:
            os.close(out.writing)
            os.close(err.writing)
        self._brood.born.add(bot)
        self._line.send(Started(bot))
        self._watch(bot, outputs=(out, err))
        self._brood.kill()
        for output in (out, err):
            output.drain()
            output.log.close()
        status = self._brood.statuses[bot]
        problem = out.log.error or err.log.error
        self._line.send(Exited(status, err.log.last_lines(), problem))

    def _first_message(self) -> Start | None:
        while (messages := self._line.receive()) is not None:
            for message in messages:
                if isinstance(message, Start):
                    return message
        return None

    def _watch(self, bot: int, *, outputs: tuple[_Output, ...]) -> None:
        """Return when the bot has ended or has to."""
        poll = select.poll()
        by_fd = {output.reading: output for output in outputs}
        for fd in (self._line.fd, self._wakeup.fd, *by_fd):
            poll.register(fd, select.POLLIN)
        while bot not in self._brood.statuses:
            for fd, _ in poll.poll(self._patience(by_fd) * 1000):
                if fd in by_fd:
                    if not by_fd[fd].copy():
                        poll.unregister(fd)
                        del by_fd[fd]
                elif fd == self._line.fd:
                    if not self._obey(bot):
                        return
                elif signal.SIGTERM in self._wakeup.signals():
                    return
            if self._deadline is not None and time.monotonic() >= self._deadline:
                return
            self._brood.reap()
            for output in outputs:
                output.log.rewrite_if_due()

    def _patience(self, by_fd: dict[int, _Output]) -> float:
        """Seconds to sleep: no tick is needed for a bot that keeps quiet."""
        if self._deadline is not None:
            return max(0.0, min(_TICK, self._deadline - time.monotonic()))
        return _TICK if any(o.log.behind for o in by_fd.values()) else 3600.0

    def _obey(self, bot: int) -> bool:
        messages = self._line.receive()
        if messages is None:
            return False
        for message in messages:
            if isinstance(message, Stop):
                until = time.monotonic() + message.grace
                if self._deadline is None:
                    self._deadline = until
                    self._ask_to_end(bot)
                self._deadline = min(self._deadline, until)
        return True

    def _ask_to_end(self, bot: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(bot, signal.SIGTERM)
