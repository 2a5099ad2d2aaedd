"""What is installed is ours, pinned, and agrees with what generated the code."""

import importlib.metadata
import importlib.util
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.tree import PACKAGES, PROJECTS, ROOT, project

LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
IMAGE_LOCK = ROOT / "deploy" / "requirements.lock"


def _pins(lock: Path) -> dict[str, set[str]]:
    """Versions by name; more than one where they differ by Python version."""
    pins: dict[str, set[str]] = {}
    text = lock.read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE):
        pins.setdefault(name, set()).add(version)
    return pins


def _requirements(path: Path) -> list[Requirement]:
    described = project(path)["project"]
    return [Requirement(text) for text in described["dependencies"]]


@pytest.mark.parametrize("name", PACKAGES)
def test_an_import_name_of_ours_is_imported_from_this_tree(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).parent == PACKAGES[name]


def test_no_other_distribution_claims_an_import_name_of_ours() -> None:
    ours = {project(path)["project"]["name"] for path in PROJECTS}
    claims = importlib.metadata.packages_distributions()
    strangers = {name: set(claims.get(name, ())) - ours for name in PACKAGES}
    assert not any(strangers.values()), strangers


@pytest.mark.parametrize(
    "lock", [*LOCKS, IMAGE_LOCK], ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_lock_names_no_address_and_no_path(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"://|file:|^-|^\s*[./~]| @ ", text, re.MULTILINE)


@pytest.mark.parametrize(
    "lock", [*LOCKS, IMAGE_LOCK], ids=lambda path: str(path.relative_to(ROOT))
)
def test_everything_in_a_lock_is_pinned_by_hash(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [
        line for line in text.splitlines() if line and not line.startswith((" ", "#"))
    ]
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry), entry


def test_the_development_lock_holds_what_runs_here_and_in_the_image() -> None:
    runtime, development = map(_pins, LOCKS)
    image = _pins(IMAGE_LOCK)
    assert runtime.items() <= image.items() <= development.items()
    assert image.keys() >= {"psycopg", "uvloop"}


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_runtime_lock_satisfies_every_dependency(path: Path) -> None:
    ours = {project(path)["project"]["name"] for path in PROJECTS}
    pins = _pins(LOCKS[0])
    for requirement in _requirements(path):
        if requirement.name not in ours:
            versions = pins.get(canonicalize_name(requirement.name), set())
            assert versions, f"{requirement} is not locked: make lock"
            assert all(map(requirement.specifier.contains, versions)), requirement


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_floors_are_the_versions_that_generated_the_code(path: Path) -> None:
    generated = PACKAGES["ohhell"] / "v1"
    messages = (generated / "cards_pb2.py").read_text(encoding="utf-8")
    stubs = (generated / "tables_pb2_grpc.py").read_text(encoding="utf-8")
    made_by = {
        "protobuf": re.search(
            r"^# Protobuf Python Version: (\S+)", messages, re.MULTILINE
        ),
        "grpcio": re.search(r"^GRPC_GENERATED_VERSION = '(\S+)'", stubs, re.MULTILINE),
    }
    floors = {
        requirement.name: requirement.specifier for requirement in _requirements(path)
    }
    for name, found in made_by.items():
        assert found is not None
        assert f">={found[1]}" in map(str, floors[name])
