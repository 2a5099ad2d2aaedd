"""Hypothesis profiles: tests have no clock, so neither have their examples."""

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("deep", deadline=None, max_examples=5_000)
settings.load_profile("default")
