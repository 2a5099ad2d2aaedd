"""Every preset through server, wire and bot library, as it is played in process.

The versions of the wire and of records are frozen on the strength of this.
"""

from __future__ import annotations

import asyncio

import engine
from engine.presets import preset_names
from engine.record import record_text
from server.outcome import End
from tests.conformance.records.keep import played_now, seats_of
from tests.e2e.bots.conftest import Service


async def test_every_preset_is_played_over_the_wire_as_it_is_in_process(
    service: Service,
) -> None:
    for name in ("random", "lowest"):
        await service.start("-m", "bots", name, bot=name)
    await service.ready("random", "lowest")

    async def matches(preset: str) -> bool:
        seats = seats_of(preset)
        rules = engine.Rules.of(preset)
        ((table, outcome),) = await service.play(rules, seats, named=preset)
        served = record_text(table.match, seats) + "\n"
        ended_well = outcome.why is End.PLAYED and not any(outcome.faults)
        return ended_well and served == played_now(preset)

    same = await asyncio.gather(*[matches(preset) for preset in preset_names()])
    assert [
        p for p, is_same in zip(preset_names(), same, strict=True) if not is_same
    ] == []
