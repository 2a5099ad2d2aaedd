"""What becomes of the lines of real processes, well-behaved and not."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ohhell_bot.errors import BadAnswer, BotFault, SettingsError
from ohhell_bot.stdio.child import Child
from ohhell_bot.stdio.schema import bid_of
from tests.doubles.command import BOTS
from tests.doubles.patience import PATIENCE_S


@contextmanager
def child(fault: str) -> Iterator[Child]:
    troubled = Troubled()
    started = Child(
        [sys.executable, str(BOTS / "lines.py"), fault], on_trouble=troubled.set
    )
    troubled.child = started
    try:
        yield started
    finally:
        started.close()


class Troubled(threading.Event):
    """Closes the child as a bridge does, from a thread of its own."""

    child: Child

    def set(self) -> None:
        super().set()
        threading.Thread(target=self.child.close).start()


def ask(bot: Child, name: str = "t.1.0.1", *, patience_s: float = PATIENCE_S) -> int:
    line = f'{{"ask":"bid","id":"{name}","legal":"0 1 2"}}'
    return bid_of(bot.ask(name, line, patience_s=patience_s))


@pytest.mark.parametrize(
    "fault",
    ["nothing", "speaks_on_stderr", "in_pieces", "without_id", "twice", "late"],
)
def test_a_bot_that_answers_each_question_somehow_is_understood(fault: str) -> None:
    with child(fault) as bot:
        assert [ask(bot, f"t.{seq}.0.1") for seq in range(5)] == [0] * 5
        assert bot.trouble == ""


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("noise", "wrote 'thinking about t.1.0.1', which is no JSON object"),
        ("huge", "a line of more than 65536 bytes"),
        ("nested", "wrote 'bid' as a list or an object"),
        ("deep", "which is no JSON object"),
        ("no_text", "which is no JSON object"),
        ("wrong_key", "the answer to a question 'bid' has no 'bid': answer, id"),
        ("no_card", "bid is '10H', which is not a whole number"),
    ],
)
def test_a_line_that_is_no_answer_is_told_to_whoever_asked(
    fault: str, said: str
) -> None:
    with child(fault) as bot:
        with pytest.raises(BadAnswer, match=said):
            ask(bot)
        assert bot.trouble == ""


def test_an_answer_to_an_old_question_is_left_aside() -> None:
    with child("answers_the_previous") as bot:
        assert [ask(bot, f"t.{seq}.0.1") for seq in range(5)] == [0] * 5


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("ends", "the bot ended with status 7"),
        ("is_killed", "the bot ended by signal 6"),
        ("closes", "the bot closed its standard output"),
        ("flood", "the bot floods: more than 100 lines"),
    ],
)
def test_the_end_of_a_bot_is_told_to_whoever_asks(fault: str, said: str) -> None:
    with child(fault) as bot:
        with pytest.raises(BotFault, match=said):
            ask(bot)
        with pytest.raises(BotFault, match=said):
            ask(bot)


def test_a_bot_that_hangs_is_waited_for_as_long_as_was_said() -> None:
    with child("hangs") as bot:
        with pytest.raises(BotFault, match=r"hangs: no answer to t.1.0.1 in 0.1 s"):
            ask(bot, patience_s=0.1)
        assert bot.trouble


@pytest.mark.parametrize("first", ["", "trap '' TERM;"])
def test_what_a_command_has_started_ends_with_it(tmp_path: Path, first: str) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    bot = Child(["sh", "-c", f"({first} exec sleep 1000 > {fifo}); true"])
    try:
        held = fifo.open("rb")
    finally:
        bot.close()
    with held:
        ended, _, _ = select.select([held], [], [], PATIENCE_S)
        assert ended


def test_a_command_that_is_no_program_is_named() -> None:
    with pytest.raises(SettingsError, match="cannot start '/no/such'"):
        Child(["/no/such"])


def said(number: str) -> int:
    """What a child that bids the value of this expression bids."""
    script = (
        "import os, json; asked = json.loads(input());"
        f" print(json.dumps({{'id': asked['id'], 'bid': {number}}}))"
    )
    bot = Child([sys.executable, "-c", script])
    try:
        return ask(bot)
    finally:
        bot.close()


def test_a_child_gets_no_token_of_its_bridge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OHHELL_BOT_TOKEN", "secret")
    assert said("sum(name.startswith('OHHELL_BOT') for name in os.environ)") == 0


def test_a_signal_to_a_bridge_and_its_group_leaves_the_bot_to_the_bridge() -> None:
    assert said("int(os.getpgrp() == os.getpid())") == 1


def test_a_question_that_is_repeated_while_it_is_open_is_asked_once() -> None:
    got: list[int] = []
    with child("late") as bot:
        threads = [
            threading.Thread(target=lambda: got.append(ask(bot))) for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S / 3)
        assert bot.trouble == ""
    assert got == [0, 0]


def test_questions_from_many_threads_get_their_own_answers() -> None:
    got: dict[int, int] = {}
    with child("nothing") as bot:

        def work(number: int) -> None:
            line = f'{{"ask":"bid","id":"q{number}","legal":"{number}"}}'
            got[number] = bid_of(bot.ask(f"q{number}", line, patience_s=PATIENCE_S))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert got == {n: n for n in range(20)}
