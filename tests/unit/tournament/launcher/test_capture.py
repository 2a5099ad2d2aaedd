"""The log of a bot's output keeps its two ends and never grows past them."""

import os
from pathlib import Path

import pytest

from tournament.launcher.supervisor import capture
from tournament.launcher.supervisor.capture import Capture

LONGEST_GAP_LINE = 80


@pytest.fixture(autouse=True)
def _small_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "HEAD", 100)
    monkeypatch.setattr(capture, "TAIL", 50)


def test_short_output_is_kept_as_it_is(tmp_path: Path) -> None:
    log = Capture(str(tmp_path / "log"))
    log.write(b"one\n")
    log.write(b"two\n")
    log.close()
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_long_output_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    printed = b"".join(b"%04d\n" % number for number in range(1000))
    log = Capture(str(tmp_path / "log"))
    for start in range(0, len(printed), 7):
        log.write(printed[start : start + 7])
    log.close()
    kept = (tmp_path / "log").read_bytes()
    left_out = len(printed) - 150
    gap = b"\n--- left out here, in bytes: %d ---\n" % left_out
    assert kept == printed[:100] + gap + printed[-50:]


def test_an_output_that_just_fills_both_ends_loses_nothing(tmp_path: Path) -> None:
    printed = bytes(range(100)) + bytes(50)
    log = Capture(str(tmp_path / "log"))
    log.write(printed)
    log.close()
    kept = (tmp_path / "log").read_bytes()
    assert kept.startswith(printed[:100])
    assert b"in bytes: 0 ---" in kept
    assert kept.endswith(printed[100:])


def test_reopening_goes_on_within_the_same_limit(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for start in range(10):
        log = Capture(str(path))
        log.write(b"start %d\n" % start + b"x" * 200)
        log.close()
        assert path.stat().st_size <= 150 + LONGEST_GAP_LINE
    kept = path.read_bytes()
    assert kept.startswith(b"start 0\n")
    assert kept.count(b"left out here") == 1
    printed = 10 * 208 + 9 * len(b"--- started again ---\n")
    assert b"in bytes: %d ---" % (printed - 150) in kept


def test_the_end_reaches_the_disk_while_the_bot_still_runs(tmp_path: Path) -> None:
    log = Capture(str(tmp_path / "log"))
    log.write(b"x" * 200 + b"newest")
    log.rewrite_if_due()
    assert (tmp_path / "log").read_bytes().endswith(b"newest")
    log.close()


def test_the_last_lines_are_whole_lines_of_the_newest_start(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"of an earlier start\n")
    log = Capture(str(tmp_path / "log"))
    assert log.last_lines() == ""
    log.write(b"".join(b"line %05d\n" % number for number in range(2000)))
    lines = log.last_lines().splitlines()
    assert lines[-1] == "line 01999"
    assert all(len(line) == len("line 00000") for line in lines)
    log.close()


def test_bytes_that_are_no_text_can_be_shown(tmp_path: Path) -> None:
    log = Capture(str(tmp_path / "log"))
    log.write(b"\xff\xfe bad\n")
    assert log.last_lines() == "\ufffd\ufffd bad"
    log.close()


def test_a_log_that_cannot_be_opened_is_reported_and_harmless(tmp_path: Path) -> None:
    log = Capture(str(tmp_path / "no folder" / "log"))
    log.write(b"lost\n")
    log.close()
    assert log.error == os.strerror(2)
    assert log.last_lines() == "lost"
