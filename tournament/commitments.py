"""What a run promises about its deals before they are played, and how it is opened.

The seeds of up to 1,024 blocks are fixed by one Merkle root, which is published before
the first prompt of any of them; an attempt that nobody foresaw gets a root of its own.
A seed is opened when its block is committed, or when it was voided and no process will
meet its deals again; all of them are with the secret, at the end of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.commitments import GROUP, leaf, proof, root
from engine.shuffle import block_seed


class Secret(NamedTuple):
    """What all seeds of a run follow from."""

    secret: bytes
    nonces: bytes

    def seed(self, block: int, attempt: int) -> bytes:
        """Give the seed of a block."""
        return block_seed(self.secret, block, attempt, self.nonces)

    def leaf(self, block: int, attempt: int) -> bytes:
        """Give what stands for that seed below a root."""
        return leaf(block, attempt, self.seed(block, attempt))


class Promise(NamedTuple):
    """The root over one attempt of `blocks` blocks from `first` on."""

    first: int
    blocks: int
    attempt: int
    root: bytes

    def __str__(self) -> str:
        """Say it in two lines of at most 80 columns."""
        last = self.first + self.blocks - 1
        which = f"block {last}" if self.blocks == 1 else f"blocks {self.first}-{last}"
        again = f", attempt {self.attempt + 1}" if self.attempt else ""
        return (
            f"commitment to the deals of {which}{again} (SHA-256 Merkle root):\n"
            f"  {self.root.hex()}"
        )


def promise(secret: Secret, block: int, attempt: int, *, blocks: int) -> Promise:
    """Give the promise that covers an attempt of a block, in a run of `blocks`."""
    if attempt:
        return Promise(block, 1, attempt, secret.leaf(block, attempt))
    first = block - block % GROUP
    count = min(GROUP, blocks - first)
    return Promise(first, count, 0, root(_leaves(secret, first, count)))


class Opened(NamedTuple):
    """A seed, and what proves that it was promised: see `engine.commitments`."""

    block: int
    attempt: int
    seed: bytes
    beside: tuple[bytes, ...]


def opened(
    secret: Secret, attempts: Iterable[tuple[int, int]], *, blocks: int
) -> Iterator[Opened]:
    """Open the seeds of these attempts, in the order given."""
    known: tuple[int, list[bytes]] = (-1, [])
    for block, attempt in attempts:
        beside: list[bytes] = []
        if not attempt:
            first = block - block % GROUP
            if known[0] != first:
                count = min(GROUP, blocks - first)
                known = first, _leaves(secret, first, count)
            beside = proof(known[1], block - first)
        yield Opened(block, attempt, secret.seed(block, attempt), tuple(beside))


def _leaves(secret: Secret, first: int, count: int) -> list[bytes]:
    return [secret.leaf(block, 0) for block in range(first, first + count)]


class Disclosure(NamedTuple):
    """What a run has published; with the `secret` there is nothing left to be opened.

    `opened` are single seeds, while the run goes on.
    """

    promises: tuple[Promise, ...]
    secret: Secret | None
    opened: tuple[Opened, ...]


def disclosure(
    secret: Secret,
    promises: Iterable[Promise],
    attempts: Sequence[tuple[int, int]],
    *,
    committed: int,
    blocks: int,
    ended: bool,
) -> Disclosure:
    """Open what may be opened after the first `committed` of a run's `blocks`.

    A run that has `ended`, be it early, has nothing to hide. `attempts` are all that
    began. Of a block that is not committed those that a later attempt has replaced are
    opened, as nobody will be dealt them again.
    """
    made = tuple(promises)
    if ended:
        return Disclosure(made, secret, ())
    latest = dict(sorted(attempts))
    settled = [
        (block, attempt)
        for block, attempt in attempts
        if block < committed or attempt < latest[block]
    ]
    return Disclosure(made, None, tuple(opened(secret, settled, blocks=blocks)))
