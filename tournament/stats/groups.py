"""Which bots the results can compare at all."""

from __future__ import annotations

from collections.abc import Sequence


def mutual_groups(leads: Sequence[set[int]]) -> list[list[int]]:
    """Split 0..n-1 into strongly connected groups, each sorted, in order of first bot.

    `leads[i]` are those that i points to. Two are in one group when each can be
    reached from the other (Tarjan 1972, without recursion).
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_bots: list[int] = []
    closed: set[int] = set()
    groups: list[list[int]] = []
    for root in range(len(leads)):
        if root in order:
            continue
        path = [(root, iter(sorted(leads[root])))]
        order[root] = lowest[root] = len(order)
        open_bots.append(root)
        while path:
            bot, rest = path[-1]
            for other in rest:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_bots.append(other)
                    path.append((other, iter(sorted(leads[other]))))
                    break
                if other not in closed:
                    lowest[bot] = min(lowest[bot], order[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[bot])
                if lowest[bot] == order[bot]:
                    cut = open_bots.index(bot)
                    groups.append(sorted(open_bots[cut:]))
                    closed.update(open_bots[cut:])
                    del open_bots[cut:]
    return sorted(groups)


def meeting_groups(leads: Sequence[set[int]]) -> list[list[int]]:
    """Split 0..n-1 into groups that are joined by any chain, whatever its direction."""
    both = [set(one) for one in leads]
    for bot, others in enumerate(leads):
        for other in others:
            both[other].add(bot)
    return mutual_groups(both)
