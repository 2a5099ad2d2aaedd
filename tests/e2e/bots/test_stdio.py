"""Bots of lines behind a bridge, at the real service."""

import json
import signal
import sys
from pathlib import Path

import pytest

import engine
from engine.record import record_text
from server.clock import NO_CLOCK, TimeControl
from server.outcome import End, Outcome
from tests.doubles.command import BOTS, Ohhell, house
from tests.doubles.matches import played
from tests.e2e.bots.conftest import BotProcess, Service
from tests.project.tree import ROOT

SHORT = engine.Rules.of("blackout", {"deal_high": 3})
TINY = engine.Rules.of("blackout", {"deal_high": 2})
QUICK = TimeControl(per_decision_ms=300, bank_ms=0, grace_ms=50)
STARTER = str(ROOT / "cli/bot/new/templates/python-stdio/bot.py")
THREE = house("greedy", "random", "expected-tricks")


async def bridged(
    service: Service, *command: str, bot: str, flags: str = ""
) -> BotProcess:
    """Starts `python COMMAND...` behind a bridge."""
    words = ["-m", "ohhell_bot.stdio", *flags.split(), "--", sys.executable, *command]
    started = await service.start(*words, bot=bot)
    await service.ready(bot)
    return started


async def with_fault(
    service: Service, fault: str, clock: TimeControl = NO_CLOCK
) -> tuple[Outcome, BotProcess]:
    """A short match with a bot of lines that has this fault in seat 1."""
    bot = await bridged(service, str(BOTS / "lines.py"), fault, bot="faulty")
    seats = ["house:greedy", "faulty", "house:lowest"]
    ((_, outcome),) = await service.play(TINY, seats, clock=clock)
    assert outcome.why is End.PLAYED
    assert outcome.faults[0] == outcome.faults[2] == {}
    return outcome, bot


async def test_a_bot_of_lines_plays_the_same_matches_as_the_house_bot(
    service: Service,
) -> None:
    await bridged(service, STARTER, bot="mine", flags="--workers 4")
    seats = ["mine", "house:greedy", "house:random", "house:lowest"]
    names = ["lowest", "greedy", "random", "lowest"]
    for block, (table, outcome) in enumerate(
        await service.play(SHORT, seats, tables=8)
    ):
        assert outcome.faults == ({}, {}, {}, {})
        alone = played(SHORT, names, block)
        assert record_text(table.match, names) == record_text(alone, names)


@pytest.mark.parametrize(
    "fault", ["speaks_on_stderr", "in_pieces", "without_id", "twice", "nothing"]
)
async def test_what_harms_nobody_is_no_fault(service: Service, fault: str) -> None:
    outcome, bot = await with_fault(service, fault)
    assert outcome.faults[1] == {}
    bot.process.send_signal(signal.SIGTERM)
    assert await bot.status() == 0


@pytest.mark.parametrize("fault", ["noise", "huge", "nested", "no_text", "no_card"])
async def test_a_line_that_is_no_answer_is_an_illegal_answer(
    service: Service, fault: str
) -> None:
    outcome, bot = await with_fault(service, fault)
    assert outcome.faults[1] == {"ILLEGAL": 3}
    bot.process.send_signal(signal.SIGTERM)
    assert await bot.status() == 0
    said = await bot.stderr()
    assert "the bot failed: table t0 seat 1" in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("ends", "ohhell_bot: the bot ended with status 7\n"),
        ("closes", "ohhell_bot: the bot closed its standard output\n"),
        ("flood", "ohhell_bot: the bot floods: more than 100 lines"),
    ],
)
async def test_a_bridge_ends_with_its_bot_and_says_why(
    service: Service, fault: str, said: str
) -> None:
    outcome, bot = await with_fault(service, fault, QUICK)
    assert await bot.status() == 1
    assert said in await bot.stderr()
    assert outcome.faults[1]["DEADLINE"] == 1
    assert "ILLEGAL" not in outcome.faults[1]


@pytest.mark.slow
async def test_a_bot_that_hangs_is_given_up_after_the_service_has(
    service: Service,
) -> None:
    outcome, bot = await with_fault(service, "hangs", QUICK)
    assert outcome.faults[1]["DEADLINE"] >= 1
    assert await bot.status() == 1
    assert "the bot hangs: no answer to t0." in await bot.stderr()


async def test_a_late_bot_is_not_asked_ahead_of_itself(service: Service) -> None:
    """It needs 200 ms and gets 50: each answer is late, and none costs another."""
    await bridged(service, str(BOTS / "lines.py"), "late", bot="late")
    seats = ["late", "house:greedy", "house:lowest"]
    hurried = TimeControl(per_decision_ms=20, bank_ms=0, grace_ms=30)
    outcomes = await service.play(TINY, seats, tables=2, clock=hurried)
    assert [o.faults[0] for _, o in outcomes] == [{"DEADLINE": 3}] * 2


async def test_a_bridge_without_a_program_says_how_it_is_used(
    service: Service,
) -> None:
    for words, said in {
        ("-m", "ohhell_bot.stdio"): "usage: python -m ohhell_bot.stdio",
        ("-m", "ohhell_bot.stdio", "--", "./no-such"): "cannot start './no-such'",
    }.items():
        bot = await service.start(*words, bot=f"b{len(words)}")
        assert await bot.status() == 2
        assert said in await bot.stderr()


def test_a_tournament_starts_bots_of_lines_and_bridges_them(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    mine = (
        f'\n[[bots]]\nname = "lowest"\ncommand = ["python", "{STARTER}"]\n'
        'protocol = "stdio"\n'
    )
    found = []
    for bot in (mine, house("lowest")):
        ended = ohhell.run(
            "tournament", "run", ohhell.spec(bot + THREE, blocks=2), "--fresh"
        )
        assert ended.returncode == 0, ended.stderr
        results = json.loads((tmp_path / "runs/t/results.json").read_text())
        assert not any(line["faults"] for line in results["standings"])
        files = ohhell.result_bytes("t")
        del files["results.json"]
        found.append(files)
    assert found[0] == found[1]
    assert ohhell.no_process_is_left()


@pytest.mark.slow
def test_a_bot_of_lines_that_ends_is_started_again(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    mine = (
        f'\n[[bots]]\nname = "ends"\ncommand = ["python", "{BOTS / "lines.py"}",'
        ' "ends"]\nprotocol = "stdio"\n'
    )
    ended = ohhell.run("tournament", "run", ohhell.spec(mine + THREE, blocks=1))
    assert ended.returncode in (0, 3), ended.stderr
    results = json.loads((tmp_path / "runs/t/results.json").read_text())
    faults = {line["bot"]: line["faults"] for line in results["standings"]}
    assert faults["ends"]["CRASH"] >= 1
    assert (
        "the bot ended with status 7" in (tmp_path / "runs/t/logs/ends.err").read_text()
    )
    assert ohhell.no_process_is_left()
