"""Known faults of other software, held to the tests that would find them here."""

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CASES: dict[str, dict[str, object]] = tomllib.loads(
    (TESTS / "cases.toml").read_text(encoding="utf-8")
)
FIELDS = {"fault", "tests", "absent", "open"}


@cache
def names_in(module: str) -> frozenset[str]:
    """The tests that a module defines."""
    tree = ast.parse((TESTS / module).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, functions))


@pytest.mark.parametrize("number", CASES)
def test_a_case_is_tried_by_tests_that_are_there(number: str) -> None:
    case = CASES[number]
    assert number.isdecimal()
    assert case["fault"]
    assert case.keys() <= FIELDS
    named = case["tests"]
    assert isinstance(named, list)
    assert named, "even what cannot happen has tests of what stands in its place"
    for name in named:
        module, _, function = name.partition("::")
        assert function in names_in(module), name


def test_no_case_is_left_out() -> None:
    numbers = [*map(int, CASES)]
    assert numbers == sorted(numbers)
    assert len(numbers) == 55
