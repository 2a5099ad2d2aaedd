"""One bot with many tables: what happens at one of them delays no other."""

from __future__ import annotations

from pathlib import Path

from tests.doubles.frames import answer, frame_client
from tests.doubles.serving import person_at, registered, seat_bot, serving

TABLES = 200
FLOODED = 1
"""Handle of the first table."""


async def test_a_table_full_of_illegal_answers_takes_no_turn_from_the_others(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, shutdown__grace_s=0) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(workers=8)
            for _ in range(TABLES):
                await seat_bot(tables, token)
            asked: dict[int, int] = {}
            waiting = 0
            while len(asked) < TABLES:
                prompt = await anna.prompt()
                if prompt.handle == FLOODED:
                    # Never a legal one: refused, asked again, then decided without it.
                    await anna.send(answer(prompt, bid=4_000))
                    continue
                asked[prompt.handle] = asked.get(prompt.handle, 0) + 1
                # In turn: nobody is asked twice before everybody was asked once.
                if len(asked) < TABLES - 1:
                    assert asked[prompt.handle] == 1
                elif len(asked) == TABLES - 1:
                    waiting += 1
                    if waiting > TABLES:
                        break
                await anna.send(answer(prompt))
            assert set(asked) == set(range(FLOODED + 1, TABLES + 1))
            assert max(asked.values()) - min(asked.values()) <= 2
            _, metrics = service.http("/metrics")
            counted = [
                line
                for line in metrics.splitlines()
                if line.startswith("ohhell_faults_total{") and not line.endswith(" 0.0")
            ]
            # Three illegal answers at one table: no other has a fault of any class.
            assert counted == ['ohhell_faults_total{fault="ILLEGAL"} 3.0']
