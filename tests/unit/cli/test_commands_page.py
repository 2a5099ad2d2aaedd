"""The page about commands: its examples run, its shapes are those printed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app

PAGE = (Path(__file__).parents[3] / "docs" / "commands.md").read_text("utf-8")
EXAMPLES = re.findall(r"^(ohhell .*)$", PAGE, re.MULTILINE)
SPEC = '[rules]\npreset = "bust"\n[rules.overrides]\nhook = false\n'


def output(example: str, *more: str) -> str:
    arguments = [*shlex.split(example)[1:], *more]
    ended = CliRunner().invoke(app, arguments, input="quit\n")
    assert ended.exit_code == 0, ended.output
    return ended.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(SPEC)
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_runs_within_80_columns(example: str, folder: Path) -> None:
    lines = output(example).splitlines()
    assert lines
    if "--json" not in example:
        assert [line for line in lines if len(line) > 80] == []


@pytest.mark.parametrize(
    "example", [e for e in EXAMPLES if " play" not in e and "--words" not in e]
)
def test_every_key_of_a_document_is_on_the_page(example: str, folder: Path) -> None:
    document = json.loads(output(example, *["--json"] * ("--json" not in example)))
    section = PAGE.split("\n## " + " ".join(example.split()[:3]))
    section = section if len(section) > 1 else PAGE.split("\n## ohhell simulate")
    text = section[1].split("\n## ")[0]
    found = set(keys(document))
    assert found
    known = {key for key in found if re.search(rf"\b{key}\b", text)}
    errors = {key for key in found if key.removesuffix("_error") in known}
    assert found - known - errors == set()


def keys(document: object) -> list[str]:
    """Names of a document's parts; what is inside parameters belongs to the rules."""
    if isinstance(document, list):
        return [key for item in document for key in keys(item)]
    if not isinstance(document, dict):
        return []
    names = list(document)
    inside = [
        key
        for name, item in document.items()
        if name not in ("parameters", "hashes", "made", "premium", "coefficients")
        and name != "values"
        for key in keys(item)
    ]
    return names + inside
