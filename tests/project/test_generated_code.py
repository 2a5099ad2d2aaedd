"""The committed protobuf code is what the sources make."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_generated_code_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location(
        "generate", ROOT / "proto" / "generate.py"
    )
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.differences(ROOT / "proto" / "python") == []
