"""Runs that end once it is decided which of two bots is better."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.doubles.played import match_of
from tests.doubles.runs import HOUSE, journal_of, spec_of
from tournament.blocks import MatchPlan
from tournament.course import Course
from tournament.deciding import blocks_to_play, decider_of
from tournament.executors.port import Played
from tournament.outcome import BlockResult, CopyResult
from tournament.records import packed
from tournament.spec import IllegalSpec, Spec

BOTS = "".join(f'[[bots]]\nhouse = "{name}"\n' for name in HOUSE)
LOOKAHEAD = 3


def deciding(*names: str, blocks: int = 60) -> Spec:
    shown = ", ".join(f'"{name}"' for name in names)
    return spec_of(
        blocks=blocks, lookahead=LOOKAHEAD, bots=f"decide = [{shown}]\n{BOTS}"
    )


def played(plan: MatchPlan, ahead: int) -> CopyResult:
    """Bot 2 is ahead of bot 0 by this, more or less by block."""
    luck = plan.seed[0] % 7 - 3
    points = (10, 0, 10 + ahead + luck, 0)
    return match_of(plan.seats, [points[bot] for bot in plan.seats])


def play(course: Course, ahead: int, most: int = 10_000) -> Sequence[BlockResult]:
    for _ in range(most):
        plan = course.next_match()
        if plan is None:
            break
        course.played(plan, Played(played(plan, ahead), packed(plan.name)))
    return course.committed


def test_a_run_ends_so_many_blocks_after_it_is_decided(tmp_path: Path) -> None:
    spec = deciding("greedy", "random")
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        committed = play(course, ahead=5)
        decider = decider_of(spec)
        assert decider is not None
        decider.see(committed)
        assert decider.after is not None
        assert decider.better == HOUSE.index("greedy")
        assert len(committed) == decider.after + LOOKAHEAD < spec.blocks
        assert course.finished
        assert blocks_to_play(spec, committed) == len(committed)
        # Opened again, it has nothing more to play.
        assert Course(spec, journal).finished


def test_it_makes_no_difference_where_a_run_was_interrupted(tmp_path: Path) -> None:
    spec = deciding("random", "greedy")
    (tmp_path / "whole").mkdir()
    with journal_of(spec, tmp_path / "whole") as journal:
        whole = play(Course(spec, journal), ahead=5)
    for most in (7, 4 * len(whole) - 5):
        folder = tmp_path / str(most)
        folder.mkdir()
        with journal_of(spec, folder) as journal:
            play(Course(spec, journal), ahead=5, most=most)
            assert play(Course(spec, journal), ahead=5) == whole


def test_bots_that_are_equal_play_all_blocks(tmp_path: Path) -> None:
    spec = deciding("greedy", "random", blocks=30)
    with journal_of(spec, tmp_path) as journal:
        assert len(play(Course(spec, journal), ahead=0)) == 30


def test_what_decides_does_not_depend_on_how_much_has_been_seen(tmp_path: Path) -> None:
    spec = deciding("greedy", "random")
    with journal_of(spec, tmp_path) as journal:
        committed = play(Course(spec, journal), ahead=5)
    later = decider_of(spec)
    assert later is not None
    later.see(committed)
    found = [later.is_decided(committed[:n]) for n in range(len(committed) + 1)]
    fresh = [seen_afresh(spec, committed[:n]) for n in range(len(committed) + 1)]
    assert found == fresh
    assert found.index(True) == later.after


def seen_afresh(spec: Spec, committed: Sequence[BlockResult]) -> bool:
    decider = decider_of(spec)
    assert decider is not None
    return decider.is_decided(committed)


@pytest.mark.parametrize("names", [("greedy",), ("greedy", "greedy"), ("greedy", "x")])
def test_two_of_the_bots_are_to_be_named(names: tuple[str, ...]) -> None:
    with pytest.raises(IllegalSpec, match=r"schedule\.decide"):
        deciding(*names)


def test_it_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    spec = deciding("greedy", "random")
    assert 'decide = ["greedy", "random"]' in spec.expanded
    assert spec.digest != spec_of(blocks=60, lookahead=LOOKAHEAD).digest
