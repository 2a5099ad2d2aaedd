"""Scores by size of deal and outcomes by bid."""

from dataclasses import replace

from tests.doubles.played import match_of
from tournament.outcome import BlockResult, DealTally
from tournament.stats.bidding import BidOutcome, SizeScore, by_size, calibration

ROWS = (
    DealTally(size=1, bid=0, deals=2, hits=1, tricks=1, points=11),
    DealTally(size=3, bid=None, deals=1, hits=0, tricks=2, points=-2),
    DealTally(size=3, bid=0, deals=2, hits=2, tricks=0, points=20),
    DealTally(size=3, bid=2, deals=5, hits=2, tricks=8, points=32),
)


def played() -> BlockResult:
    match = match_of((1, 0, 2), (61, 0, 0), deals=10)
    return BlockResult(
        0, 0, (0, 1, 2), (replace(match, tallies=(ROWS, *match.tallies[1:])),)
    )


def test_scores_by_size_sum_over_matches_and_bids() -> None:
    found = by_size([played(), played()], 4)
    assert found[1] == [
        SizeScore(size=1, deals=4, points_per_deal=5.5, bid_hit=0.5),
        SizeScore(size=3, deals=16, points_per_deal=6.25, bid_hit=4 / 7),
    ]
    assert found[3] == []


def test_calibration_joins_sizes_and_leaves_out_deals_without_a_bid() -> None:
    assert calibration([played()], 3)[1] == [
        BidOutcome(bid=0, times=4, bid_hit=0.75, mean_tricks=0.25),
        BidOutcome(bid=2, times=5, bid_hit=0.4, mean_tricks=1.6),
    ]
