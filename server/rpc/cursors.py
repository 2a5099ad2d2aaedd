"""Page tokens: where a list goes on, for the same caller and the same question.

A token is the key of the last line, with a digest of all that it stands for: another
caller's, another filter's or a damaged one is refused instead of skipping lines. It
gives away nothing and allows nothing, so that it needs no secret.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Final, TypeVar

from grpc import StatusCode

from server.rpc.status import Problem

_DIGEST: Final = 9

Key = TypeVar("Key", int, str)


def written(key: int | str, bound: Sequence[str]) -> str:
    """The token of the page behind `key`; `bound` are the caller and all filters."""
    text = json.dumps(key).encode()
    return base64.urlsafe_b64encode(_digest(text, bound) + text).decode()


def read(token: str, bound: Sequence[str], *, of: type[Key]) -> Key | None:
    """The key that a token stands for; None for the first page."""
    if not token:
        return None
    try:
        raw = base64.b64decode(token.encode(), altchars=b"-_", validate=True)
        key = json.loads(raw[_DIGEST:])
        if isinstance(key, of) and written(key, bound) == token:
            return key
    except (ValueError, binascii.Error):
        pass
    raise Problem(
        StatusCode.INVALID_ARGUMENT,
        "PAGE_TOKEN_INVALID",
        "page tokens are given by the page before, to the same caller, for the same"
        " filters",
    )


def _digest(text: bytes, bound: Sequence[str]) -> bytes:
    return hashlib.sha256(json.dumps([text.decode(), *bound]).encode()).digest()[
        :_DIGEST
    ]
