"""Each import contract bites: broken once in a copy of the tree, it is named."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project.tree import PACKAGES, ROOT, project

CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in project(ROOT / "pyproject.toml")["tool"]["importlinter"][
        "contracts"
    ]
}


class Breach(NamedTuple):
    contract: str
    package: str
    forbidden_import: str


BREACHES = [
    Breach("layers", "engine", "import server"),
    Breach("layers", "server", "import tournament"),
    Breach("layers", "tournament", "import cli"),
    Breach("pure-engine", "engine", "import time"),
    Breach("pure-engine", "engine", "from random import random"),
    Breach("pure-engine", "engine", "import ohhell.v1"),
    Breach("one-way-out", "server", "from engine.deal import Deal"),
    Breach("one-way-out", "tournament", "from engine.deal import Deal"),
    Breach("house-bots", "bots", "import server"),
    Breach("house-bots", "bots", "import grpc"),
    Breach("bots-handed-in", "server", "import bots"),
    Breach("bots-handed-in", "tournament", "import ohhell_bot"),
    Breach("bot-library", "ohhell_bot", "import engine"),
    Breach("bot-library", "ohhell_bot", "import numpy"),
    Breach("wire", "ohhell", "import engine"),
    Breach("grpc", "server", "import grpc"),
    Breach("grpc", "tournament", "import google.protobuf"),
    Breach("grpc", "cli", "from grpc import aio"),
    Breach("wire-users", "cli", "from ohhell.v1 import match_pb2"),
    Breach("sql", "server", "import sqlalchemy"),
    Breach("sql", "cli", "from sqlalchemy import create_engine"),
]

Lint = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for source in PACKAGES.values():
        shutil.copytree(
            source,
            copy / source.relative_to(ROOT),
            ignore=shutil.ignore_patterns("__pycache__", "*.pyi"),
        )
    return copy


@pytest.fixture(scope="module")
def lint(tree: Path) -> Lint:
    paths = [tree / path.relative_to(ROOT).parent for path in PACKAGES.values()]

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [Path(sys.executable).with_name("lint-imports"), "--no-logo", *options],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_tree_keeps_every_contract(lint: Lint) -> None:
    result = lint()
    assert result.returncode == 0, result.stdout
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in result.stdout


def test_every_contract_is_broken_once_here() -> None:
    assert {breach.contract for breach in BREACHES} == set(CONTRACTS)


@pytest.mark.parametrize(
    "breach",
    BREACHES,
    ids=[f"{b.contract}: {b.package}, {b.forbidden_import}" for b in BREACHES],
)
def test_a_forbidden_import_breaks_its_contract(
    breach: Breach, tree: Path, lint: Lint
) -> None:
    package = tree / PACKAGES[breach.package].relative_to(ROOT)
    module = package / "breach.py"
    module.write_text(f"{breach.forbidden_import}\n", encoding="utf-8")
    try:
        result = lint("--contract", breach.contract)
    finally:
        module.unlink()
    assert result.returncode == 1, result.stdout
    assert re.search(
        rf"^{re.escape(CONTRACTS[breach.contract])} BROKEN", result.stdout, re.MULTILINE
    ), result.stdout
