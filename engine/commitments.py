"""Promises about seeds: a Merkle root now, one seed with its proof later.

A root covers up to `GROUP` blocks. Leaves hash 44 bytes and inner nodes 64, so that
neither can be passed off as the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from struct import Struct
from typing import Final

GROUP: Final = 1_024

_BLOCK_AND_ATTEMPT: Final = Struct(">QI")


def leaf(block: int, attempt: int, seed: bytes) -> bytes:
    """SHA-256 of u64be block, u32be attempt and the block's seed of 32 bytes."""
    return hashlib.sha256(_BLOCK_AND_ATTEMPT.pack(block, attempt) + seed).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Of one leaf or more; the left part of a node is the largest power of two."""
    if len(leaves) == 1:
        return leaves[0]
    left = _left_part(len(leaves))
    return _node(root(leaves[:left]), root(leaves[left:]))


def proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """What stands beside the path from a leaf to the root, from the bottom up."""
    if len(leaves) == 1:
        return []
    left = _left_part(len(leaves))
    if index < left:
        return [*proof(leaves[:left], index), root(leaves[left:])]
    return [*proof(leaves[left:], index - left), root(leaves[:left])]


def is_proved(
    promised: bytes, opened: bytes, *, index: int, leaves: int, beside: Sequence[bytes]
) -> bool:
    """Whether leaf `opened` stands at `index` of `leaves` under the root `promised`."""
    if not 0 <= index < leaves:
        return False
    return _rebuilt(opened, index, leaves, list(beside)) == promised


def _rebuilt(
    opened: bytes, index: int, leaves: int, beside: list[bytes]
) -> bytes | None:
    if leaves == 1:
        return None if beside else opened
    if not beside:
        return None
    sibling = beside.pop()
    left = _left_part(leaves)
    in_left = index < left
    below = (index, left) if in_left else (index - left, leaves - left)
    found = _rebuilt(opened, *below, beside)
    if found is None:
        return None
    return _node(found, sibling) if in_left else _node(sibling, found)


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(left + right).digest()


def _left_part(leaves: int) -> int:
    left = 1
    while left + left < leaves:
        left += left
    return left
