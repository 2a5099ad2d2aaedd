"""One line of the log for each call that ends: what it was, who made it, how it ended.

What is asked all the time and went well is only told at level `debug`: the match itself
and the metrics keep it. What is refused is told so many times for each method and code,
and how often it happened beyond that is told afterwards: no flood of calls is one of
lines.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

import structlog

from server.logs import place
from server.rpc.rates import address_of
from server.rpc.untyped import Untyped

MOST: Final = 20
"""Lines for the same method and code within `WITHIN_S`."""
WITHIN_S: Final = 10.0
SHOWN: Final = 8
"""Characters of a request id: whoever knows all of it is told the answer once more."""


class CallLog:
    """Of a listener."""

    def __init__(self, quiet: Collection[str], *, within_s: float = WITHIN_S) -> None:
        """`quiet` are paths of methods."""
        self._quiet = quiet
        self._within_s = within_s
        # Bound at once: an unbound one would be bound anew in every call.
        self._log = structlog.get_logger("rpc").bind()
        self._refused: Counter[tuple[str, str]] = Counter()
        """By path and code, within this span of time."""

    def tells_success(self, path: str) -> bool:
        """Whether calls of this method that went well have a line."""
        return bool(self._log.is_enabled_for(self._level(path, "OK")))

    def ended(
        self,
        path: str,
        code: str,
        *,
        peer: str,
        request: Untyped,
        seconds: float,
        caller: Callable[[], str],
        reason: str = "",
    ) -> None:
        """Asks for `caller` only where there is a line, and no context for anything:
        it may be memory that is gone.
        """
        level = self._level(path, code)
        if not self._log.is_enabled_for(level) or not self._is_told(path, code):
            return
        service, _, method = path.strip("/").rpartition("/")
        line = {
            "service": service,
            "method": method,
            "code": code,
            "reason": reason,
            "caller": caller(),
            "address": address_of(peer) or "this machine",
            "request_id": getattr(request, "request_id", "")[:SHOWN],
            "ms": round(seconds * 1000, 3),
        }
        self._log.log(level, "rpc", **{key: line[key] for key in line if line[key]})

    def unexpected(self, error: BaseException, method: str) -> str:
        """Tells where our mistake happened; returns the id that the caller is told."""
        error_id = secrets.token_hex(6)
        self._log.error("unexpected", error_id=error_id, method=method, **place(error))
        return error_id

    def _level(self, path: str, code: str) -> int:
        is_quiet = code == "OK" and path in self._quiet
        return logging.DEBUG if is_quiet else logging.INFO

    def _is_told(self, path: str, code: str) -> bool:
        if code == "OK":
            return True
        if not self._refused:
            asyncio.get_running_loop().call_later(self._within_s, self._tell_left_out)
        self._refused[path, code] += 1
        return self._refused[path, code] <= MOST

    def _tell_left_out(self) -> None:
        refused, self._refused = self._refused, Counter()
        for (path, code), times in refused.items():
            if times > MOST:
                self._log.info(
                    "rpcs left out", method=path, code=code, times=times - MOST
                )
