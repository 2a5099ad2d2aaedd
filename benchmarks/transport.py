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
from dataclasses import dataclass
from time import perf_counter

from benchmarks import arena_load, echo_load, processes

ROUNDS = 5
_PATIENCE_S = 120.0


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

    name: str
    server: processes.ServerProcess
    work: Callable[[], Awaitable[tuple[int, float]]]

    async def sample(self) -> Sample:
        """Do one round."""
        cpu, clock = self.server.cpu_seconds(), perf_counter()
        count, batch = await self.work()
        clock = perf_counter() - clock
        cpu = self.server.cpu_seconds() - cpu
        return Sample(1e6 * cpu / count, count / clock, batch)


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


async def measure(rounds: int = ROUNDS) -> tuple[dict[str, list[Sample]], list[Goal]]:
    """Run all cases in turn for ``rounds`` rounds."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    with ExitStack() as stack:
        echo = stack.enter_context(processes.running("benchmarks.echo_server"))
        cases = [
            Case("echo 64 streams", echo, _echo(echo, echo_load.Load(64, 4, 1), 150)),
            Case("echo N=16", echo, _echo(echo, echo_load.Load(4, 4, 16), 1000)),
            Case("echo N=64", echo, _echo(echo, echo_load.Load(4, 4, 64), 400)),
        ]
        everybody: list[arena_load.Bots] = []
        for name, mode, tables, goal in (
            ("seat streams T=64", "seats", 64, 10_000),
            ("multiplexed T=64", "bots", 64, 40_000),
            ("multiplexed T=256", "bots", 256, 60_000),
        ):
            server = stack.enter_context(
                processes.running("benchmarks.arena_server", mode, str(tables))
            )
            bots = arena_load.Bots(server.port, _streams(server), connections=4)
            everybody.append(bots)
            await bots.decide(goal // 10, timeout_s=_PATIENCE_S)
            cases.append(Case(name, server, _arena(bots, goal)))
        samples: dict[str, list[Sample]] = {case.name: [] for case in cases}
        for _ in range(rounds):
            for case in cases:
                samples[case.name].append(await case.sample())
        for bots in everybody:
            await bots.close()
    return samples, _goals(samples)


def _streams(server: processes.ServerProcess) -> list[arena_load.Stream]:
    return [
        arena_load.Stream(token, int(lane))
        for token, lane in map(str.split, server.lines)
    ]


def _ratio(
    above: list[Sample], below: list[Sample], value: Callable[[Sample], float]
) -> float:
    return statistics.median(
        value(a) / value(b) for a, b in zip(above, below, strict=True)
    )


def _goals(samples: dict[str, list[Sample]]) -> list[Goal]:
    def cpu(sample: Sample) -> float:
        return sample.microseconds

    def rate(sample: Sample) -> float:
        return sample.rate

    seats = samples["seat streams T=64"]
    at_64, at_256 = samples["multiplexed T=64"], samples["multiplexed T=256"]
    return [
        Goal(
            "G1",
            "stream per seat, against bare echo (CPU)",
            0.65,
            _ratio(samples["echo 64 streams"], seats, cpu),
        ),
        Goal(
            "G2",
            "multiplexed, 64 tables, store on, against bare echo N=16 (CPU)",
            0.50,
            _ratio(samples["echo N=16"], at_64, cpu),
        ),
        Goal(
            "G2",
            "multiplexed, 256 tables, store on, against bare echo N=64 (CPU)",
            0.50,
            _ratio(samples["echo N=64"], at_256, cpu),
        ),
        Goal(
            "G3",
            "multiplexed against stream per seat, 64 tables (decisions/s)",
            4.0,
            _ratio(at_64, seats, rate),
        ),
    ]


def main() -> bool:
    """Measure and print; whether all floors were reached."""
    samples, goals = asyncio.run(measure())
    print(f"transport: server CPU, medians of {ROUNDS} interleaved rounds")
    print(f"{'case':22}{'us/decision':>12}{'per second':>12}{'batch':>8}")
    for name, rounds in samples.items():
        print(
            f"{name:22}{statistics.median(s.microseconds for s in rounds):12.1f}"
            f"{statistics.median(s.rate for s in rounds):12,.0f}"
            f"{statistics.median(s.batch for s in rounds):8.1f}"
        )
    for goal in goals:
        verdict = "reached" if goal.reached else "MISSED"
        print(
            f"{goal.name}  {goal.ratio:6.2f}  floor {goal.floor:.2f}  {verdict:8}"
            f"{goal.text}"
        )
    return all(goal.reached for goal in goals)
