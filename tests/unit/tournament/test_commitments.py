"""What is promised about deals, and that an opened seed proves it was promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.commitments import GROUP, is_proved, leaf
from tests.doubles.runs import journal_of, outcome_of, spec_of
from tournament.blocks import MatchPlan
from tournament.commitments import Opened, Promise, Secret, disclosure, promise
from tournament.course import Course
from tournament.executors.port import Played
from tournament.records import packed

SECRET = Secret(bytes(range(32)), b"")
UNTRUSTED = "".join(
    f'[[bots]]\nname = "b{i}"\ncommand = ["python", "b.py"]\n' for i in range(4)
)


def proves(one: Opened, promises: list[Promise]) -> bool:
    """Check an opened seed as anybody can, with nothing but what was published."""
    (covering,) = [
        promise
        for promise in promises
        if promise.attempt == one.attempt
        and promise.first <= one.block < promise.first + promise.blocks
    ]
    return is_proved(
        covering.root,
        leaf(one.block, one.attempt, one.seed),
        index=one.block - covering.first,
        leaves=covering.blocks,
        beside=one.beside,
    )


def test_one_root_covers_1024_blocks_and_the_last_one_what_is_left() -> None:
    blocks = GROUP + 3
    first = promise(SECRET, 5, 0, blocks=blocks)
    last = promise(SECRET, GROUP + 1, 0, blocks=blocks)
    assert (first.first, first.blocks, first.attempt) == (0, GROUP, 0)
    assert (last.first, last.blocks, last.attempt) == (GROUP, 3, 0)
    assert first == promise(SECRET, GROUP - 1, 0, blocks=blocks)


def test_an_opened_seed_is_proved_and_another_is_not() -> None:
    blocks = GROUP + 3
    promises = [
        promise(SECRET, 0, 0, blocks=blocks),
        promise(SECRET, GROUP, 0, blocks=blocks),
        promise(SECRET, 1, 1, blocks=blocks),
    ]
    attempts = [(0, 0), (1, 0), (1, 1), (GROUP + 2, 0)]
    told = disclosure(
        SECRET, promises, attempts, committed=GROUP + 3, blocks=10**6, ended=False
    )
    assert [(one.block, one.attempt) for one in told.opened] == attempts
    # The group at the end of a run of so many blocks is another one.
    assert not proves(told.opened[-1], promises)
    right = disclosure(
        SECRET, promises, attempts, committed=2, blocks=blocks, ended=False
    )
    assert [proves(one, promises) for one in right.opened] == [True, True, True]
    forged = right.opened[0]._replace(seed=bytes(32))
    assert not proves(forged, promises)


def test_a_seed_stays_closed_while_its_block_may_still_be_dealt() -> None:
    attempts = [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0)]
    told = disclosure(SECRET, [], attempts, committed=1, blocks=4, ended=False)
    assert [(one.block, one.attempt) for one in told.opened] == [(0, 0), (2, 0)]
    assert told.secret is None


def test_at_the_end_the_secret_opens_everything() -> None:
    told = disclosure(SECRET, [], [(0, 0)], committed=1, blocks=1, ended=True)
    assert told.secret == SECRET
    assert told.opened == ()


def test_a_promise_is_published_before_the_first_match_that_it_covers(
    tmp_path: Path,
) -> None:
    spec = spec_of(blocks=GROUP + 1, lookahead=GROUP + 1, bots=UNTRUSTED)
    told: list[Promise] = []
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        course.on_promise = told.append
        assert told == []
        plan = course.next_match()
        assert plan is not None
        assert [(one.first, one.attempt) for one in told] == [(0, 0)]
        # The same deals will never be dealt again: what comes instead is promised.
        course.voided(0, "a test")
        assert [(one.first, one.attempt) for one in told] == [(0, 0), (0, 1)]
        assert told == journal.promises()
        assert told[0] == promise(journal.charter.seeds, 0, 0, blocks=spec.blocks)


def test_a_later_session_promises_nothing_twice(tmp_path: Path) -> None:
    spec = spec_of(blocks=3)
    with journal_of(spec, tmp_path) as journal:
        course = Course(spec, journal)
        for _ in range(4):
            plan = course.next_match()
            assert plan is not None
            course.played(plan, _played(plan))
    told: list[Promise] = []
    with journal_of(spec, tmp_path) as journal:
        again = Course(spec, journal)
        again.on_promise = told.append
        assert again.next_match() is not None
        assert told == []
        assert len(journal.promises()) == 1


@pytest.mark.parametrize("attempt", [0, 1])
def test_what_is_printed_fits_80_columns(attempt: int) -> None:
    shown = str(promise(SECRET, 9_999_000, attempt, blocks=10_000_000))
    assert max(map(len, shown.splitlines())) <= 80


def _played(plan: MatchPlan) -> Played:
    return Played(outcome_of(plan), packed(plan.name))
