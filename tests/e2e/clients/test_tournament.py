"""Bots in all languages at the same tables, byte for byte like the house bot."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles.command import Ohhell, house
from tests.e2e.clients.programs import LOWEST, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.clients]

BLOCKS = 20
SEATS = 4
# Somebody who bids more than the least, so that the others' cards matter.
FIELD = house("greedy", "random")


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    return Ohhell(tmp_path)


def called(name: str, lines: str) -> str:
    return f'\n[[bots]]\nname = "{name}"\n{lines}\n'


def listed(words: tuple[str, ...] | list[str]) -> str:
    return "[" + ", ".join(json.dumps(word) for word in words) + "]"


def played(ohhell: Ohhell, name: str, bots: dict[str, str]) -> dict[str, bytes]:
    """Records of a tournament of these bots, in which nobody is at fault."""
    lines = "".join(called(bot, text) for bot, text in bots.items())
    spec = ohhell.spec(lines + FIELD, name=name, blocks=BLOCKS)
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 0, ended.stderr
    files = ohhell.result_bytes(name)
    results = json.loads(files.pop("results.json"))
    assert {line["bot"]: line["faults"] for line in results["standings"]} == {
        bot: {} for bot in [*bots, "greedy", "random"]
    }
    assert len(files) == BLOCKS
    return files


@pytest.fixture
def houses(ohhell: Ohhell) -> dict[str, bytes]:
    """What the house bot plays on the seats of all languages."""
    return played(ohhell, "house", dict.fromkeys(LOWEST, 'house = "lowest"'))


def test_bots_of_all_languages_play_a_tournament_as_the_house_bot_does(
    ohhell: Ohhell, houses: dict[str, bytes]
) -> None:
    commands = {
        language: f"command = {listed(command)}" for language, command in LOWEST.items()
    }
    assert played(ohhell, "dial-in", commands) == houses
    assert ohhell.no_process_is_left()


@pytest.fixture
def addresses() -> Iterator[dict[str, list[str]]]:
    """Where bots wait to be called: a process for each copy of a block."""
    with contextlib.ExitStack() as stack:
        started = {
            language: [
                stack.enter_context(
                    subprocess.Popen(
                        [*command, "--serve", "127.0.0.1:0"],
                        cwd=ROOT,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE,
                        text=True,
                    )
                )
                for _ in range(SEATS)
            ]
            for language, command in LOWEST.items()
        }
        for processes in started.values():
            for process in processes:
                stack.callback(process.kill)
        yield {
            language: [_address(process) for process in processes]
            for language, processes in started.items()
        }


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said.startswith("serving on "), said
    return said.split()[-1]


def test_bots_that_are_called_play_as_those_that_call(
    ohhell: Ohhell, houses: dict[str, bytes], addresses: dict[str, list[str]]
) -> None:
    bots = {
        language: f"addresses = {listed(where)}"
        for language, where in addresses.items()
    }
    assert played(ohhell, "dialled", bots) == houses
