"""`ohhell bot run`, and what it tells of the frames that go through."""

from __future__ import annotations

import signal
import sys

import pytest
from typer.testing import CliRunner

import engine
from cli.main import app
from server.clock import TimeControl
from tests.doubles.command import BOTS
from tests.e2e.bots.conftest import Service
from tests.project.tree import ROOT

TINY = engine.Rules.of("blackout", {"deal_high": 2})
RUN = ("-m", "cli", "bot", "run")
STARTER = str(ROOT / "cli/bot/new/templates/python-stdio/bot.py")


async def test_a_traced_bot_plays_and_every_frame_is_told(service: Service) -> None:
    bot = await service.start(
        *RUN, "--trace", "--", sys.executable, "-m", "bots", "lowest", bot="mine"
    )
    await service.ready("mine")
    seats = ["mine", "house:greedy", "house:random"]
    ((_, outcome),) = await service.play(TINY, seats)
    assert outcome.faults[0] == {}
    bot.process.send_signal(signal.SIGTERM)
    assert await bot.status() == 0
    said = await bot.stderr()
    assert "-> hello { revision: 1" in said
    assert "<- welcome { revision: 1" in said
    assert "<- seat handle 1: table t0 seat 0 of mine, house:greedy" in said
    assert "<- prompt handle 1: table t0 seat 0; decision " in said
    assert "<- ended { handle: 1" in said
    assert "-> goodbye { reason:" in said
    asked = sum(" <- prompt " in line for line in said.splitlines())
    answered = [line for line in said.splitlines() if " -> answer " in line]
    assert asked == len(answered) > 4
    assert any(": bids " in line for line in answered)
    assert any(": plays " in line for line in answered)
    assert "secret" not in said
    assert "authorization" not in said


def test_nothing_can_be_told_of_a_bot_that_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OHHELL_BOT_SERVE", "127.0.0.1:0")
    ended = CliRunner().invoke(app, ["bot", "run", "--trace", "--", "true"])
    assert ended.exit_code == 2
    assert "take OHHELL_BOT_SERVE away" in ended.stderr


async def test_a_bot_of_lines_runs_and_is_traced(service: Service) -> None:
    words = ("--protocol", "stdio", "--", sys.executable, STARTER)
    plain = await service.start(*RUN, *words, bot="plain")
    traced = await service.start(*RUN, "--trace", *words, bot="traced")
    await service.ready("plain", "traced")
    seats = ["plain", "traced", "house:random"]
    ((_, outcome),) = await service.play(TINY, seats)
    assert outcome.faults == ({}, {}, {})
    for bot in (plain, traced):
        bot.process.send_signal(signal.SIGTERM)
        assert await bot.status() == 0
    assert " -> answer " in await traced.stderr()
    assert " -> answer " not in await plain.stderr()


@pytest.mark.slow
async def test_bytes_that_are_no_message_are_told(service: Service) -> None:
    bot = await service.start(
        *RUN, "--trace", "--", sys.executable, str(BOTS / "garbage.py"), bot="garbage"
    )
    await service.ready("garbage")
    hurried = TimeControl(per_decision_ms=500)
    seats = ["garbage", "house:random", "house:random"]
    ((_, outcome),) = await service.play(TINY, seats, clock=hurried)
    assert outcome.faults[0]
    await bot.status()
    assert "-> 64 bytes that are no message" in await bot.stderr()


async def test_a_status_of_the_bot_is_the_status_of_the_command(
    service: Service,
) -> None:
    for flags in ((), ("--trace",)):
        script = str(BOTS / "exits_at_once.py")
        bot = await service.start(
            *RUN, *flags, "--", sys.executable, script, bot=f"b{len(flags)}"
        )
        assert await bot.status() == 3
    bot = await service.start(*RUN, "--", "./no-such-bot", bot="none")
    assert await bot.status() == 2
    assert "./no-such-bot cannot be started" in await bot.stderr()
