"""The service against a bare echo, in the same run: server CPU for each decision.

Server and client are processes pinned to different cores. Cases take turns, round by
round, so that a busy neighbour hits all of them; the figures are medians of rounds, and
a ratio is the median of the ratios of single rounds.
"""

from __future__ import annotations

import asyncio
import os
import statistics
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import perf_counter

from benchmarks import arena_load, echo_load, processes

ROUNDS = 5
_PATIENCE_S = 120.0
_ECHO_REQUESTS = 25_000


@dataclass(frozen=True, slots=True)
class Sample:
    """One case in one round."""

    microseconds: float
    """Server CPU for each request or decision."""
    rate: float
    """Requests or decisions a second of server and client together."""
    batch: float
    """Requests or prompts in a message, on average."""


@dataclass(frozen=True, slots=True)
class Case:
    """Something to measure: does a round of work, returns its count and mean batch."""

    server: processes.ServerProcess
    work: Callable[[], Awaitable[tuple[int, float]]]

    async def sample(self) -> Sample:
        """Do one round."""
        cpu, clock = self.server.cpu_seconds(), perf_counter()
        count, batch = await self.work()
        clock = perf_counter() - clock
        cpu = self.server.cpu_seconds() - cpu
        return Sample(1e6 * cpu / count, count / clock, batch)


@dataclass(slots=True)
class Pair:
    """The service in one mode, and a bare echo with as many requests in a message.

    The echo follows at once in each round, with the batch size that the service has
    just had, because batches come about by themselves.
    """

    name: str
    service: Case
    mode: str
    samples: list[tuple[Sample, Sample]] = field(default_factory=list)

    async def sample(self, echo: processes.ServerProcess) -> None:
        """Do one round of both."""
        own = await self.service.sample()
        load = (
            echo_load.Load(64, 4, 1)
            if self.mode == "seats"
            else echo_load.Load(4, 4, max(1, round(own.batch)))
        )
        messages = max(1, _ECHO_REQUESTS // (load.streams * load.batch))
        peer = await Case(echo, _echo(echo, load, messages)).sample()
        self.samples.append((own, peer))

    @property
    def ratio(self) -> float:
        """Server CPU of the echo by that of the service."""
        return statistics.median(
            peer.microseconds / own.microseconds for own, peer in self.samples
        )


@dataclass(frozen=True, slots=True)
class Goal:
    """A ratio that must not be lower than its floor."""

    name: str
    text: str
    floor: float
    ratio: float

    @property
    def reached(self) -> bool:
        """Whether it holds."""
        return self.ratio >= self.floor


def _echo(
    server: processes.ServerProcess, load: echo_load.Load, messages: int
) -> Callable[[], Awaitable[tuple[int, float]]]:
    async def work() -> tuple[int, float]:
        return await echo_load.run(server.port, load, messages), load.batch

    return work


def _arena(
    bots: arena_load.Bots, goal: int
) -> Callable[[], Awaitable[tuple[int, float]]]:
    async def work() -> tuple[int, float]:
        tally = await bots.decide(goal, timeout_s=_PATIENCE_S)
        return tally.decisions, tally.mean_batch

    return work


async def measure(rounds: int = ROUNDS) -> list[Pair]:
    """Run all cases in turn for ``rounds`` rounds."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    with ExitStack() as stack:
        echo = stack.enter_context(processes.running("benchmarks.echo_server"))
        pairs = []
        everybody: list[arena_load.Bots] = []
        for name, mode, tables, goal in (
            ("stream per seat, 64 tables", "seats", 64, 10_000),
            ("multiplexed, 64 tables", "bots", 64, 40_000),
            ("multiplexed, 256 tables", "bots", 256, 60_000),
        ):
            server = stack.enter_context(
                processes.running("benchmarks.arena_server", mode, str(tables))
            )
            bots = arena_load.Bots(server.port, _streams(server), connections=4)
            everybody.append(bots)
            await bots.decide(goal // 10, timeout_s=_PATIENCE_S)
            pairs.append(Pair(name, Case(server, _arena(bots, goal)), mode))
        for _ in range(rounds):
            for pair in pairs:
                await pair.sample(echo)
        for bots in everybody:
            await bots.close()
    return pairs


def _streams(server: processes.ServerProcess) -> list[arena_load.Stream]:
    return [
        arena_load.Stream(token, int(lane))
        for token, lane in map(str.split, server.lines)
    ]


def _goals(pairs: list[Pair]) -> list[Goal]:
    seats, at_64, at_256 = pairs
    speed_up = statistics.median(
        bots.rate / own.rate
        for (bots, _), (own, _) in zip(at_64.samples, seats.samples, strict=True)
    )
    return [
        Goal("G1", f"{seats.name} (CPU against echo)", 0.65, seats.ratio),
        Goal("G2", f"{at_64.name} (CPU against echo)", 0.50, at_64.ratio),
        Goal("G2", f"{at_256.name} (CPU against echo)", 0.50, at_256.ratio),
        Goal("G3", "multiplexed against stream per seat (decisions/s)", 4.0, speed_up),
    ]


def _row(name: str, samples: list[Sample]) -> str:
    return (
        f"{name:32}{statistics.median(s.microseconds for s in samples):10.1f}"
        f"{statistics.median(s.rate for s in samples):12,.0f}"
        f"{statistics.median(s.batch for s in samples):8.1f}"
    )


def main() -> bool:
    """Measure and print; whether all floors were reached."""
    pairs = asyncio.run(measure())
    print(f"transport: server CPU, store on, medians of {ROUNDS} interleaved rounds")
    print(f"{'':32}{'us each':>10}{'a second':>12}{'batch':>8}")
    for pair in pairs:
        print(_row(pair.name, [own for own, _ in pair.samples]))
        print(_row("  bare echo beside it", [peer for _, peer in pair.samples]))
    goals = _goals(pairs)
    for goal in goals:
        verdict = "reached" if goal.reached else "MISSED"
        print(f"{goal.name} {goal.ratio:6.2f}  floor {goal.floor:.2f}  {verdict}")
        print(f"     {goal.text}")
    return all(goal.reached for goal in goals)
