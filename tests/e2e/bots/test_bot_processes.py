"""Bots as processes against the real service."""

import asyncio
import json
import os
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

import engine
from engine.record import record_text
from server.clock import TimeControl
from server.outcome import End, Outcome
from tests.doubles.matches import played
from tests.e2e.bots.conftest import Service

DOUBLES = "tests/doubles/bots"
SHORT = engine.Rules.of("blackout", {"deal_high": 3})
TINY = engine.Rules.of("blackout", {"deal_high": 2})
QUICK = TimeControl(per_decision_ms=300, bank_ms=0, grace_ms=50)
HOUSE = ["random", "lowest", "greedy", "expected-tricks"]


async def test_house_bots_play_the_same_match_over_the_wire_as_in_process(
    service: Service,
) -> None:
    for name in HOUSE:
        await service.start("-m", "bots", name, bot=name)
    await service.ready(*HOUSE)
    outcomes = await service.play(SHORT, HOUSE, tables=4)
    for block, (table, outcome) in enumerate(outcomes):
        assert outcome.why is End.PLAYED
        assert outcome.faults == ({}, {}, {}, {})
        alone = played(SHORT, HOUSE, block)
        assert record_text(table.match, HOUSE) == record_text(alone, HOUSE)


@pytest.mark.parametrize("preset", ["wizard", "ninety_nine", "blackout_jokers", "clag"])
async def test_odd_games_are_played_over_the_wire(
    service: Service, preset: str
) -> None:
    rules = engine.Rules.of(preset)
    seats = ["random"] * min(rules.players)
    await service.start("-m", "bots", "random", bot="random")
    await service.ready("random")
    ((table, outcome),) = await service.play(rules, seats)
    assert not any(outcome.faults)
    assert table.match.digest() == played(rules, seats).digest()


@pytest.mark.parametrize(
    "command",
    [
        ("examples/python_bot/first_bot.py",),
        ("examples/python_bare/bare_bot.py",),
        ("-m", "ohhell_bot", "bots.greedy:Greedy"),
    ],
)
async def test_the_example_bots_play_without_a_fault(
    service: Service, command: tuple[str, ...]
) -> None:
    await service.start(*command, bot="mine")
    await service.ready("mine")
    seats = ["mine", "house:greedy", "house:lowest", "house:random"]
    outcomes = await service.play(SHORT, seats, tables=3)
    for _, outcome in outcomes:
        assert outcome.faults[0] == {}


async def test_a_bot_that_is_told_to_stop_ends_with_status_zero(
    service: Service,
) -> None:
    bot = await service.start("-m", "bots", "lowest", bot="lowest")
    await service.ready("lowest")
    bot.process.send_signal(signal.SIGTERM)
    assert await bot.status() == 0
    assert "Traceback" not in await bot.stderr()


@pytest.mark.slow
async def test_a_bot_that_never_comes_back_ends_when_told_again(
    service: Service,
) -> None:
    bot = await service.start(f"{DOUBLES}/freeze_after.py", "0", bot="frozen")
    await service.ready("frozen")
    await service.play(TINY, ["frozen", "house:lowest", "house:lowest"], clock=QUICK)
    while bot.process.returncode is None:
        bot.process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await bot.process.wait()
    assert bot.process.returncode == 128 + signal.SIGTERM


async def test_a_bot_without_a_valid_token_says_so_and_ends(service: Service) -> None:
    bot = await service.start(
        "-m",
        "bots",
        "lowest",
        bot="lowest",
        environment={"OHHELL_BOT_TOKEN": "wrong"},
    )
    assert await bot.status() == 2
    said = await bot.stderr()
    assert "UNAUTHENTICATED" in said
    assert "Traceback" not in said


async def test_a_token_is_read_from_a_descriptor_once(service: Service) -> None:
    token = service.host.bots.register("piped")
    reading, writing = os.pipe()
    os.write(writing, f"{token}\n".encode())
    os.close(writing)
    bot = await service.start(
        "-c",
        "import os, sys; os.environ.pop('OHHELL_BOT_TOKEN');"
        " from bots.__main__ import main; sys.argv = ['bots', 'lowest',"
        " '--token-fd', '0']; main()",
        bot="unused",
        stdin=reading,
    )
    os.close(reading)
    await service.ready("piped")
    assert bot.process.returncode is None


async def play_each(
    service: Service, cases: dict[str, tuple[str, ...]]
) -> dict[str, Outcome]:
    """Each misbehaving bot sits between two good ones, one of them over the wire."""
    await service.start("-m", "bots", "greedy", bot="good")
    for name, (script, *arguments) in cases.items():
        await service.start(f"{DOUBLES}/{script}", *arguments, bot=name)
    await service.ready("good", *cases)
    played = await asyncio.gather(
        *[
            service.play(TINY, ["good", name, "house:lowest"], named=name, clock=QUICK)
            for name in cases
        ]
    )
    outcomes = {name: match[0][1] for name, match in zip(cases, played, strict=True)}
    for outcome in outcomes.values():
        assert outcome.why is End.PLAYED
        assert outcome.faults[0] == outcome.faults[2] == {}
    return outcomes


async def test_only_the_bot_that_misbehaves_is_blamed(service: Service) -> None:
    cases = {
        "raises": ("raise_after.py", "3"),
        "illegal": ("illegal_card.py",),
        "hangs": ("hang_once.py",),
    }
    outcomes = await play_each(service, cases)
    assert outcomes["raises"].faults[1].keys() == {"ILLEGAL"}
    assert outcomes["illegal"].faults[1].keys() == {"ILLEGAL"}
    assert outcomes["hangs"].faults[1] == {"DEADLINE": 1}


@pytest.mark.slow
async def test_a_bot_that_is_gone_for_good_ends_nobodys_match(
    service: Service,
) -> None:
    """The service waits ten seconds for each of them to come back."""
    cases = {
        "crashes": ("crash_after.py", "3"),
        "freezes": ("freeze_after.py", "3"),
        "never": ("hang_forever.py",),
        "nonsense": ("nonsense.py",),
        "garbage": ("garbage.py",),
    }
    outcomes = await play_each(service, cases)
    assert all(outcome.faults[1] for outcome in outcomes.values())
    assert "DISCONNECT" in outcomes["crashes"].faults[1]


async def test_a_bot_that_raises_shows_its_prompt_and_traceback(
    service: Service,
) -> None:
    bot = await service.start(f"{DOUBLES}/raise_after.py", "0", bot="raises")
    await service.ready("raises")
    await service.play(TINY, ["raises", "house:lowest", "house:lowest"])
    bot.process.terminate()
    said = await bot.stderr()
    assert "RuntimeError: this bot fails on purpose" in said
    assert "seat 0; decision" in said


async def test_a_slow_bot_at_many_tables_of_one_stream_never_expires(
    service: Service,
) -> None:
    await service.start(f"{DOUBLES}/slow.py", "30", bot="slow")
    await service.ready("slow")
    seats = ["slow", "house:greedy", "house:lowest"]
    # More than one answer takes, on a busy machine too; less than one at each table.
    limit = TimeControl(per_decision_ms=900, bank_ms=0)
    outcomes = await service.play(TINY, seats, tables=32, clock=limit)
    assert Counter(str(dict(o.faults[0])) for _, o in outcomes) == {"{}": 32}


async def test_a_bot_may_write_down_every_deal_that_it_sees(
    service: Service, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    await service.start(f"{DOUBLES}/notes_what_it_sees.py", str(notes), bot="spy")
    await service.ready("spy")
    await service.play(SHORT, ["spy", "house:lowest", "house:lowest"], tables=2)
    lines = [json.loads(line) for line in notes.read_text().splitlines()]
    assert Counter(line["table"] for line in lines) == {"t0": 5, "t1": 5}
    assert all(len(line["hand"].split()) in (1, 2, 3) for line in lines)
