"""Tokens: secrets told once, of which only a hash is kept."""

import hashlib
import secrets
from typing import NamedTuple


class Token(NamedTuple):
    """A new token. `text` is for its owner; `prefix` may be shown to anybody."""

    text: str
    prefix: str

    @property
    def hash(self) -> bytes:
        """What is kept."""
        return token_hash(self.text)


def new_token(kind: str) -> Token:
    """Make a token of 192 random bits whose prefix begins with its kind."""
    prefix = f"{kind}_{secrets.token_hex(4)}"
    return Token(f"{prefix}_{secrets.token_urlsafe(24)}", prefix)


def token_hash(text: str) -> bytes:
    """Give SHA-256; a random secret needs no salt and no slow hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
