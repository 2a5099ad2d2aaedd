"""`ohhell play` and `ohhell simulate` at a real terminal of 80 columns."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.doubles.patience import PATIENCE_S
from tests.doubles.person import WIDTH, Person, plain, width


class PseudoTerminal:
    """A child under a terminal; `text` is all that the terminal has shown."""

    def __init__(self, arguments: list[str], env: dict[str, str]) -> None:
        self._end, child_end = pty.openpty()
        size = struct.pack("HHHH", 24, WIDTH, 0, 0)
        fcntl.ioctl(child_end, termios.TIOCSWINSZ, size)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            stdin=child_end,
            stdout=child_end,
            stderr=child_end,
            env={**os.environ, "PYTHONUTF8": "1", "TERM": "xterm", **env},
            start_new_session=True,
        )
        os.close(child_end)
        self.text = ""
        self._raw = b""

    def until_prompt(self) -> str | None:
        """Read until a prompt waits; give it, or None when the child has ended."""
        while self._read():
            prompt = self.text.rsplit("\n", 1)[-1]
            if plain(prompt).endswith(": "):
                return plain(prompt)
        return None

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._end, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press a key that is no letter."""
        os.write(self._end, key)

    def rest(self) -> int:
        """Read to the end; give the exit status."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._end], [], [], PATIENCE_S)
        assert ready, f"nothing came for {PATIENCE_S} s after:\n{self.text[-2000:]}"
        try:
            data = os.read(self._end, 65536)
        except OSError:
            return False
        self._raw += data
        self.text = self._raw.decode(errors="ignore").replace("\r\n", "\n")
        return bool(data)

    def close(self) -> None:
        """Let nothing of it live on."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._end)


@contextmanager
def terminal(*arguments: str, **env: str) -> Iterator[PseudoTerminal]:
    opened = PseudoTerminal(list(arguments), env)
    try:
        yield opened
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("preset", "more"),
    [
        ("simple_standard", ["--players", "5"]),
        ("simultaneous", ["--players", "7", "--seat", "6"]),
        ("ninety_nine", []),
        ("wizard", ["--players", "6", "--set", "deal_high=6"]),
        ("blackout_jokers", ["--set", "deal_count=4"]),
        ("clag_short", ["--players", "3", "--set", "forehead=all_one_card"]),
        ("la_pocha", ["--players", "6", "--ascii"]),
        ("bust", ["--set", "deal_high=4", "--set", "no_bid_at_score=20"]),
    ],
)
def test_a_match_is_played_to_its_end_at_a_terminal(
    preset: str, more: list[str]
) -> None:
    options = ["--preset", preset, "--seed", "7", "--bots", "lowest,random", *more]
    person = Person(seed=5, mischief=0.1)
    with terminal("play", *options, NO_COLOR="") as at:
        while (prompt := at.until_prompt()) is not None:
            line = person.answer(at.text, prompt)
            # What a terminal cannot take as a line is for the test below.
            at.type(line if len(prompt) + len(line) < WIDTH and line.isascii() else "x")
        assert at.rest() == 0, at.text[-2000:]
    text = plain(at.text)
    assert "The match is over" in text
    assert text.rstrip().endswith((" wins.", " win together.", "You win."))
    assert "Traceback" not in text
    assert person.rejected
    assert [line for line in text.split("\n") if width(line) > WIDTH] == []


def test_hearts_and_diamonds_are_red_unless_colours_are_not_wanted() -> None:
    for colours, env in ((True, ""), (False, "1")):
        with terminal("play", "--seed", "1", NO_COLOR=env) as at:
            at.until_prompt()
            at.type("quit")
            assert at.rest() == 0
        assert ("\x1b[31m" in at.text) is colours
        assert "You leave the table." in at.text


def test_strange_input_is_explained_and_asked_again() -> None:
    strange = (b"\xff\xfe", "組組♠é".encode(), b"\x00", b"7" * 900)
    with terminal("play", "--seed", "1") as at:
        at.until_prompt()
        for times, typed in enumerate(strange, start=1):
            at.press(typed + b"\n")
            while at.text.count("is no bid") < times:
                assert at.until_prompt() is not None
        at.type("quit")
        assert at.rest() == 0
    assert "Traceback" not in at.text


@pytest.mark.parametrize(("key", "status"), [(b"\x04", 0), (b"\x03", 130)])
def test_the_keys_that_end_input_leave_the_table_cleanly(
    key: bytes, status: int
) -> None:
    with terminal("play", "--seed", "1") as at:
        at.until_prompt()
        if key == b"\x03":
            # A session of its own has no controlling terminal to make it a signal.
            at.process.send_signal(signal.SIGINT)
        else:
            at.press(key)
        assert at.rest() == status
    assert "You leave the table." in at.text
    assert "Traceback" not in at.text


def test_a_simulation_tells_how_far_it_is_and_can_be_stopped() -> None:
    options = ["--bots", "lowest", "--matches", "1000000", "--seed", "3"]
    with terminal("simulate", *options) as at:
        deadline = time.monotonic() + PATIENCE_S
        while "/1000000" not in plain(at.text):
            assert time.monotonic() < deadline
            assert at._read()
        at.process.send_signal(signal.SIGINT)
        assert at.rest() == 130
    assert "time left" in plain(at.text)
    assert "stopped after" in at.text
    assert "points/deal" in at.text
    assert "Traceback" not in at.text
