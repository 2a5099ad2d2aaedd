"""What has once been on the wire keeps its name, its number and its type.

`proto/v1.binpb` is the protocol as it was first kept; buf compares the sources with it.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT

PROTO = ROOT / "proto"
BUF = Path(sys.executable).parent / "buf"


def broken(proto: Path) -> str:
    """What buf finds broken, a line each; empty where nothing is."""
    run = subprocess.run(
        [BUF, "breaking", proto, "--against", PROTO / "v1.binpb"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert bool(run.returncode) == bool(run.stdout), run.stderr
    return run.stdout


def test_the_protocol_breaks_nothing_that_was_kept() -> None:
    assert broken(PROTO) == ""


@pytest.mark.parametrize(
    ("source", "kept", "changed"),
    [
        ("cards", "CARD_AS = 52;", "CARD_AS = 90;"),
        ("cards", "CARD_2C = 1;", "CARD_TWO = 1;"),
        ("match", "BID_STATE_OPEN = 3;", "BID_STATE_OPEN = 9;"),
        ("match", "uint32 size = 12;", "uint32 size = 99;"),
        ("match", "uint32 size = 12;", "uint64 size = 12;"),
        ("tables", "optional uint32 bid = 4;", "uint32 bid = 4;"),
        ("frames", "Answer answer = 2;", ""),
        ("tables", "rpc PlayCard(", "rpc Play("),
    ],
)
def test_a_change_is_noticed(
    tmp_path: Path, source: str, kept: str, changed: str
) -> None:
    proto = tmp_path / "proto"
    shutil.copytree(PROTO, proto, ignore=shutil.ignore_patterns("python"))
    path = proto / "ohhell" / "v1" / f"{source}.proto"
    text = path.read_text(encoding="utf-8")
    assert kept in text
    path.write_text(text.replace(kept, changed), encoding="utf-8")
    assert f"{source}.proto" in broken(proto)
