"""One bot with many tables: what happens at one of them delays no other."""

from __future__ import annotations

from tests.doubles.frames import answer
from tests.doubles.stage import staged

TABLES = 200


async def test_a_table_full_of_illegal_answers_takes_no_turn_from_the_others() -> None:
    async with staged() as stage:
        anna = await stage.connect("anna", workers=8)
        tables = [stage.open_table("anna", "lowest", "lowest") for _ in range(TABLES)]
        flooded = tables[0]
        asked: dict[int, int] = {}
        waiting = 0
        while len(asked) < TABLES:
            prompt = await anna.prompt()
            if prompt.handle == 1:
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
        assert set(asked) == set(range(2, TABLES + 1))
        assert max(asked.values()) - min(asked.values()) <= 2
        assert flooded.guards[0].as_counts()["ILLEGAL"] == 3
        assert all(table.guards[0].as_counts() == {} for table in tables[1:])
