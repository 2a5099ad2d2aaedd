"""How much of everything is allowed, and how fast.

Answers to open decisions are never limited. Addresses are, but only before a call has
shown who it is from; this machine's own never are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple


class Quota(NamedTuple):
    """What somebody has used up."""

    subject: str
    """Whose it is: `service`, `guests`, `stream`, or `bot:`, `seat:`, `address:`,
    `connection:` and which.
    """
    limit: str
    """The name of the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Each is a setting, and all of them are published."""

    request_bytes: int = 65_536
    response_bytes: int = 1_048_576
    streams_per_connection: int = 1_000
    """Calls at once; a client waits silently beyond it."""
    connection_age_ms: int = 0
    """After which a connection takes no new calls; 0: it may be of any age."""
    connection_grace_ms: int = 60_000
    """For the calls of a connection that has come to its age."""
    calls_in_flight: int = 2_000
    """Single ones, of all callers; moves are not refused for it. Those that wait for a
    turn, as they were asked to, are not counted.
    """
    instances_per_bot: int = 16
    """Processes at the same time."""
    open_tables: int = 10_000
    """Open or running, over all callers."""
    open_tables_per_bot: int = 1_000
    open_tables_of_guests: int = 1_000
    """Of all callers without a token together."""
    calls_per_s: int = 200
    """Of one bot, or for one seat; answers to open decisions are not counted."""
    calls_burst: int = 400
    watches_per_caller: int = 100
    """Open at once, of one bot, for one seat, or from one address; single calls that
    wait for the turn of a seat count as well.
    """
    guest_calls_per_minute: int = 600
    """From one address, without a token."""
    wrong_tokens_per_minute: int = 10
    """From one address."""
    refusals_burst: int = 50
    """At the door, of one connection, that are told at once."""
    refusals_per_s: int = 10
    """Of one connection beyond them, told one after the other."""
    held_refusals: int = 1_000
    """That wait for their turn at the same time, of all connections together."""
    exempt_loopback: bool = True
    """Whether this machine's own addresses are not limited."""

    def changed(self, wanted: Mapping[str, int]) -> Limits:
        """With other values; KeyError for a name that is none or does not change."""
        for name in wanted:
            if name not in CHANGEABLE:
                raise KeyError(name)
        values: dict[str, Any] = {
            name: type(getattr(self, name))(number) for name, number in wanted.items()
        }
        return replace(self, **values)

    def as_numbers(self) -> dict[str, int]:
        return {limit.name: int(getattr(self, limit.name)) for limit in fields(self)}


CHANGEABLE: Final = frozenset(limit.name for limit in fields(Limits)) - {
    "request_bytes",
    "response_bytes",
    "streams_per_connection",
    "connection_age_ms",
    "connection_grace_ms",
}
"""Limits that may change while the service runs; others belong to its listeners."""
_MOST_KEPT = 10_000
_LONGEST_WAIT = 60.0


class Buckets:
    """How often everybody calls: a bucket for each quota, which refills with time."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[Quota, tuple[float, float]] = OrderedDict()
        """What is left, and when that was; the longest unused first."""

    def take(self, quota: Quota, *, per_s: float, burst: int, now: float) -> float:
        """0 where one more is allowed, and counted; else seconds until it will be."""
        left = self._left(quota, per_s, burst, now)
        self._keep(quota, left - (left >= 1), now)
        return _wait(left, per_s)

    def owe(self, quota: Quota, *, per_s: float, burst: int, now: float) -> float:
        """0 where one more is allowed; counted in any case, so that each waits longer
        than the one before: seconds until its turn.
        """
        left = self._left(quota, per_s, burst, now)
        self._keep(quota, max(left - 1, -per_s * _LONGEST_WAIT), now)
        return _wait(left, per_s)

    def _keep(self, quota: Quota, left: float, now: float) -> None:
        self._buckets[quota] = (left, now)
        self._buckets.move_to_end(quota)
        if len(self._buckets) > _MOST_KEPT:
            # It is full again by now, or nearly.
            self._buckets.popitem(last=False)

    def _left(self, quota: Quota, per_s: float, burst: int, now: float) -> float:
        left, at = self._buckets.get(quota, (float(burst), now))
        return min(float(burst), left + (now - at) * per_s)


def _wait(left: float, per_s: float) -> float:
    """Seconds; at most a minute, also where nothing is ever allowed."""
    if left >= 1:
        return 0.0
    return min((1 - left) / per_s, _LONGEST_WAIT) if per_s else _LONGEST_WAIT
