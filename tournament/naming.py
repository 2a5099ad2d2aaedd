"""How many names a message holds, where a field may have hundreds."""

from __future__ import annotations

from collections.abc import Sequence

NAMES_TOLD = 10


def some_of(names: Sequence[str], between: str = ", ") -> str:
    """Join the first names, and count the rest."""
    told = between.join(names[:NAMES_TOLD])
    more = len(names) - NAMES_TOLD
    return f"{told}{between}and {more} more" if more > 0 else told
