"""What a card that was played tells of the rest of the hand it came from."""

from __future__ import annotations

from functools import lru_cache

from engine.legality import Duties, legal_kinds
from engine.pack import BIT, kinds_in


# Views of one deal ask for the same plays again and again.
@lru_cache(maxsize=8192)
def ruled_out(
    duties: Duties, k: int, trump: int, suit: int, beats: int, trick: int
) -> int:
    """Kinds that were not in the hand when `k` was played; arguments as `legal_kinds`.

    Duties speak of one card at a time: a play is illegal exactly if some single other
    card of the hand makes it so. Asking about each is all there is to infer, and keeps
    the duties stated in one place.
    """
    never = 0
    for other in kinds_in(duties.all_mask):
        pair = BIT[k] | BIT[other]
        if not legal_kinds(duties, pair, trump, suit, beats, trick) & BIT[k]:
            never |= BIT[other]
    return never
