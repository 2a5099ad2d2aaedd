"""What is kept of a call that may be repeated, so that it has its effect only once.

The store keeps no secret, so it cannot keep an answer that holds some. It keeps a salt
instead: with that and the request id, of which it has a hash only, the secrets of the
first answer are made once more.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from itertools import count
from typing import Final

from server.tokens import Mint

KEPT_FOR_S: Final = 86_400
"""After the first of the calls."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Stored together with what the call did."""

    call: bytes
    """Hash of method, caller and request id."""
    request: bytes
    """Hash of the request."""
    salt: bytes
    """32 random bytes."""
    table: str = ""
    seat: int | None = None


def minting(salt: bytes, request_id: str) -> Mint:
    """Makes secrets in order: each time the same, and for nobody without the id."""
    numbers = count()

    def mint(beginning: str) -> str:
        named = f"{request_id} {beginning}{next(numbers)}".encode()
        made = hmac.digest(salt, named, "sha256")
        return beginning + urlsafe_b64encode(made).rstrip(b"=").decode()

    return mint
