"""Secrets that are told once, of which only a hash is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import lru_cache

BOT_TOKEN = "ohb_"  # noqa: S105 - the public beginning of every bot token
SEAT_TOKEN = "ohs_"  # noqa: S105 - the public beginning of every seat token
ADMIN_TOKEN = "oha_"  # noqa: S105 - the public beginning of an operator's token
TICKET = "oht_"
BEGINNINGS = (BOT_TOKEN, SEAT_TOKEN, ADMIN_TOKEN, TICKET)
Mint = Callable[[str], str]
"""Makes the next secret, which begins like this."""
SHOWN_LENGTH = 12
"""Characters of a token that may be shown: they tell tokens apart."""


def new_secret(beginning: str) -> str:
    """A secret of 256 random bits."""
    return beginning + secrets.token_urlsafe(32)


@lru_cache(maxsize=4096)
def secret_hash(secret: str) -> bytes:
    """What is kept of a secret; it is random, so that no salt is needed.

    Those who act by single calls show the same one in every call.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def shown(secret: str) -> str:
    """The part of a secret that may be shown."""
    return secret[:SHOWN_LENGTH]
