"""What import contracts cannot say: things that are done in one place, or nowhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.project.tree import PACKAGES, ROOT

SEEDED = {"Random", "PCG64"}
"""Generators of random numbers that are used, always with a seed."""


def modules(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    for package in packages:
        for path in sorted(PACKAGES[package].rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield path.relative_to(ROOT).as_posix(), tree


def imported(tree: ast.Module) -> set[str]:
    """Top-level names of imported modules."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def is_unseeded(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name == "random" for alias in names)
        case ast.ImportFrom(module="random" | "numpy.random", names=names):
            return not {alias.name for alias in names} <= SEEDED
        case ast.Attribute(value=ast.Attribute(attr="random"), attr=name):
            return name not in SEEDED
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[]):
            return name in SEEDED
        case _:
            return False


def test_the_server_reads_time_in_one_module() -> None:
    clocks = {"time", "datetime"}
    readers = [name for name, tree in modules("server") if imported(tree) & clocks]
    assert readers == ["server/clock.py"]


def test_a_table_has_no_task_timer_or_loop() -> None:
    trees = dict(modules("server"))
    for name in (
        "server/table.py",
        "server/audience.py",
        "server/guard.py",
        "server/players/seat.py",
        "server/players/session.py",
        "server/seat_clocks.py",
    ):
        assert not imported(trees[name]) & {"asyncio", "threading", "concurrent"}, name


def test_what_is_drawn_is_drawn_from_seeds() -> None:
    # The server draws nothing but waits between attempts to reach somebody.
    unseeded = [
        f"{name}: {ast.unparse(node)}"
        for name, tree in modules("engine", "tournament", "bots", "cli")
        for node in ast.walk(tree)
        if is_unseeded(node)
    ]
    assert not unseeded
