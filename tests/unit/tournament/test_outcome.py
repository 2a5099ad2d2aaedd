"""Results go into the journal and come back as they went, or are refused."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tournament.outcome import (
    BlockResult,
    CopyResult,
    DealFact,
    DealTally,
    FaultCount,
    MalformedResult,
    tally,
)

MATCH = CopyResult(
    seats=(2, 0, 1),
    totals=(31, -4, 31),
    deals=3,
    winners=(0, 2),
    ranks=(1, 3, 1),
    tallies=(
        (DealTally(1, None, 1, 0, 1, 10), DealTally(2, 0, 2, 1, 1, 21)),
        (DealTally(1, 0, 3, 0, 5, -4),),
        (DealTally(1, 1, 3, 3, 3, 31),),
    ),
    faults=((FaultCount("DEADLINE", 2),), (), ()),
    fallbacks=(2, 0, 0),
)
BLOCK = BlockResult(block=7, attempt=1, seating=(0, 1, 2), copies=(MATCH, MATCH))


def test_a_block_comes_back_from_json_as_it_went() -> None:
    assert BlockResult.from_plain(json.loads(json.dumps(BLOCK.to_plain()))) == BLOCK


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[7, 1, [0, 1, 2]]",
        json.dumps(BLOCK.to_plain()).replace("31", "31.0"),
        json.dumps(BLOCK.to_plain()).replace("31", "true"),
        json.dumps(BLOCK.to_plain()).replace("31", str(2**53)),
        json.dumps(BLOCK.to_plain()).replace('"DEADLINE"', "4"),
        json.dumps(BLOCK.to_plain()).replace("-4", "null"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(MalformedResult):
        BlockResult.from_plain(json.loads(text))


def with_hits(hits: int) -> tuple[DealTally, ...]:
    """The first seat's tallies, the first of them with so many bids met."""
    first, *others = MATCH.tallies[0]
    return (first._replace(hits=hits), *others)


@pytest.mark.parametrize(
    "contradict",
    [
        lambda: replace(MATCH, seats=(2, 0, 2)),
        lambda: replace(MATCH, totals=(31, -4)),
        lambda: replace(MATCH, deals=4),
        lambda: replace(MATCH, deals=0),
        lambda: replace(MATCH, winners=(3,)),
        lambda: replace(MATCH, ranks=(0, *MATCH.ranks[1:])),
        lambda: replace(MATCH, ranks=(4, *MATCH.ranks[1:])),
        lambda: replace(MATCH, fallbacks=(-1, *MATCH.fallbacks[1:])),
        lambda: replace(MATCH, tallies=(with_hits(-1), *MATCH.tallies[1:])),
        lambda: replace(MATCH, tallies=(with_hits(9), *MATCH.tallies[1:])),
    ],
)
def test_a_match_that_contradicts_itself_is_refused(
    contradict: Callable[[], CopyResult],
) -> None:
    with pytest.raises(MalformedResult):
        contradict()


def test_a_block_has_copies_and_all_seat_its_bots() -> None:
    with pytest.raises(MalformedResult, match="no copies"):
        replace(BLOCK, copies=())
    with pytest.raises(MalformedResult, match="seats bots"):
        replace(BLOCK, seating=(0, 1, 3))


def test_deals_are_summed_by_size_and_bid() -> None:
    deals = [
        DealFact(size=2, bid=1, tricks=1, hit=True, points=11),
        DealFact(size=1, bid=0, tricks=0, hit=True, points=10),
        DealFact(size=2, bid=1, tricks=2, hit=False, points=2),
        DealFact(size=2, bid=None, tricks=0, hit=False, points=-3),
    ]
    assert tally(deals) == (
        DealTally(size=1, bid=0, deals=1, hits=1, tricks=0, points=10),
        DealTally(size=2, bid=None, deals=1, hits=0, tricks=0, points=-3),
        DealTally(size=2, bid=1, deals=2, hits=1, tricks=3, points=13),
    )


def test_an_action_played_for_a_bot_taints_its_match() -> None:
    clean = replace(MATCH, fallbacks=(0, 0, 0))
    assert MATCH.tainted
    assert not clean.tainted
    assert BLOCK.tainted
    assert not replace(BLOCK, copies=(clean,)).tainted
