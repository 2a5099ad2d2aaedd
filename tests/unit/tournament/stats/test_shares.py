"""Win shares and bid-hit rates."""

from dataclasses import replace

import pytest

from tests.doubles.played import block_of
from tournament.outcome import DealTally
from tournament.stats.shares import bid_hits, win_shares


def test_a_shared_win_counts_for_each_by_its_part() -> None:
    blocks = [
        block_of(0, (0, 1, 2), lambda _c, _s, bot: (5, 5, 1)[bot]),
        block_of(1, (0, 1, 2), lambda _c, _s, bot: (5, 4, 1)[bot]),
    ]
    found = win_shares(blocks, 4)
    assert [share and share.rate for share in found] == [0.75, 0.25, 0.0, None]
    assert sum(share.rate for share in found if share) == 1


def test_the_interval_of_a_win_share_stays_inside_0_and_1() -> None:
    blocks = [block_of(b, (0, 1, 2), lambda _c, _s, bot: -bot) for b in range(3)]
    first, second, _ = win_shares(blocks, 3)
    assert first is not None
    assert first.interval is not None
    assert second is not None
    assert second.interval is not None
    assert first.interval.hi == pytest.approx(1.0)
    assert 0 < first.interval.lo < 1
    assert 0 < second.interval.hi < 1


def test_deals_without_a_bid_are_no_chances() -> None:
    block = block_of(0, (0, 1, 2), lambda _c, _s, _b: 0, deals=10)
    rows = (DealTally(1, None, 6, 0, 0, 0), DealTally(1, 1, 4, 3, 4, 0))
    never = (DealTally(1, None, 10, 0, 0, 0),)
    copies = tuple(
        replace(copy, tallies=tuple(rows if bot else never for bot in copy.seats))
        for copy in block.copies
    )
    found = bid_hits([replace(block, copies=copies)], 3)
    assert [share and share.rate for share in found] == [None, 0.75, 0.75]
