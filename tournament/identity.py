"""Who a run is, and what its deals come from."""

from __future__ import annotations

import secrets

from engine.shuffle import SEED_BYTES, published_seed
from tournament.journal import Charter
from tournament.spec import Spec


def new_charter(spec: Spec) -> Charter:
    """Draw the secret of a run, or derive it from the seed of the spec.

    Without a seed every run is a tournament of its own, so its id ends in chance.
    """
    if spec.seed is not None:
        secret = published_seed(spec.seed)
        return Charter(spec.digest, spec.expanded, secret, nonces=b"")
    tournament = f"{spec.digest}-{secrets.randbelow(10**8):08}"
    return Charter(tournament, spec.expanded, secrets.token_bytes(SEED_BYTES), b"")
