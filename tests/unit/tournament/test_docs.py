"""The page about tournaments names what a spec can say, with its defaults."""

from __future__ import annotations

import re
from pathlib import Path

from cli.exits import ExitCode
from tests.doubles.runs import spec_of
from tournament.lanes import READY_WITHIN

PAGE = (Path(__file__).parents[3] / "docs" / "tournaments.md").read_text()


def test_every_key_of_an_expanded_spec_is_on_the_page() -> None:
    command = '[[bots]]\nname = "x{}"\ncommand = ["python"]\nenv = {{A = "1"}}\n'
    text = spec_of(bots="".join(command.format(i) for i in range(4))).expanded
    text += spec_of().expanded
    called = '[[bots]]\nname = "x{0}"\naddress = "h:{0}"\ntrusted = true\n'
    text += spec_of(bots="".join(called.format(i) for i in range(1, 5))).expanded
    keys = set(re.findall(r"^(\w+) = ", text, re.MULTILINE)) - {"hash"}
    assert {
        key for key in keys if f"`{key}`" not in PAGE and f" {key}`" not in PAGE
    } == (set())


def test_every_exit_status_is_on_the_page() -> None:
    for code in ExitCode:
        assert f"\n| {int(code)} | " in PAGE


def test_the_page_tells_how_long_bots_are_waited_for() -> None:
    assert f"within {READY_WITHIN:g} s" in " ".join(PAGE.split())
