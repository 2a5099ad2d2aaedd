"""`ohhell tournament verify` on a real run, as it is and with something changed."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.runs import open_run
from cli.verifying import checked
from tests.doubles.command import Ohhell, double, house

HOUSE = house("expected-tricks", "greedy", "lowest", "random")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ohhell = Ohhell(tmp_path_factory.mktemp("verify"))
    assert ohhell.run("tournament", "run", ohhell.spec(HOUSE, blocks=2)).returncode == 0
    return ohhell.folder


@pytest.fixture
def ohhell(played: Path, tmp_path: Path) -> Ohhell:
    """A copy of the same run, to be changed."""
    shutil.copytree(played / "runs", tmp_path / "runs")
    return Ohhell(tmp_path)


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as journal, journal:
        assert journal.execute(statement, values).rowcount


def test_a_run_as_it_was_played_agrees(ohhell: Ohhell) -> None:
    ended = ohhell.run("tournament", "verify", "t")
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout == "runs/t: 2 blocks, 8 matches, 1 commitment: all agree\n"
    told = json.loads(ohhell.run("tournament", "verify", "t", "--json").stdout)
    assert told == {"blocks": 2, "matches": 8, "commitments": 1, "differences": []}


def _other_secret(run: Path) -> None:
    change(run, "UPDATE run SET secret = ?", bytes(32))


def _other_root(run: Path) -> None:
    change(run, "UPDATE promises SET root = ?", bytes(32))


def _root_of_more(run: Path) -> None:
    change(run, "UPDATE promises SET blocks = ?", 1_000_000_000)


def _no_root(run: Path) -> None:
    change(run, "DELETE FROM promises")


def _other_attempt(run: Path) -> None:
    row = json.loads(_stored(run, "result", 0))
    row[1] = 3
    change(run, "UPDATE blocks SET result = ?, attempt = 3 WHERE block = 0", _text(row))


def _other_totals(run: Path) -> None:
    row = json.loads(_stored(run, "result", 0))
    row[3][2][1][0] += 1
    change(run, "UPDATE blocks SET result = ? WHERE block = 0", _text(row))


def _other_seats(run: Path) -> None:
    row = json.loads(_stored(run, "result", 1))
    row[2].reverse()
    change(run, "UPDATE blocks SET result = ? WHERE block = 1", _text(row))


def _bots_of_nowhere(run: Path) -> None:
    row = json.loads(_stored(run, "result", 1))
    row[2] = row[3][0][0] = [99, 98, 97, 96]
    for copy in row[3]:
        copy[0] = row[2]
    change(run, "UPDATE blocks SET result = ? WHERE block = 1", _text(row))


def _other_card(run: Path) -> None:
    """Deal two cards of other suits, and keep everything else legal or not."""
    packed = _stored(run, "records", 1)
    text = gzip.decompress(packed).decode()
    head, dealt, *rest = text.split("\n")
    fields = json.loads(dealt)
    hands = fields["dealt"]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    forged = "\n".join([head, json.dumps(fields), *rest])
    change(
        run,
        "UPDATE blocks SET records = ? WHERE block = 1",
        gzip.compress(forged.encode(), mtime=0),
    )


def _damaged(packed: bytes) -> bytes:
    """Break the compressed stream itself, behind the head of the file."""
    return packed[:12] + bytes(255 - byte for byte in packed[12:60]) + packed[60:]


def _damaged_records(run: Path) -> None:
    packed = _damaged(_stored(run, "records", 1))
    change(run, "UPDATE blocks SET records = ? WHERE block = 1", packed)


def _other_file(run: Path) -> None:
    shutil.copy(run / "records" / "0.jsonl.gz", run / "records" / "1.jsonl.gz")


def _no_file(run: Path) -> None:
    (run / "records" / "1.jsonl.gz").unlink()


def _other_results(run: Path) -> None:
    document = json.loads((run / "results.json").read_text())
    document["standings"][0]["rating"] = 2000.0
    (run / "results.json").write_text(json.dumps(document, indent=2))


def _other_spec(run: Path) -> None:
    (run / "spec.toml").write_text("")


def _stored(run: Path, column: str, block: int) -> bytes:
    with closing(sqlite3.connect(run / "run.db")) as journal:
        row = journal.execute(
            f"SELECT {column} FROM blocks WHERE block = ?",  # noqa: S608 - two names of ours
            (block,),
        ).fetchone()
    value = row[0]
    return value if isinstance(value, bytes) else value.encode()


def _text(row: object) -> str:
    return json.dumps(row, separators=(",", ":"))


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (_other_secret, "the secret does not follow from seed = 11"),
        (_other_root, "block 0: the root is not that of the seeds"),
        (_root_of_more, "block 0: promised for more than there are"),
        (_no_root, "block 0 was played without a commitment"),
        (_other_attempt, "block 0, attempt 4 ended and never began"),
        (_other_totals, "block 0, copy 2: its record does not sum up to the result"),
        (_other_seats, "block 1 seats other bots than the schedule does"),
        (_bots_of_nowhere, "run.db is damaged (block 1: bots (99, 98, 97, 96) in 4"),
        (_other_card, "block 1, copy 0: its record does not follow from the seed"),
        (_damaged_records, "block 1: the journal's records cannot be read: Error -3"),
        (_other_file, "records/1.jsonl.gz differs from the journal"),
        (_no_file, "records/1.jsonl.gz is missing"),
        (_other_results, "results.json does not follow from the 2 committed blocks ("),
        (_other_spec, "spec.toml is not the spec that was played"),
    ],
)
def test_what_was_changed_is_named(
    ohhell: Ohhell, forge: Callable[[Path], None], said: str
) -> None:
    forge(ohhell.folder / "runs" / "t")
    with open_run(ohhell.folder / "runs", "t") as run:
        differences = checked(*run).differences
    assert any(said in difference for difference in differences), differences


def test_a_damaged_record_is_told_instead_of_replayed(ohhell: Ohhell) -> None:
    record = ohhell.folder / "runs/t/records/1.jsonl.gz"
    record.write_bytes(_damaged(record.read_bytes()))
    ended = ohhell.run("replay", "t:1.0")
    assert ended.returncode == 2
    assert "1.jsonl.gz cannot be read: Error -3" in ended.stderr


def test_a_difference_ends_in_a_status_of_its_own(ohhell: Ohhell) -> None:
    _no_file(ohhell.folder / "runs" / "t")
    ended = ohhell.run("tournament", "verify", "t")
    assert ended.returncode == 1
    assert ended.stdout == (
        "! records/1.jsonl.gz is missing\n"
        "runs/t: 2 blocks, 8 matches, 1 commitment: differences: 1\n"
    )


def test_a_run_with_faults_and_deals_of_their_own_agrees(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    bots = double("illegal_card") + house("greedy", "lowest", "random")
    spec = ohhell.spec(bots, blocks=5, top='duplicate = "off"\n')
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode in (0, 3), ended.stderr
    ended = ohhell.run("tournament", "verify", "t")
    assert ended.returncode == 0, ended.stdout
