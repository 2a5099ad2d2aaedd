"""Whether bots can be given namespaces of their own on this machine."""

from __future__ import annotations

import pytest

from tournament.launcher import Confinement, IllegalConfinement


def _trouble() -> str:
    try:
        Confinement(bubblewrap=True).check()
    except IllegalConfinement as error:
        return str(error)
    return ""


needs_bubblewrap = pytest.mark.skipif(_trouble() != "", reason=_trouble() or "-")
