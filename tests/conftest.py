"""Hypothesis profiles: tests have no clock, so neither have their examples."""

import os
import signal

from hypothesis import settings

from tests.doubles.flavour import FLAVOUR
from tests.doubles.postgres import postgres, where

__all__ = ["postgres", "where"]

settings.register_profile("default", deadline=None)
settings.register_profile("deep", deadline=None, max_examples=5_000)
settings.load_profile("default")


# A run in the background of a shell ignores SIGINT, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    return f"engine and server: {FLAVOUR}"


def pytest_sessionstart() -> None:
    """A run that asks for one flavour never passes with the other."""
    asked = os.environ.get("FLAVOUR", FLAVOUR)
    if asked != FLAVOUR:
        raise RuntimeError(f"what is in force is {FLAVOUR}, not {asked}")
