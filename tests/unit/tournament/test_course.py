"""The course: what is played next, what is committed, and what a void does."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.doubles.runs import journal_of, outcome_of, spec_of
from tournament.blocks import MatchPlan
from tournament.course import Course, TooManyVoids
from tournament.executors.port import Played
from tournament.records import packed
from tournament.spec import Duplicate

UNTRUSTED = "".join(
    f'[[bots]]\nname = "b{i}"\ncommand = ["python", "b.py"]\n' for i in range(4)
)


def played(plan: MatchPlan) -> Played:
    return Played(outcome_of(plan), packed(f"record of {plan.name}"))


def drain(course: Course, most: int = 1000) -> list[MatchPlan]:
    plans: list[MatchPlan] = []
    while len(plans) < most and (plan := course.next_match()):
        plans.append(plan)
    return plans


def test_each_copy_of_each_block_is_handed_out_once(tmp_path: Path) -> None:
    with journal_of(spec_of(blocks=5), tmp_path) as journal:
        plans = drain(Course(spec_of(blocks=5), journal))
    assert [(plan.block, plan.copy) for plan in plans] == [
        (block, copy) for block in range(5) for copy in range(4)
    ]


def test_every_bot_holds_every_place_of_a_block_once(tmp_path: Path) -> None:
    spec = spec_of(blocks=1)
    with journal_of(spec, tmp_path) as journal:
        plans = drain(Course(spec, journal))
    assert len({plan.seed for plan in plans}) == 1
    assert len({plan.first_dealer(spec.rules) for plan in plans}) == 1
    for seat in range(4):
        assert {plan.seats[seat] for plan in plans} == {0, 1, 2, 3}
    seeds = [seed for plan in plans for seed in plan.bot_seeds]
    assert len(set(seeds)) == len(seeds)


def test_blocks_are_committed_in_schedule_order(tmp_path: Path) -> None:
    with journal_of(spec_of(blocks=3), tmp_path) as journal:
        course = Course(spec_of(blocks=3), journal)
        plans = drain(course)
        committed = [
            [result.block for result in course.played(plan, played(plan))]
            for plan in reversed(plans)
        ]
        assert [one for one in committed if one] == [[0, 1, 2]]
        assert course.finished


def test_no_more_blocks_are_open_than_the_lookahead(tmp_path: Path) -> None:
    spec = spec_of(blocks=9, lookahead=2)
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        plans = drain(course)
        assert {plan.block for plan in plans} == {0, 1}
        for plan in plans[4:]:
            course.played(plan, played(plan))
        assert not drain(course)
        for plan in plans[:4]:
            course.played(plan, played(plan))
        assert {plan.block for plan in drain(course)} == {2, 3}


def test_the_records_of_a_block_are_those_of_its_copies_in_order(
    tmp_path: Path,
) -> None:
    with journal_of(spec_of(blocks=1), tmp_path) as journal:
        course = Course(spec_of(blocks=1), journal)
        for plan in reversed(drain(course)):
            course.played(plan, played(plan))
        records = journal.records(0)
    assert records is not None
    lines = gzip.decompress(records).decode().splitlines()
    assert lines == [f"record of 0.{copy}" for copy in range(4)]


def test_a_resumed_course_is_the_schedule_minus_the_journal(tmp_path: Path) -> None:
    spec = spec_of(blocks=4)
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        plans = drain(course)
        for plan in plans:
            if plan.block in (0, 2):
                course.played(plan, played(plan))
    with journal_of(spec, tmp_path) as journal:
        again = Course(spec, journal)
        assert [one.block for one in again.committed] == [0]
        rest = drain(again)
        assert rest == [plan for plan in plans if plan.block in (1, 3)]


CALLED = "".join(
    f'[[bots]]\nname = "b{i}"\naddresses = {[f"h:{10 * i + j}" for j in range(1, 5)]}\n'
    for i in range(4)
)


@pytest.mark.parametrize(("bots", "attempt"), [("", 0), (UNTRUSTED, 0), (CALLED, 1)])
def test_processes_that_outlive_a_killed_run_get_other_deals(
    tmp_path: Path, bots: str, attempt: int
) -> None:
    spec = spec_of(blocks=3, lookahead=2, bots=bots)
    with journal_of(spec, tmp_path) as journal:
        killed = Course(spec, journal)
        for plan in drain(killed)[:4]:
            killed.played(plan, played(plan))
    with journal_of(spec, tmp_path) as journal:
        plans = drain(Course(spec, journal))
    # Block 1 had been begun, block 2 had not.
    assert {(plan.block, plan.attempt) for plan in plans} == {(1, attempt), (2, 0)}


def test_a_voided_block_of_trusted_bots_is_dealt_again(tmp_path: Path) -> None:
    with journal_of(spec_of(blocks=2), tmp_path) as journal:
        course = Course(spec_of(blocks=2), journal)
        plans = drain(course)
        course.played(plans[0], played(plans[0]))
        course.voided(0, "a test")
        assert drain(course) == plans[:4]


def test_processes_that_have_seen_a_voided_block_get_other_deals(
    tmp_path: Path,
) -> None:
    spec = spec_of(blocks=1, bots=UNTRUSTED)
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        before = drain(course)
        course.voided(0, "a test")
        after = drain(course)
        assert [plan.attempt for plan in after] == [1, 1, 1, 1]
        assert after[0].seed != before[0].seed
        assert [plan.seats for plan in after] == [plan.seats for plan in before]
        # A resumed run knows it, too: its own processes have seen neither.
        assert journal.unfinished() == {0: 1}


def test_a_block_that_keeps_failing_ends_the_run(tmp_path: Path) -> None:
    with journal_of(spec_of(blocks=1), tmp_path) as journal:
        course = Course(spec_of(blocks=1), journal)
        for _ in range(2):
            drain(course)
            course.voided(0, "a test")
        drain(course)
        with pytest.raises(TooManyVoids, match="block 0 was voided 3 times, last"):
            course.voided(0, "a test")


def test_no_block_is_begun_when_a_run_is_to_end(tmp_path: Path) -> None:
    with journal_of(spec_of(blocks=3), tmp_path) as journal:
        course = Course(spec_of(blocks=3), journal)
        assert course.next_match() is not None
        rest = []
        while plan := course.next_match(open_blocks=False):
            rest.append(plan)
        assert [(plan.block, plan.copy) for plan in rest] == [(0, 1), (0, 2), (0, 3)]


def test_without_duplicate_every_match_has_deals_of_its_own(tmp_path: Path) -> None:
    spec = spec_of(blocks=1, top='duplicate = "off"\n')
    with journal_of(spec, tmp_path) as journal:
        plans = drain(Course(spec, journal))
    rules = spec.rules
    assert len({tuple(plan.decks(rules)(1)) for plan in plans}) == 4
    assert len({tuple(sorted(plan.decks(rules)(1))) for plan in plans}) == 1
    # The seats still rotate, and the same seat deals first: positions are balanced.
    assert len({plan.first_dealer(rules) for plan in plans}) == 1
    for seat in range(4):
        assert {plan.seats[seat] for plan in plans} == {0, 1, 2, 3}


def test_copies_of_a_block_are_spread_over_the_lanes_of_a_bot() -> None:
    few = UNTRUSTED.replace('"b0"\n', '"b0"\nlanes = 2\n')
    spec = spec_of(bots=few)
    assert spec.duplicate is Duplicate.OFF
    assert [spec.entrants[0].lane_of(copy) for copy in range(4)] == [0, 1, 0, 1]
    assert [spec.entrants[1].lane_of(copy) for copy in range(4)] == [0, 1, 2, 3]
