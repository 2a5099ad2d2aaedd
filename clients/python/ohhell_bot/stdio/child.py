"""The bot's process: lines in, lines out, and what becomes of each."""

from __future__ import annotations

import logging
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final

from ohhell_bot.errors import BadAnswer, BotFault, SettingsError
from ohhell_bot.settings import PREFIX
from ohhell_bot.stdio.schema import LONGEST_LINE, Spoken, read_line, shortened

MOST_IDLE_LINES: Final = 100
IDLE_LINES_WITHIN_S: Final = 2.0
"""More lines in it that answer nothing are a flood."""
LOGGED_IDLE_LINES: Final = 20
"""Such lines that are told of; a bot may write many more of them."""
END_WITHIN_S: Final = 1.0
"""What a process gets to end in once its input has ended, and again once told to."""

_log: Final = logging.getLogger("ohhell_bot")


class Child:
    """A bot process, asked from any number of threads.

    Once it has ended, hung or flooded, `trouble` says so.
    """

    def __init__(
        self, command: Sequence[str], *, on_trouble: Callable[[], None] | None = None
    ) -> None:
        """SettingsError where the command cannot be started.

        `on_trouble` is called once, from a thread, when the process is of no use any
        more; questions go on waiting until `close`, so that nobody mistakes the end for
        an answer. Without it the child is closed at once.
        """
        self.trouble = ""
        self._on_trouble = on_trouble or self.close
        self._lock = threading.Lock()
        self._open: dict[str, Future[Spoken]] = {}
        """Questions without an answer by id, newest last."""
        self._outgoing: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._idle_since = 0.0
        self._idle = 0
        self._logged = 0
        self._closed = False
        self._process = _started(command)
        self._threads = [
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in (
                (self._read, self._process.stdout),
                (self._write, self._process.stdin),
            )
        ]
        for thread in self._threads:
            thread.start()

    def tell(self, line: str) -> None:
        """Sends a line that wants no answer; never waits."""
        self._outgoing.put(line)

    def ask(self, question: str, line: str, *, patience_s: float | None) -> Spoken:
        """Sends a question and waits for its answer.

        A question that is open already is not sent again: a stream that was lost has
        it repeated on the next, and both who ask get the one answer. BadAnswer for a
        line that is none, BotFault after `close`. No answer within `patience_s` is
        trouble.
        """
        with self._lock:
            if self._closed:
                raise BotFault(self.trouble)
            answer = self._open.get(question)
            if answer is None:
                answer = self._open[question] = Future()
                self._outgoing.put(line)
        try:
            return answer.result(patience_s)
        except TimeoutError:
            self._give_up(f"hangs: no answer to {question} in {patience_s:g} s")
            return answer.result()

    def close(self) -> None:
        """Ends the process: its input first, then by signals."""
        with self._lock:
            is_first, self._closed = not self._closed, True
            self.trouble = self.trouble or "the bot was told to end"
            left, self._open = list(self._open.values()), {}
        for answer in left:
            answer.set_exception(BotFault(self.trouble))
        self._outgoing.put(None)
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_WITHIN_S)
                break
        if is_first:
            # What it has started may heed no signal that ended it. Much later its
            # number could be another's.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(END_WITHIN_S)

    def _signal(self, number: signal.Signals) -> None:
        """To its whole group: behind a command there is often a shell, then the bot."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            with pipe:
                while (line := self._outgoing.get()) is not None:
                    pipe.write(f"{line}\n".encode())
                    pipe.flush()
        except OSError:
            pass  # It has ended or closed its input: reading tells which.

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    while line and not line.endswith(b"\n"):
                        line = pipe.readline(LONGEST_LINE)
                    self._heard(
                        BadAnswer(f"wrote a line of more than {LONGEST_LINE} bytes")
                    )
                elif line.strip():
                    self._hear(line)
                if self._idle > MOST_IDLE_LINES:
                    self._give_up(
                        f"floods: more than {MOST_IDLE_LINES} lines that answer"
                        f" nothing in {IDLE_LINES_WITHIN_S:g} s"
                    )
                    return
        self._give_up(self._how_it_ended())

    def _hear(self, line: bytes) -> None:
        try:
            spoken = read_line(line)
        except BadAnswer as error:
            self._heard(error)
            return
        with self._lock:
            question = spoken.id or next(reversed(self._open), "")
            answer = self._open.pop(question, None)
        if answer is None:
            self._count_idle(f"wrote {shortened(line)}, which answers no open question")
        else:
            answer.set_result(spoken)

    def _heard(self, error: BadAnswer) -> None:
        """A line that is no answer is taken for one to the newest question."""
        with self._lock:
            answer = self._open.popitem()[1] if self._open else None
        if answer is None:
            self._count_idle(str(error))
        else:
            answer.set_exception(error)

    def _count_idle(self, why: str) -> None:
        now = monotonic()
        if now > self._idle_since + IDLE_LINES_WITHIN_S:
            self._idle_since, self._idle = now, 0
        self._idle += 1
        self._logged += 1
        if self._logged <= LOGGED_IDLE_LINES:
            _log.warning("left aside: the bot %s", why)
        if self._logged == LOGGED_IDLE_LINES:
            _log.warning("further lines like this are left aside silently")

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(END_WITHIN_S)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return f"ended {how}"

    def _give_up(self, why: str) -> None:
        with self._lock:
            if self.trouble:
                return
            self.trouble = f"the bot {why}"
        self._on_trouble()


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # What ends the bridge, ^C or its launcher, is for the bridge to pass on: a
            # bot that ended first would be one that has failed.
            process_group=0,
            env=_without_ours(os.environ),
        )
    except OSError as error:
        told = "it is a folder" if Path(command[0]).is_dir() else error.strerror
        raise SettingsError(f"cannot start {command[0]!r}: {told or error}") from None


def _without_ours(environment: Mapping[str, str]) -> dict[str, str]:
    """The bot has no use for the address and must not get the token."""
    return {k: v for k, v in environment.items() if not k.startswith(PREFIX)}
