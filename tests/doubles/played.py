"""Blocks for tests of schedules and statistics, as if they had been played."""

from collections.abc import Callable, Sequence

from tournament.outcome import BlockResult, CopyResult, DealTally

Total = Callable[[int, int, int], int]
"""total(copy, seat, bot)"""


def ranks_of(totals: Sequence[int]) -> tuple[int, ...]:
    """Rank totals from 1 = highest, ties equal."""
    return tuple(1 + sum(other > own for other in totals) for own in totals)


def match_of(
    seats: Sequence[int], totals: Sequence[int], *, deals: int = 1
) -> CopyResult:
    """Give a match that ended with these totals, all of its bids 0 and missed."""
    ranks = ranks_of(totals)
    return CopyResult(
        seats=tuple(seats),
        totals=tuple(totals),
        deals=deals,
        winners=tuple(seat for seat, rank in enumerate(ranks) if rank == 1),
        ranks=ranks,
        tallies=tuple((DealTally(1, 0, deals, 0, deals, own),) for own in totals),
        faults=((),) * len(seats),
        fallbacks=(0,) * len(seats),
    )


def block_of(
    block: int, seating: Sequence[int], total: Total, *, deals: int = 1
) -> BlockResult:
    """Play all rotations of a seating: copy c seats place (s + c) mod k at seat s."""
    k = len(seating)
    copies = []
    for copy in range(k):
        seats = [seating[(seat + copy) % k] for seat in range(k)]
        totals = [total(copy, seat, bot) for seat, bot in enumerate(seats)]
        copies.append(match_of(seats, totals, deals=deals))
    return BlockResult(block, 0, tuple(seating), tuple(copies))
