"""`ohhell bot check` finds what was planted, and nothing in bots without a fault."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.doubles.command import BOTS, Ohhell
from tests.project.tree import ROOT

TEMPLATES = ROOT / "cli/bot/new/templates"
FEW = (
    "pagat_standard,wizard,blackout_jokers,ninety_nine,blackout,devils_bridge,"
    "simultaneous"
)
SECONDS = "60"
"""Half of it is twice what a limit and a bank take, and a start on a busy machine."""


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def checked(ohhell: Ohhell, *arguments: str) -> dict[str, dict[str, Any]]:
    """Findings by case."""
    ended = ohhell.run("bot", "check", "--json", *arguments)
    assert ended.stdout, ended.stderr
    document = json.loads(ended.stdout)
    assert ended.returncode == (0 if document["passed"] else 1)
    assert ohhell.no_process_is_left()
    return {finding["case"]: finding for finding in document["cases"]}


def python(script: str, *arguments: str) -> list[str]:
    return ["--", sys.executable, str(BOTS / f"{script}.py"), *arguments]


PLANTED = {
    "bids": python("faulty", "BidsAboveHand"),
    "hooked-bids": python("faulty", "IgnoresHook"),
    "zero-bids": python("faulty", "ZeroIsNoBid"),
    "forced-cards": python("faulty", "NeverFollows"),
    "cards": python("illegal_card"),
    "joker-calls": python("raw", "without_call"),
    "hidden-cards": python("raw", "names_the_hidden_card"),
    "one-answer": python("raw", "twice"),
    "in-time": python("hang_forever"),
    "to-the-end": python("crash_after", "20"),
    "starts": python("exits_at_once"),
    "bank": python("raw", "gives_up_short_limits"),
    "heartbeats": python("raw", "never_says_that_it_is_there"),
    "reconnects": python("raw", "cannot_reconnect"),
    "repeated-prompt": python("raw", "answers_each_prompt_once"),
    "drain": python("raw", "leaves_when_warned"),
    "many-tables": python("faulty", "MixesUpSeats"),
    "canary": python("faulty", "KeepsState"),
    "memory": python("faulty", "Leaks"),
    "ends": python("faulty", "IgnoresSigterm"),
}
"""A bot with a fault for the case that must find it."""

ALSO_PLANTED = [
    ("one-answer", python("raw", "the_previous_prompt")),
    ("one-answer", python("raw", "the_next_prompt")),
    ("one-answer", python("raw", "floods")),
    ("to-the-end", python("garbage")),
    ("to-the-end", python("faulty", "CannotDoTwoMatches")),
    ("in-time", python("slow", "12000")),
    ("in-time", python("freeze_after", "10")),
    ("many-tables", python("raw", "answers_for_its_first_seat")),
    ("expired", python("raw", "gives_up_short_limits")),
    ("reconnects", python("raw", "forgets_what_it_played")),
    ("restart", python("raw", "cannot_reconnect")),
    ("cards", python("raise_after", "20")),
    ("bids", ["--protocol", "stdio", *python("lines", "noise")]),
    ("bids", ["--protocol", "stdio", *python("lines", "no_text")]),
    ("to-the-end", ["--protocol", "stdio", *python("lines", "ends")]),
    ("to-the-end", ["--protocol", "stdio", *python("lines", "flood")]),
    ("in-time", ["--protocol", "stdio", *python("lines", "hangs")]),
]


def names(planted: tuple[str, list[str]]) -> str:
    case, command = planted
    words = command[command.index("--") + 2 :]
    return "-".join([case, Path(words[0]).stem, *words[1:]])


@pytest.mark.slow
@pytest.mark.parametrize("planted", [*PLANTED.items(), *ALSO_PLANTED], ids=names)
def test_what_was_planted_is_found(
    ohhell: Ohhell, planted: tuple[str, list[str]]
) -> None:
    case, command = planted
    # Whether memory grows is told only of whole batches.
    seconds = "600" if case == "memory" else SECONDS
    found = checked(
        ohhell, "--only", case, "--presets", FEW, "--seconds", seconds, *command
    )
    assert found[case]["verdict"] == "failed", found
    assert found[case]["failures"]


def starters() -> dict[str, list[str]]:
    stdio = ["--protocol", "stdio", "--"]
    return {
        "first_bot": [
            "--",
            sys.executable,
            str(ROOT / "examples/python_bot/first_bot.py"),
        ],
        "greedy": ["--", sys.executable, "-m", "bots", "greedy"],
        "python-stdio": [
            *stdio,
            sys.executable,
            str(TEMPLATES / "python-stdio/bot.py"),
        ],
        "perl": [*stdio, "perl", str(TEMPLATES / "perl/bot.pl")],
        "bash": [*stdio, "bash", str(TEMPLATES / "bash/bot.sh")],
    }


@pytest.mark.slow
@pytest.mark.parametrize("starter", starters())
def test_nothing_is_found_in_a_bot_without_a_fault(
    ohhell: Ohhell, starter: str
) -> None:
    command = starters()[starter]
    if shutil.which(command[command.index("--") + 1]) is None:
        pytest.skip(f"there is no {starter}")
    # So many that no case has to do without what it needs, on whatever machine.
    found = checked(ohhell, "--presets", FEW, "--seconds", "600", *command)
    failed = {c: f["failures"] for c, f in found.items() if f["verdict"] == "failed"}
    assert failed == {}, failed
    met = {case for case, finding in found.items() if finding["verdict"] == "passed"}
    assert set(PLANTED) <= met


@pytest.mark.slow
def test_nothing_is_said_of_a_bot_that_there_was_no_time_for(ohhell: Ohhell) -> None:
    cases = ["in-time", "to-the-end", "many-tables"]
    only = [word for case in cases for word in ("--only", case)]
    found = checked(
        ohhell,
        # Half of it is too short for a limit and a bank.
        *(*only, "--presets", "pagat_standard", "--seconds", "20"),
        *python("hang_forever"),
    )
    assert {case: found[case]["verdict"] for case in cases} == dict.fromkeys(
        cases, "skipped"
    )
    assert "try longer" in found["in-time"]["detail"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "then"),
    [
        (python("raw", "never_says_that_it_is_there"), ("failed", "skipped")),
        (["--", sys.executable, "-m", "bots", "greedy"], ("passed", "passed")),
    ],
    ids=["faulty", "without a fault"],
)
def test_no_case_begins_after_a_failure_once_the_time_is_over(
    ohhell: Ohhell, command: list[str], then: tuple[str, str]
) -> None:
    cases = ("starts", "heartbeats", "ends")
    only = [word for case in cases for word in ("--only", case)]
    # The second case takes longer, whatever the bot does.
    found = checked(ohhell, *only, "--seconds", "1", *command)
    assert list(found) == list(cases)
    assert (found["heartbeats"]["verdict"], found["ends"]["verdict"]) == then


@pytest.mark.slow
def test_a_process_that_ends_between_two_cases_is_no_fault_of_the_later(
    ohhell: Ohhell,
) -> None:
    cases = ("starts", "bank", "repeated-prompt")
    only = [word for case in cases for word in ("--only", case)]
    found = checked(ohhell, *only, *python("faulty", "EndsAfterItsMatch"))
    assert found["bank"]["verdict"] == "passed"
    (failure,) = found["repeated-prompt"]["failures"]
    assert failure["what"].startswith(
        "between two cases, after bank and before it answered anything here, its"
        " process exited with status 1"
    )
    # One that ends of its first question is to blame where it was asked.
    found = checked(ohhell, *only, *python("crash_after", "0"))
    (failure,) = found["bank"]["failures"]
    assert "its process exited with status" in failure["what"]
    assert "between" not in failure["what"]


@pytest.mark.slow
def test_an_answer_of_nothing_is_told_with_its_likely_cause(ohhell: Ohhell) -> None:
    found = checked(
        ohhell,
        *("--only", "cards", "--presets", "pagat_standard", "--seconds", SECONDS),
        *python("raise_after", "20"),
    )
    first, again = found["cards"]["failures"][:2]
    assert "when a bot's method throws" in first["rule"]
    assert "attempt 1: neither bid nor card" in first["answer"]
    assert "attempt 2: neither bid nor card" in again["answer"]


@pytest.mark.slow
def test_chance_of_its_own_is_no_memory(ohhell: Ohhell) -> None:
    command = python("faulty", "DrawsItsOwnChance")
    found = checked(ohhell, "--only", "canary", *command)
    assert found["canary"]["verdict"] == "skipped"
    assert "bot_seed" in found["canary"]["detail"]


def test_a_failure_tells_prompt_answer_rule_and_how_to_see_it_again(
    ohhell: Ohhell,
) -> None:
    command = python("faulty", "IgnoresHook")
    junit = ohhell.folder / "junit.xml"
    ended = ohhell.run(
        *("bot", "check", "--only", "hooked-bids", "--presets", "blackout"),
        *("--seed", "5", "--junit", str(junit), *command),
    )
    assert ended.returncode == 1, ended.stderr
    said = ended.stdout
    assert "FAILED hooked-bids" in said
    assert "prompt:  table blackout-0 seat" in said
    assert "rule:    BID_HOOKED:" in said
    again = "again:   ohhell bot check --only hooked-bids --seed 5 --presets blackout"
    assert again in said
    suite = ET.parse(junit).getroot()  # noqa: S314 - it is our own
    (case,) = suite.findall("testcase")
    assert case.get("name") == "hooked-bids"
    assert case.find("failure") is not None


@contextlib.contextmanager
def served(ohhell: Ohhell, *flags: str) -> Iterator[str]:
    """The address of a bot that waits to be called."""
    bot = subprocess.Popen(
        [sys.executable, "-m", "bots", "lowest", "--serve", "127.0.0.1:0", *flags],
        cwd=ohhell.folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    with bot:
        assert bot.stdout is not None
        yield bot.stdout.readline().split()[-1]
        bot.terminate()


def test_a_bot_with_a_certificate_is_checked_by_who_trusts_it(ohhell: Ohhell) -> None:
    assert ohhell.run("cert", "new").returncode == 0
    own = ("--certificate", "server.pem", "--key", "server-key.pem")
    words = ["bot", "check", "--only", "reconnects", "--seed", "5"]
    with served(ohhell, *own) as address:
        words += ["--address", address]
        trusting = ohhell.run(*words, "--ca-file", "ca.pem")
        doubting = ohhell.run(*words, "--tls")
        unencrypted = ohhell.run(*words)
    assert trusting.returncode == 0, trusting.stdout
    assert doubting.returncode == unencrypted.returncode == 1
    assert "its certificate is not to be trusted" in doubting.stdout
    assert "what listens there does not speak gRPC" in unencrypted.stdout


def test_a_bot_that_listens_and_one_that_is_started_elsewhere_are_checked(
    ohhell: Ohhell,
) -> None:
    cases = ["--only", "reconnects", "--only", "restart", "--only", "ends"]
    with served(ohhell) as address:
        ended = ohhell.run("bot", "check", "--json", *cases, "--address", address)
    assert ended.returncode == 0, ended.stdout
    verdicts = [case["verdict"] for case in json.loads(ended.stdout)["cases"]]
    assert verdicts == ["passed", "passed", "skipped"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say how to reach the bot: -- COMMAND, or --address, or --listen"),
        (["--only", "zero-bid", "--", "x"], "did you mean zero-bids?"),
        (["--presets", "wizzard", "--", "x"], "did you mean wizard?"),
        (["--address", "nowhere"], "'nowhere' is not HOST:PORT"),
        (
            ["--tls", "--", "x"],
            "--tls is for a bot that is called: --address HOST:PORT",
        ),
        (
            ["--address", "127.0.0.1:1", "--ca-file", "none.pem"],
            "--ca-file none.pem: No such file or directory",
        ),
        (["--protocol", "xml", "--", "x"], "--protocol xml: there are grpc and stdio"),
        (["--", "no-such"], "there is no program 'no-such' on the PATH\n"),
        (["--protocol", "stdio", "--", "no-such"], "there is no program 'no-such' on"),
        (["--", "here"], "with ./ before it, it is the one in this folder: ./here"),
        (["--only", "reconect", "--", "x"], "'reconect'; did you mean reconnects?"),
    ],
)
def test_a_mistake_in_the_command_is_told_in_a_line(
    ohhell: Ohhell, arguments: list[str], said: str
) -> None:
    (ohhell.folder / "here").touch()
    ended = ohhell.run("bot", "check", *arguments)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert said in ended.stderr


def test_frames_of_a_bot_that_is_given_a_token_can_be_traced(ohhell: Ohhell) -> None:
    traced = ["--", sys.executable, "-m", "cli", "bot", "run", "--trace", "--"]
    bot = [sys.executable, "-m", "bots", "lowest"]
    found = checked(ohhell, "--only", "starts", *traced, *bot)
    assert found["starts"]["verdict"] == "passed", found


def test_a_command_that_does_not_start_is_the_end_of_the_check(ohhell: Ohhell) -> None:
    found = checked(ohhell, "--", "./no-such-bot")
    assert list(found) == ["starts"]
    assert "there is no file" in found["starts"]["failures"][0]["what"]


def test_illegal_answers_are_no_fault_of_the_stream_they_come_on(
    ohhell: Ohhell,
) -> None:
    # Its match is played again, by a process without a past, to tell the two apart.
    cases = ("reconnects", "repeated-prompt", "drain", "restart")
    only = [word for case in cases for word in ("--only", case)]
    found = checked(ohhell, *only, *python("faulty", "BidsAboveHand"))
    assert [found[case]["failures"] for case in cases] == [[], [], [], []]


def test_a_bot_that_goes_wrong_and_ends_in_one_match_ends_no_check(
    ohhell: Ohhell,
) -> None:
    cases = ("reconnects", "repeated-prompt")
    only = [word for case in cases for word in ("--only", case)]
    found = checked(ohhell, *only, *python("faulty", "GoesWrongThenEnds"))
    assert [found[case]["verdict"] for case in cases] == ["passed", "failed"]
    (failure,) = found["repeated-prompt"]["failures"]
    assert failure["what"] == "wrong after a repeated prompt"
