"""The reference of the protocol is what the comments of its sources say."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "reference", ROOT / "proto" / "reference.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_up_to_date() -> None:
    reference = maker()
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page()


def test_everything_in_it_is_described() -> None:
    page = maker().page()
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) > 300
    assert not [row for row in rows if row.endswith("|  |")]
