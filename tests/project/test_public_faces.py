"""A package's face is its ``__all__``: no more, no less."""

import importlib
from types import ModuleType

import pytest


@pytest.mark.parametrize("face", ["engine", "ohhell_bot"])
def test_a_public_face_exports_what_it_lists(face: str) -> None:
    module = importlib.import_module(face)
    listed = module.__all__
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert len(listed) == len(set(listed))
    assert public - {"annotations"} == set(listed)


def test_the_engine_does_not_offer_its_hidden_state() -> None:
    # Whoever imports engine.deal is seen by the import contracts.
    assert "Deal" not in importlib.import_module("engine").__all__
