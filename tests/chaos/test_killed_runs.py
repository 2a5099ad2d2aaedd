"""kill -9 at any instant, again and again: the run ends as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.doubles.command import Ohhell, house
from tests.doubles.runs import journal_of, spec_of
from tournament.folder import RunFolder

BLOCKS = 300

CHILD = f"""
import asyncio, sys
from pathlib import Path
from tests.doubles.runs import InstantExecutor, journal_of, spec_of
from tournament.course import Course
from tournament.folder import RunFolder
from tournament.run import RecordFiles
from tournament.runner import Runner
from tournament.stopping import Stopping

class Out:
    def committed(self, results):
        print(results[-1].block, flush=True)
    def voided(self, block, reason):
        sys.exit(reason)

folder = RunFolder(Path(sys.argv[1]))
spec = spec_of(blocks={BLOCKS})
journal = journal_of(spec, folder.path)
course = Course(spec, journal)
files = RecordFiles(folder, journal, sys.exit)  # No file is ever damaged.
files.committed(course.committed)
runner = Runner(course, InstantExecutor(), concurrency=11, audience=(files, Out()),
                stopping=Stopping())
asyncio.run(runner.run())
"""


def child(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def play_to_the_end(folder: Path) -> None:
    with child(folder) as process:
        process.communicate()
    assert process.returncode == 0


def contents(folder: Path) -> tuple[object, dict[str, bytes]]:
    with journal_of(spec_of(blocks=BLOCKS), folder) as journal:
        results = journal.committed()
    records = RunFolder(folder).records
    return results, {path.name: path.read_bytes() for path in records.iterdir()}


def test_a_journal_whose_writer_is_killed_loses_no_block_and_repeats_none(
    tmp_path: Path,
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for folder in (whole, cut):
        folder.mkdir()
    play_to_the_end(whole)
    luck = random.Random(5)  # noqa: S311 - instants of kills, not secrets
    said: list[int] = []
    for _ in range(6):
        with child(cut) as process:
            assert process.stdout is not None
            lines = islice(process.stdout, luck.randrange(1, 40))
            said += [int(line) for line in lines]
            process.kill()
        assert process.returncode == -signal.SIGKILL
        with journal_of(spec_of(blocks=BLOCKS), cut) as journal:
            committed = len(journal.committed())
        assert committed > said[-1], "a block that was told to be committed is lost"
    play_to_the_end(cut)
    assert said == sorted(set(said)), "a block was committed twice"
    assert contents(cut) == contents(whole)


def test_a_full_disk_ends_the_run_by_name_and_loses_nothing(tmp_path: Path) -> None:
    script = CHILD.replace(
        "asyncio.run(",
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "asyncio.run(",
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "JournalUnwritable: " in ended.stderr
    told = [int(line) for line in ended.stdout.split()]
    with journal_of(spec_of(blocks=BLOCKS), tmp_path) as journal:
        assert len(journal.committed()) >= told[-1] + 1
    whole = tmp_path / "whole"
    whole.mkdir()
    play_to_the_end(tmp_path)
    play_to_the_end(whole)
    assert contents(tmp_path) == contents(whole)


@pytest.mark.slow
def test_a_tournament_killed_at_random_instants_ends_with_the_same_bytes(
    tmp_path: Path,
) -> None:
    ohhell = Ohhell(tmp_path)
    bots = house("expected-tricks", "greedy", "lowest", "random")
    spec = ohhell.spec(bots, blocks=250)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    expected = ohhell.result_bytes("t")
    shutil.rmtree(tmp_path / "runs")
    luck = random.Random(6)  # noqa: S311 - instants of kills, not secrets
    resume: tuple[str, ...] = ()
    for _ in range(12):
        with ohhell.start("tournament", "run", spec, *resume) as process:
            try:
                process.communicate(timeout=luck.uniform(0.2, 4.0))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
        assert ohhell.no_process_is_left()
        resume = ("--resume",) if (tmp_path / "runs/t/run.db").exists() else ()
        if process.returncode == 0:
            break
    ended = ohhell.run("tournament", "run", spec, *resume)
    assert ended.returncode == 0, ended.stderr
    assert ohhell.result_bytes("t") == expected
