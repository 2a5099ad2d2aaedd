"""Run folders: one runner at a time, one spec, and nothing overwritten unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.played import block_of
from tests.doubles.runs import spec_of
from tournament.folder import FolderError, Opening, RunFolder
from tournament.identity import new_charter
from tournament.journal import Journal


def test_a_run_that_is_there_is_neither_resumed_nor_discarded_unasked(
    tmp_path: Path,
) -> None:
    folder, charter = RunFolder(tmp_path / "t"), new_charter(spec_of())
    with folder.locked():
        with folder.open(charter, Opening.NEW) as journal:
            journal.begin(0, 0)
            journal.finish(block_of(0, (0, 1, 2, 3), lambda copy, seat, bot: bot), b"")
        with pytest.raises(FolderError, match=r"1 block played: --resume .* --fresh"):
            folder.open(charter, Opening.NEW)
        with folder.open(charter, Opening.RESUME) as journal:
            assert len(journal.committed()) == 1
        with folder.open(charter, Opening.FRESH) as journal:
            assert not journal.committed()


def test_a_finished_run_is_said_to_be_finished(tmp_path: Path) -> None:
    folder, charter = RunFolder(tmp_path / "t"), new_charter(spec_of(blocks=2))
    with folder.locked():
        with folder.open(charter, Opening.NEW) as journal:
            for block in range(2):
                journal.begin(block, 0)
                played = block_of(block, (0, 1, 2, 3), lambda copy, seat, bot: bot)
                journal.finish(played, b"")
        said = r"finished with 2 blocks: --resume shows how it ended, --fresh replaces"
        with pytest.raises(FolderError, match=said):
            folder.open(charter, Opening.NEW)


def test_a_run_that_never_got_to_its_first_prompt_is_no_obstacle(
    tmp_path: Path,
) -> None:
    folder = RunFolder(tmp_path / "t")
    with folder.locked():
        folder.open(new_charter(spec_of(blocks=6)), Opening.NEW).close()
        corrected = new_charter(spec_of(blocks=7))
        with folder.open(corrected, Opening.NEW) as journal:
            assert journal.charter == corrected
            journal.begin(0, 0)
        with pytest.raises(FolderError, match=r"with 0 blocks played: --resume"):
            folder.open(corrected, Opening.NEW)


def test_a_resumed_run_keeps_its_own_secret(tmp_path: Path) -> None:
    folder, spec = RunFolder(tmp_path / "t"), spec_of(seed=None)
    first = new_charter(spec)
    with folder.locked():
        folder.open(first, Opening.NEW).close()
        with folder.open(new_charter(spec), Opening.RESUME) as journal:
            assert journal.charter == first


def test_a_run_of_another_spec_is_refused_with_the_difference(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "t")
    with folder.locked():
        folder.open(new_charter(spec_of(blocks=6)), Opening.NEW).close()
        with pytest.raises(FolderError, match=r"-blocks = 6\n  \+blocks = 7\n"):
            folder.open(new_charter(spec_of(blocks=7)), Opening.RESUME)


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "t")
    with folder.locked(), pytest.raises(FolderError, match=r"no run in .* to resume"):
        folder.open(new_charter(spec_of()), Opening.RESUME)


def test_what_cannot_be_resumed_leaves_no_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "runs" / "t")
    with (
        pytest.raises(FolderError, match=r"no run in .* to resume; leave out --resume"),
        folder.locked(Opening.RESUME),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_two_runners_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "t")
    with (
        folder.locked(),
        pytest.raises(FolderError, match=r"in use by another runner \(process \d+\)"),
        folder.locked(),
    ):
        pass
    with folder.locked():
        pass


def test_a_path_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = RunFolder(tmp_path / "file" / "t")
    with (
        pytest.raises(FolderError, match="cannot be a run folder: Not a directory"),
        folder.locked(),
    ):
        pass


def test_a_fresh_run_leaves_alone_what_no_run_wrote(tmp_path: Path) -> None:
    folder, charter = RunFolder(tmp_path), new_charter(spec_of())
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with folder.locked():
        folder.open(charter, Opening.FRESH).close()
    assert notes.read_text() == "mine"


def _finished(journal: Journal) -> None:
    journal.begin(0, 0)
    journal.finish(block_of(0, (0, 1, 2, 3), lambda copy, seat, bot: bot), b"")


def test_a_fresh_run_that_comes_to_nothing_leaves_the_earlier_one(
    tmp_path: Path,
) -> None:
    folder, charter = RunFolder(tmp_path / "t"), new_charter(spec_of(blocks=6))
    with folder.locked():
        with folder.open(charter, Opening.NEW) as journal:
            _finished(journal)
        folder.results.write_text("earlier")
        folder.record(0).parent.mkdir()
        folder.record(0).write_text("record")
        other = new_charter(spec_of(blocks=7))
        with folder.open(other, Opening.FRESH) as journal:
            assert journal.charter == other
            journal.begin(0, 0)
            folder.logs.mkdir()
        assert not folder.results.exists()
        assert folder.settle()
        with folder.open(charter, Opening.RESUME) as journal:
            assert len(journal.committed()) == 1
    assert folder.results.read_text() == "earlier"
    assert folder.record(0).read_text() == "record"
    assert not folder.logs.exists()
    assert not folder.replaced.exists()


def test_a_fresh_run_replaces_the_earlier_one_with_its_first_block(
    tmp_path: Path,
) -> None:
    folder, charter = RunFolder(tmp_path / "t"), new_charter(spec_of())
    with folder.locked():
        with folder.open(charter, Opening.NEW) as journal:
            _finished(journal)
        folder.results.write_text("earlier")
        with folder.open(charter, Opening.FRESH) as journal:
            _finished(journal)
        assert not folder.settle()
    assert not folder.results.exists()
    assert not folder.replaced.exists()


@pytest.mark.parametrize("moved", range(1, 5))
def test_a_kill_while_a_run_is_set_aside_loses_nothing(
    tmp_path: Path, moved: int
) -> None:
    folder, charter = RunFolder(tmp_path / "t"), new_charter(spec_of())
    with folder.locked():
        with folder.open(charter, Opening.NEW) as journal:
            _finished(journal)
        folder.results.write_text("earlier")
        folder.report.write_text("earlier")
        parts = (folder.journal, folder.spec, folder.results, folder.report)
        folder.replaced.mkdir()
        for part in parts[:moved]:
            part.rename(folder.replaced / part.name)
        with folder.open(charter, Opening.RESUME) as journal:
            assert len(journal.committed()) == 1
    assert all(part.exists() for part in parts)


def test_a_half_made_journal_of_a_killed_runner_is_made_anew(tmp_path: Path) -> None:
    folder, charter = RunFolder(tmp_path), new_charter(spec_of())
    (tmp_path / "run.db.new").write_bytes(b"SQLite format 3\x00 and then nothing")
    with folder.locked(), folder.open(charter, Opening.NEW) as journal:
        assert journal.charter == charter
