"""What a distribution imports, it asks for: nothing works by what tests bring along."""

import ast
import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.tree import PROJECTS, ROOT, project


def _folders(path: Path) -> list[Path]:
    """Return the import packages of a project."""
    wheel = project(path)["tool"]["hatch"]["build"]["targets"]["wheel"]
    return [path.parent / name for name in wheel["packages"]]


def _declared(path: Path) -> set[str]:
    described = project(path)["project"]
    optional = described.get("optional-dependencies", {})
    return {
        canonicalize_name(Requirement(text).name)
        for texts in (described["dependencies"], *optional.values())
        for text in texts
    }


def _providers() -> dict[str, set[str]]:
    """Return the distributions that bring each import name."""
    providers: dict[str, set[str]] = {
        name: set(map(canonicalize_name, distributions))
        for name, distributions in importlib.metadata.packages_distributions().items()
    }
    for path in PROJECTS:  # installed as paths, which say nothing of what lies there
        for folder in _folders(path):
            providers[folder.name] = {project(path)["project"]["name"]}
    return providers


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Give what runs: imports for type checkers alone need no distribution."""
    yield node
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                pass
            case _:
                yield from _run(child)


def _imported(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*.py")):
        if "templates" in path.parts:  # of projects of other people
            continue
        for node in _run(ast.parse(path.read_bytes())):
            match node:
                case ast.Import(names=names):
                    for alias in names:
                        yield path, alias.name.partition(".")[0]
                case ast.ImportFrom(module=str(module), level=0):
                    yield path, module.partition(".")[0]
                case _:
                    pass


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_import_is_of_a_declared_dependency(path: Path) -> None:
    providers = _providers()
    own = {folder.name for folder in _folders(path)}
    undeclared = {
        f"{source.relative_to(ROOT)} imports {name}"
        for folder in _folders(path)
        for source, name in _imported(folder)
        if name not in own | sys.stdlib_module_names
        and not _declared(path) & providers.get(name, set())
    }
    assert not undeclared
