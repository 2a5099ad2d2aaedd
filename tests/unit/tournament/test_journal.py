"""The journal keeps whole blocks and its secret, and knows what is unfinished."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.doubles.played import block_of
from tests.doubles.runs import journal_of, spec_of
from tournament.commitments import Promise
from tournament.identity import new_charter
from tournament.journal import Journal, JournalUnreadable, JournalUnwritable


def test_the_secret_is_its_owners_alone(tmp_path: Path) -> None:
    with journal_of(spec_of(), tmp_path) as journal:
        journal.begin(0, 0)
        for path in tmp_path.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_journal_gives_back_what_was_stored(tmp_path: Path) -> None:
    charter = new_charter(spec_of(seed=None))
    stored = block_of(0, (3, 1, 0, 2), lambda copy, seat, bot: bot * copy - seat)
    with Journal.create(tmp_path / "run.db", charter) as journal:
        journal.finish(stored, b"records")
    with Journal.open(tmp_path / "run.db") as journal:
        assert journal.charter == charter
        assert list(journal.results()) == [stored]
        assert journal.records(0) == b"records"
        assert journal.records(1) is None


def test_blocks_count_as_committed_up_to_the_first_gap(tmp_path: Path) -> None:
    with journal_of(spec_of(), tmp_path) as journal:
        for index in (3, 0, 1):
            stored = block_of(index, (0, 1, 2, 3), lambda copy, seat, bot: bot)
            journal.finish(stored, b"")
        assert [one.block for one in journal.committed()] == [0, 1]
        assert [one.block for one in journal.results()] == [0, 1, 3]


def test_the_highest_attempt_of_unfinished_blocks_is_known(tmp_path: Path) -> None:
    with journal_of(spec_of(), tmp_path) as journal:
        for attempt in (0, 0, 1):
            journal.begin(4, attempt)
        journal.begin(2, 0)
        journal.begin(1, 0)
        journal.finish(block_of(1, (0, 1, 2, 3), lambda copy, seat, bot: bot), b"")
        assert journal.unfinished() == {4: 1, 2: 0}


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "run.db"
    text.write_text("not a database, though long enough to be looked at " * 40)
    with pytest.raises(JournalUnreadable, match="is not the journal of a run"):
        Journal.open(text)


def test_runs_without_a_seed_differ_in_id_and_secret() -> None:
    first, second = new_charter(spec_of(seed=None)), new_charter(spec_of(seed=None))
    assert first.tournament != second.tournament
    assert first.secret != second.secret
    assert first.tournament.split("-")[0] == second.tournament.split("-")[0]


def test_runs_with_a_seed_are_the_same_run() -> None:
    assert new_charter(spec_of(seed=5)) == new_charter(spec_of(seed=5))
    assert new_charter(spec_of(seed=5)).secret != new_charter(spec_of(seed=6)).secret


def test_a_file_system_that_refuses_is_not_taken_for_a_damaged_journal(
    tmp_path: Path,
) -> None:
    (tmp_path / "run.db").mkdir()
    with pytest.raises(JournalUnwritable, match="cannot be opened: unable to open"):
        Journal.open(tmp_path / "run.db")


def _with(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as journal, journal:
        journal.execute(statement, values)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("UPDATE run SET spec = ?", b"\xff"),
        ("UPDATE run SET secret = ?", "text"),
        ("UPDATE run SET nonces = ?", "text"),
        ("UPDATE run SET tournament = ?", b"\x00"),
        ("UPDATE run SET format = ?", "two"),
        ("UPDATE attempts SET attempt = ?", "first"),
        ("UPDATE promises SET root = ?", "root"),
        ("UPDATE promises SET blocks = ?", "many"),
        ("UPDATE promises SET first = ?", -5),
        ("UPDATE attempts SET attempt = ?", -1),
        ("UPDATE attempts SET block = ?", 2**40),
        ("UPDATE blocks SET records = ?", "text"),
        ("UPDATE blocks SET result = ?", b"\xff"),
        ("UPDATE blocks SET result = ?", "{"),
        ("UPDATE blocks SET result = ?", "[1]"),
        ("UPDATE blocks SET result = ?", "[" * 100_000),
        ("UPDATE run SET spec = ?", "seats = 4"),
    ],
)
def test_whatever_a_damaged_journal_holds_is_named(
    tmp_path: Path, change: str, value: object
) -> None:
    with journal_of(spec_of(), tmp_path) as journal:
        journal.promise(Promise(0, 6, 0, bytes(32)))
        journal.begin(0, 0)
        journal.finish(block_of(0, (0, 1, 2, 3), lambda copy, seat, bot: bot), b"")
    _with(tmp_path, change, value)
    with pytest.raises(JournalUnreadable, match=r"run\.db is "):
        _read_all(tmp_path / "run.db")


@pytest.mark.parametrize(
    ("seating", "copies"), [((0, 1, 2, 4), 4), ((0, 1, 2), 3), ((0, 1, 2, 3), 3)]
)
def test_a_block_that_no_run_of_this_spec_has_is_damage(
    tmp_path: Path, seating: tuple[int, ...], copies: int
) -> None:
    whole = block_of(0, seating, lambda copy, seat, bot: bot)
    with journal_of(spec_of(), tmp_path) as journal:
        journal.finish(replace(whole, copies=whole.copies[:copies]), b"")
        with pytest.raises(JournalUnreadable, match="a table of this run has 4 seats"):
            journal.committed()


def _read_all(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.promises()
        journal.attempts()
        journal.committed()
        journal.records(0)
