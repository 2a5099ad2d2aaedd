"""How quick the bot is, and whether it grows."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Final

from cli.bot.check.cases import Case, Circumstances
from cli.bot.check.findings import Failure, Outcome
from cli.bot.check.matches import SHORT, Plan

MATCHES: Final = 24
"""Of a batch; the first batch warms up, and three are measured."""
BATCHES: Final = 3
GROWTH_BYTES: Final = 1 << 20
"""In every batch, which no cache that fills up does for long."""
SHARE_OF_TIME: Final = 0.25


def _batch(circumstances: Circumstances, number: int) -> list[Plan]:
    return [
        Plan(
            preset="pagat_standard",
            seed=circumstances.seed,
            number=1000 * (number + 1) + match,
            overrides=SHORT,
            players=4,
        )
        for match in range(MATCHES)
    ]


async def _speed(circumstances: Circumstances, outcome: Outcome) -> None:
    rig = circumstances.rig
    seconds = circumstances.seconds * SHARE_OF_TIME
    await rig.play(_batch(circumstances, 8)[:2], seconds=seconds)
    since = time.monotonic()
    played = await rig.play(_batch(circumstances, 9), at_once=16, seconds=seconds)
    took = time.monotonic() - since
    answers = sum(len(heard.answered) for heard in played)
    alone = await rig.play(_batch(circumstances, 10)[:4], at_once=1, seconds=seconds)
    times = sorted(e.seconds for heard in alone for e in heard.answered)
    if not times:
        outcome.skip("no answers")
        return
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    outcome.detail = (
        f"{answers / took:.0f} decisions/s at 16 tables; at one table p50"
        f" {p50 * 1000:.2f} ms, p99 {p99 * 1000:.2f} ms"
    )


async def _memory(circumstances: Circumstances, outcome: Outcome) -> None:
    rig = circumstances.rig
    await rig.connect()
    sizes = []
    for number in range(1 + BATCHES):
        played = await rig.play(
            _batch(circumstances, number),
            seconds=circumstances.seconds * SHARE_OF_TIME / BATCHES,
        )
        if [heard.stopped for heard in played] != [""] * MATCHES:
            # Whoever has not warmed up yet grows, as it should.
            outcome.skip(f"{MATCHES} matches did not end: --seconds was too short")
            return
        pid = rig.subject.pid
        size = 0 if pid is None else resident_bytes(pid)
        if not size:
            outcome.skip("only where the check starts the bot, on a system with /proc")
            return
        sizes.append(size)
    growth = [after - before for before, after in pairwise(sizes)]
    outcome.detail = f"{sizes[-1] / 1e6:.0f} MB"
    if min(growth) > GROWTH_BYTES:
        grown = ", ".join(f"{step / 1e6:.1f}" for step in growth)
        outcome.fail(
            Failure(f"grew by {grown} MB in {BATCHES} batches of {MATCHES} matches")
        )


def resident_bytes(pid: int) -> int:
    """Memory of a process and all its descendants; 0 where it cannot be told."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError, ValueError):
        return 0
    return pages * 4096 + sum(resident_bytes(int(child)) for child in children)


CASES: Final = (
    Case("speed", "decisions a second, and how long one takes", _speed),
    Case("memory", "does not grow from match to match", _memory),
)
