"""What is said before a run: a field that its blocks cannot hold is told in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.runs import journal_of, spec_of
from tournament.announcement import opening_words
from tournament.course import Course
from tournament.lanes import STARTED_AT_ONCE
from tournament.launcher import Isolation


def opening(tmp_path: Path, bots: int, blocks: int) -> str:
    """The opening words of a run of so many bots, on one line."""
    entry = '[[bots]]\nname = "b{}"\ncommand = ["python"]\n'
    spec = spec_of(bots="".join(map(entry.format, range(bots))), blocks=blocks)
    with journal_of(spec, tmp_path) as journal:
        lines = list(opening_words(spec, Course(spec, journal), Isolation.NONE))
    assert max(map(len, lines)) <= 80
    return " ".join(" ".join(lines).split())


def test_more_bots_than_all_blocks_seat_are_told_before_the_first_is_played(
    tmp_path: Path,
) -> None:
    words = opening(tmp_path, bots=401, blocks=60)
    assert "60 seat 240 of 401 bots; for all to play it takes 101" in words


def test_a_field_that_the_blocks_seat_is_not_remarked_upon(tmp_path: Path) -> None:
    assert "note on blocks" not in opening(tmp_path, bots=40, blocks=10)


@pytest.mark.parametrize(("bots", "told"), [(4, False), (5, True)])
def test_it_is_told_where_processes_wait_for_each_other(
    tmp_path: Path, bots: int, *, told: bool
) -> None:
    words = opening(tmp_path, bots=bots, blocks=10)
    assert (f", {STARTED_AT_ONCE} at a time" in words) is told
