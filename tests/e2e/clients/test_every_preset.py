"""Every library plays every preset as the house bot does in process."""

from __future__ import annotations

import asyncio

import pytest

import engine
from engine.presets import preset_names
from engine.record import record_text
from server.outcome import End
from tests.doubles.matches import played
from tests.e2e.bots.conftest import Service
from tests.e2e.clients.programs import LOWEST

pytestmark = [pytest.mark.slow, pytest.mark.clients]

WORKERS = 16


@pytest.mark.parametrize("language", LOWEST)
async def test_every_preset_is_played_as_by_the_house_bot(
    service: Service, language: str
) -> None:
    program, *arguments = LOWEST[language]
    await service.start(
        *arguments,
        program=program,
        bot="lowest",
        environment={"OHHELL_BOT_WORKERS": str(WORKERS)},
    )
    await service.ready("lowest")

    async def matches(preset: str) -> bool:
        rules = engine.Rules.of(preset)
        seats = ["lowest"] * min(rules.players)
        ((table, outcome),) = await service.play(rules, seats, named=preset)
        assert outcome.why is End.PLAYED
        assert not any(outcome.faults), (preset, outcome.faults)
        alone = played(rules, seats)
        return record_text(table.match, seats) == record_text(alone, seats)

    same = await asyncio.gather(*[matches(preset) for preset in preset_names()])
    different = [
        p for p, is_same in zip(preset_names(), same, strict=True) if not is_same
    ]
    assert different == []
