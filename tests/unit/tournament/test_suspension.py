"""Suspension: who is, from when on, and what it makes of later matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.doubles.played import match_of
from tests.doubles.runs import journal_of, outcome_of, spec_of
from tournament.course import Course
from tournament.executors.port import Played
from tournament.outcome import BlockResult, CopyResult
from tournament.suspension import decisions, suspended

DEALS = 10
"""Each match of the doubles has one bid and one card a deal: 20 decisions."""


def match(bot: int, fallbacks: int) -> CopyResult:
    played = match_of((0, 1, 2, 3), (1, 2, 3, 4), deals=DEALS)
    return replace(
        played, fallbacks=tuple(fallbacks if one == bot else 0 for one in range(4))
    )


def blocks(*fallbacks: int) -> list[BlockResult]:
    """Give a block of one match for each number of fallback actions of bot 2."""
    return [
        BlockResult(index, 0, (0, 1, 2, 3), (match(2, times),))
        for index, times in enumerate(fallbacks)
    ]


def test_decisions_are_bids_and_cards() -> None:
    assert decisions(match(2, 0), seat=2) == 2 * DEALS


def test_a_tenth_is_forgiven_and_more_is_not() -> None:
    assert suspended(blocks(2, 2, 2), 4) == frozenset()
    assert suspended(blocks(2, 2, 3), 4) == {2}


def test_a_bot_gets_three_blocks() -> None:
    assert suspended(blocks(20, 20), 4) == frozenset()
    assert suspended(blocks(20, 20, 20), 4) == {2}


def test_a_suspension_stays() -> None:
    assert suspended(blocks(3, 3, 3, *[0] * 50), 4) == {2}


def test_it_takes_effect_a_lookahead_later_at_every_concurrency(
    tmp_path: Path,
) -> None:
    spec = spec_of(blocks=10, lookahead=4)
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        seen = {}
        while plan := course.next_match():
            seen[plan.block] = plan.suspended
            result = outcome_of(plan)
            fallbacks = tuple(9 if bot == 1 else 0 for bot in plan.seats)
            result = replace(result, fallbacks=fallbacks)
            course.played(plan, Played(result, b""))
    # Known after block 2, and so after 3 blocks: at work from block 3 + 4 on.
    assert [block for block in range(10) if seen[block]] == [7, 8, 9]
    assert seen[9] == {1}
