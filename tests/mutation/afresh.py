"""A pytest plugin for mutants: nothing that the original computed is used for them.

mutmut forks every run from one process that has run all tests, and knows from that run
which tests use a function. Tables that functions of the engine keep, and constants of
test modules, would be those of the original, and be used by one test alone.
"""

from __future__ import annotations

import sys


def pytest_configure() -> None:
    for name in [*sys.modules]:
        if name.startswith(("tests.unit", "tests.conformance")):
            del sys.modules[name]


def pytest_runtest_setup() -> None:
    for name, module in sys.modules.items():
        if name.startswith("engine."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
