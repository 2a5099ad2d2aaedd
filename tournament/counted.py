"""Numbers of things, in words that fit one of them too."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Say `1 block` or `2 blocks`: `thing` is one of them, and takes an s."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
