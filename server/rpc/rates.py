"""Calls are counted: for who makes them, and before that for where they come from."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from server.host import Host
from server.limits import Quota
from server.rpc.status import Problem, too_many
from server.rpc.untyped import Untyped

_NETWORK_BITS = 64
"""Of an address of 128 bits: a household has all that begin alike."""


@lru_cache(maxsize=4096)
def address_of(peer: str) -> str | None:
    """Where the calls of a connection come from; None: from this machine.

    The same for all of them, and too dear to be found out in each.
    """
    scheme, _, rest = unquote(peer).partition(":")
    try:
        address = ipaddress.ip_address(rest.rpartition(":")[0].strip("[]"))
    except ValueError:
        # A socket in the file system.
        return None if scheme == "unix" else rest
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is None and not address.is_loopback:
            bits = int(address) >> (128 - _NETWORK_BITS)
            return f"{ipaddress.IPv6Address(bits << (128 - _NETWORK_BITS))}"
        address = mapped or address
    return None if address.is_loopback else str(address)


class Rates:
    """What one call may still do; Problem where it is too much."""

    def __init__(self, host: Host, context: Untyped) -> None:
        self._host = host
        address = address_of(context.peer())
        self._counted = address is not None or not host.limits.exempt_loopback
        self._address = address or "this machine"

    def count_guest(self) -> None:
        """A call of somebody who shows no token."""
        per_minute = self._host.limits.guest_calls_per_minute
        quota = Quota(self._where, "guest_calls_per_minute")
        self._take(quota, per_minute / 60, per_minute)

    def count(self, caller: str) -> None:
        """A call of a bot, or for a seat."""
        limits = self._host.limits
        quota = Quota(caller, "calls_per_s")
        self._take(quota, limits.calls_per_s, limits.calls_burst)

    def count_wrong(self) -> None:
        """A token that is not valid. The valid ones of others at the address are no
        part of it: nobody guesses one, and nobody shall be kept out by a neighbour.
        """
        per_minute = self._host.limits.wrong_tokens_per_minute
        quota = Quota(self._where, "wrong_tokens_per_minute")
        self._take(quota, per_minute / 60, per_minute)

    @contextlib.contextmanager
    def watching(self, caller: str) -> Iterator[None]:
        """One more watch of this caller; "" is everybody at the address."""
        key = caller or self._where
        watches = self._host.watches
        if self._counted and watches[key] >= self._host.limits.watches_per_caller:
            open_now = f"{watches[key]} watches are open"
            quota = Quota(key, "watches_per_caller")
            raise too_many(open_now, "TOO_MANY_WATCHES", quota)
        watches[key] += 1
        try:
            yield
        finally:
            watches[key] -= 1
            if not watches[key]:
                del watches[key]

    @property
    def _where(self) -> str:
        return f"address:{self._address}"

    def _take(self, quota: Quota, per_s: float, burst: int) -> None:
        if self._counted:
            now = self._host.alarms.clock()
            wait = self._host.buckets.take(quota, per_s=per_s, burst=burst, now=now)
            if wait:
                raise too_often(quota, wait)


def too_often(quota: Quota, wait_s: float) -> Problem:
    """What is told of a limit that time heals."""
    message = f"too many calls: the limit is {quota.limit}"
    return too_many(message, "RATE_LIMITED", quota, wait_s=wait_s)
