"""Rounds in which cases take turns, so that a busy neighbour hits all of them.

Every round has servers of its own: how its memory came to lie gives or takes a process
up to a fifth of its speed for as long as it lives (decision 39).
"""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

from benchmarks.processes import ServerProcess

ROUNDS = 7
PATIENCE_S = 120.0
"""No round of one case may take longer, on however busy a machine."""


class Done(NamedTuple):
    """What a case has exchanged in one round."""

    exchanged: int
    """Requests or decisions."""
    batch: float
    """Of them in a message, on average."""
    seconds: Sequence[float] = ()
    """How long single ones took, as the client saw it."""


class Sample(NamedTuple):
    """One case in one round."""

    microseconds: float
    """Server CPU for each request or decision."""
    rate: float
    """Requests or decisions a second of server and client together."""
    batch: float
    p99_ms: float


@dataclass(slots=True)
class Case:
    """Something to measure, and what was measured."""

    name: str
    samples: list[Sample] = field(default_factory=list)

    async def sample(
        self, server: ServerProcess, work: Callable[[], Awaitable[Done]]
    ) -> Sample:
        """Do one round with this server."""
        cpu, clock = server.cpu_seconds(), perf_counter()
        done = await work()
        clock = perf_counter() - clock
        cpu = server.cpu_seconds() - cpu
        sample = Sample(
            1e6 * cpu / done.exchanged,
            done.exchanged / clock,
            done.batch,
            1e3 * percentile(done.seconds, 0.99),
        )
        self.samples.append(sample)
        return sample

    @property
    def rates(self) -> list[float]:
        """By round."""
        return [sample.rate for sample in self.samples]

    @property
    def costs(self) -> list[float]:
        """Microseconds of server CPU by round."""
        return [sample.microseconds for sample in self.samples]

    def row(self) -> str:
        """Medians of the rounds."""
        cost, rate, batch, p99 = map(statistics.median, zip(*self.samples, strict=True))
        return f"{self.name:46}{cost:8.1f}{rate:11,.0f}{batch:7.1f}{p99:9.2f}"


HEADER = (
    f"{'medians of rounds':46}{'us each':>8}{'a second':>11}{'batch':>7}{'p99 ms':>9}"
)


def ratios(over: Sequence[float], under: Sequence[float]) -> list[float]:
    """By round, so that one in which the machine was busy moves neither side alone."""
    return [a / b for a, b in zip(over, under, strict=True)]


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies; 0 for none."""
    ordered = sorted(values)
    return ordered[int(part * (len(ordered) - 1))] if ordered else 0.0
