"""The service against a bare echo, in the same run: server CPU for each decision.

Server and client are processes pinned to different cores. Each build of the service
takes its turn in each mode, and right after it the echo, with the batch size that the
service has just had, because batches come about by themselves.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from benchmarks import arena_load, echo_load, processes
from benchmarks.flavours import Flavour, built
from benchmarks.goals import Goal, report
from benchmarks.processes import ServerProcess
from benchmarks.rounds import HEADER, PATIENCE_S, ROUNDS, Case, Done, ratio

_ECHO_REQUESTS = 25_000


class Mode(Enum):
    """How the service is used; arguments of its server, and decisions of a round."""

    SEATS = ("stream per seat, 64 tables", ("seats", "64"), 10_000)
    AT_64 = ("multiplexed, 64 tables", ("bots", "64"), 40_000)
    AT_256 = ("multiplexed, 256 tables", ("bots", "256"), 60_000)
    BARE = ("the same without store, metrics, logs", ("bots", "256", "bare"), 60_000)

    def __init__(self, text: str, arguments: tuple[str, ...], decisions: int) -> None:
        self.text = text
        self.arguments = arguments
        self.decisions = decisions


@dataclass(slots=True)
class Pair:
    """The service in one mode, and the echo beside it."""

    mode: Mode
    bots: arena_load.Bots
    service: Case
    echo: Case

    async def play(self, decisions: int) -> Done:
        """Have so many decisions made."""
        return (await self.bots.decide(decisions, timeout_s=PATIENCE_S)).done()

    async def sample(self) -> None:
        """Do one round of both."""
        own = await self.service.sample(lambda: self.play(self.mode.decisions))
        load = (
            echo_load.Load(64, 4, 1)
            if self.mode is Mode.SEATS
            else echo_load.Load(4, 4, max(1, round(own.batch)))
        )
        port = self.echo.server.port
        async with asyncio.timeout(PATIENCE_S):
            await self.echo.sample(lambda: echo_load.run(port, load, _ECHO_REQUESTS))

    @property
    def ratio(self) -> float:
        """Server CPU of the echo by that of the service."""
        return ratio(self.echo.costs, self.service.costs)


class Build(NamedTuple):
    """All modes of one build of the service."""

    flavour: Flavour
    pairs: Sequence[Pair]

    def of(self, mode: Mode) -> Pair:
        """The pair of a mode."""
        return next(pair for pair in self.pairs if pair.mode is mode)


async def _opened(
    flavour: Flavour, mode: Mode, echo: ServerProcess, stack: ExitStack
) -> Pair:
    server = stack.enter_context(
        processes.running("benchmarks.arena_server", *mode.arguments, flavour=flavour)
    )
    bots = arena_load.Bots(server.port, streams_of(server), connections=4)
    pair = Pair(
        mode,
        bots,
        Case(f"{mode.text} ({flavour.value})", server),
        Case("  bare echo beside it", echo),
    )
    await pair.play(mode.decisions // 10)
    return pair


def streams_of(server: ServerProcess) -> list[arena_load.Stream]:
    """Bots that the server has registered."""
    return [
        arena_load.Stream(token, int(lane))
        for token, lane in map(str.split, server.lines)
    ]


async def measure() -> list[Build]:
    """Run all cases in turn, round by round."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    with ExitStack() as stack:
        echo = stack.enter_context(processes.running("benchmarks.echo_server"))
        builds = [
            Build(
                flavour,
                [await _opened(flavour, mode, echo, stack) for mode in Mode],
            )
            for flavour in built()
        ]
        pairs = [pair for build in builds for pair in build.pairs]
        for _ in range(ROUNDS):
            for pair in pairs:
                await pair.sample()
        for pair in pairs:
            await pair.bots.close()
    return builds


def goals(build: Build) -> Iterator[Goal]:
    """Ratios of one build and their bounds."""
    seats, at_64 = build.of(Mode.SEATS), build.of(Mode.AT_64)
    at_256, bare = build.of(Mode.AT_256).service, build.of(Mode.BARE).service
    rate = at_64.service.rates
    yield Goal("G1", f"{seats.mode.text}: CPU of an echo by ours", seats.ratio, 0.70)
    for pair in (at_64, build.of(Mode.AT_256)):
        yield Goal("G2", f"{pair.mode.text}: CPU of an echo by ours", pair.ratio, 0.50)
    speed_up = ratio(rate, seats.service.rates)
    yield Goal("G3", "multiplexed by stream per seat, decisions/s", speed_up, 4.0)
    more = ratio(at_256.rates, rate)
    yield Goal("G4", "256 tables by 64 tables, decisions/s", more, 1.4)
    extra = ratio(at_256.costs, bare.costs)
    yield Goal(
        "G12",
        "CPU with store, metrics, logs by that without",
        extra,
        1.25,
        at_most=True,
    )
    spread = max(rate) / min(rate)
    yield Goal("G14", "decisions/s, best round by worst", spread, 1.3, at_most=True)


def main() -> bool:
    """Measure and print; whether the fastest build reached all its goals."""
    builds = asyncio.run(measure())
    print(f"transport: server CPU, {ROUNDS} interleaved rounds; p99 of one decision,")
    print("from sending the answer before it to reading the prompt (echo: round trip)")
    print(HEADER)
    for build in builds:
        for pair in build.pairs:
            print(pair.service.row())
            print(pair.echo.row())
    *others, shipped = builds
    for build in others:
        print(f"{build.flavour.value}, for comparison:")
        for goal in goals(build):
            print(f"     {goal.name:4}{goal.text:58}{goal.ratio:6.2f}")
    print(f"{shipped.flavour.value}:")
    return report(goals(shipped))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
