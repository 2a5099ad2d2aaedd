"""The order of a design's tables, so that a run may stop anywhere and stay fair."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tournament.schedule.port import Tables

_PASSES = 8
_LOOKS = 1_600_000  # tables looked at in all passes: about half a second at most
_BRANCHES = 4


def prefix_spread(tables: Sequence[Sequence[int]], bots: int) -> int:
    """Give the greatest difference between bots' numbers of tables after any prefix."""
    played = [0] * bots
    worst = 0
    for table in tables:
        for bot in table:
            played[bot] += 1
        worst = max(worst, max(played) - min(played))
    return worst


def evenly_ordered(tables: Tables, bots: int) -> Tables:
    """Order tables so that after any prefix bots differ by one table, where found.

    That takes near-partitions of the bots that interlock all the way. A bounded
    backtracking search finds them for designs of up to about fifty tables; otherwise
    the given order stays. The result depends on the arguments alone.
    """
    nodes = _LOOKS // _PASSES // len(tables)
    if nodes < len(tables) or prefix_spread(tables, bots) <= 1:
        return tables
    for seed in range(_PASSES):
        rng = Random(seed)  # noqa: S311 - no secret
        order = _interlocking(tables, bots, rng, nodes=nodes)
        if order is not None:
            return tuple(tables[i] for i in order)
    return tables


def _interlocking(
    tables: Tables, bots: int, rng: Random, *, nodes: int
) -> list[int] | None:
    """Search depth first for an order of spread one, giving up after `nodes` steps."""
    members = [sum(1 << bot for bot in table) for table in tables]
    luck = [3 * rng.random() for _ in tables]
    everybody = (1 << bots) - 1
    unplayed = set(range(len(tables)))

    def choices(behind: int) -> list[int]:
        """List what may come next, best last, when `behind` are one table behind.

        Bots that are level may join only a table that lets all of `behind` catch up.
        """
        fitting = [
            i
            for i in sorted(unplayed)
            if not members[i] & ~behind or not behind & ~members[i]
        ]
        # A table whose bots fit few other tables goes first, while it still fits.
        degree = [0] * bots
        for i in fitting:
            for bot in tables[i]:
                degree[bot] += 1
        fitting.sort(key=lambda i: sum(degree[bot] for bot in tables[i]) + luck[i])
        return fitting[:_BRANCHES][::-1]

    behind = everybody
    order: list[int] = []
    before: list[int] = []
    open_choices = [choices(behind)]
    for _ in range(nodes):
        if open_choices[-1]:
            i = open_choices[-1].pop()
            order.append(i)
            before.append(behind)
            unplayed.remove(i)
            # If this table caught everybody up, those who joined it are now ahead.
            joined = members[i] & ~behind
            behind &= ~members[i]
            if not behind:
                behind = everybody & ~joined
            if not unplayed:
                return order
            open_choices.append(choices(behind))
        elif order:
            open_choices.pop()
            unplayed.add(order.pop())
            behind = before.pop()
        else:
            return None
    return None
