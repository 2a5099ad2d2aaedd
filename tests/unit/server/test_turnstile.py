"""Many watchers at a turnstile, and somebody who plays on the same loop."""

from __future__ import annotations

import asyncio
import contextlib
from itertools import pairwise

from server.rpc.turnstile import IN_A_ROW, Turnstile

WATCHERS = 5 * IN_A_ROW


class Loop:
    """Counts the turns of the loop that anybody else gets."""

    def __init__(self) -> None:
        self.turns = 0
        self._over = False

    def turn(self) -> None:
        self.turns += 1
        if not self._over:
            asyncio.get_running_loop().call_soon(self.turn)

    def end(self) -> None:
        self._over = True


async def test_the_loop_turns_between_any_two_watchers_who_pass_in_order() -> None:
    turnstile, loop = Turnstile(), Loop()
    passed: list[tuple[int, int]] = []

    async def watcher(number: int) -> None:
        await turnstile.passed()
        passed.append((number, loop.turns))

    loop.turn()
    await asyncio.gather(*(watcher(number) for number in range(WATCHERS)))
    loop.end()
    assert [number for number, _ in passed] == list(range(WATCHERS))
    turns = [turn for _, turn in passed]
    gaps = [later - turn for turn, later in pairwise(turns)]
    assert min(gaps) >= 1
    # And it has a rest after so many.
    rests = gaps[IN_A_ROW - 1 :: IN_A_ROW]
    assert sum(rests) > sum(gaps) - sum(rests)


async def test_who_has_gone_away_takes_no_turn() -> None:
    turnstile = Turnstile()
    first, second = (asyncio.ensure_future(turnstile.passed()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await second
    with contextlib.suppress(asyncio.CancelledError):
        await first
    assert first.cancelled()
    await turnstile.passed()
