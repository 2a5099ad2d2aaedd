"""The service against a bare echo, in the same run: server CPU for each decision.

Server and client are processes pinned to different cores. Each build of the service
takes its turn in each mode, and right after it the echo, with the batch size that the
service has just had, because batches come about by themselves. What the store, metrics
and logs cost is a difference of a fifth or less: the service with and without them
takes turns of its own, each first as often as the other.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from enum import Enum
from typing import NamedTuple

from benchmarks import arena_load, echo_load, processes
from benchmarks.decisions import PLAYERS, RULES, first_legal_match
from benchmarks.flavours import Flavour, built
from benchmarks.goals import Goal, report
from benchmarks.processes import ServerProcess
from benchmarks.rounds import HEADER, PATIENCE_S, ROUNDS, Case, Done, ratios
from engine.shuffle import SeededDecks

_ECHO_REQUESTS = 25_000
_MATCH = len(first_legal_match(SeededDecks(bytes(32), RULES, PLAYERS), 0).commands)
"""Decisions of a match; all tables of a new process are about equally far in theirs."""
_WARMING_UP = 10
"""A part of a round comes before it: at first a process is slower than it will be."""


class Mode(Enum):
    """How the service is used; arguments of its server, and its tables."""

    SEATS = ("stream per seat, 64 tables", ("seats", "64"), 64)
    AT_64 = ("multiplexed, 64 tables", ("bots", "64"), 64)
    AT_256 = ("multiplexed, 256 tables", ("bots", "256"), 256)
    BARE = ("256 tables without store, metrics, logs", ("bots", "256", "bare"), 256)

    def __init__(self, text: str, arguments: tuple[str, ...], tables: int) -> None:
        self.text = text
        self.arguments = arguments
        self.decisions = tables * _MATCH
        """Of a round: large deals and small ones in the same proportion in each."""


class Pair(NamedTuple):
    """The service in one mode, and the echo beside it."""

    flavour: Flavour
    mode: Mode
    service: Case
    echo: Case
    starts: int
    """In a round."""

    async def sample(self) -> None:
        """Do one round of both."""
        with ExitStack() as stack:
            running = await _started(self.flavour, self.mode, stack)
            echo = stack.enter_context(processes.running("benchmarks.echo_server"))
            own = await self.service.sample(running.server, running.play)
            load = (
                echo_load.Load(64, 4, 1)
                if self.mode is Mode.SEATS
                else echo_load.Load(4, 4, max(1, round(own.batch)))
            )
            await echo_load.run(echo.port, load, _ECHO_REQUESTS // _WARMING_UP)
            await self.echo.sample(
                echo, lambda: echo_load.run(echo.port, load, _ECHO_REQUESTS)
            )
            await running.bots.close()

    @property
    def ratios(self) -> list[float]:
        """Server CPU of the echo by that of the service."""
        return ratios(self.echo.costs, self.service.costs)


class Extras(NamedTuple):
    """The service with store, metrics and logs, and without."""

    flavour: Flavour
    cases: tuple[Case, Case]

    async def sample(self) -> None:
        """Do two rounds of both, in either order."""
        with ExitStack() as stack:
            both = [
                await _started(self.flavour, mode, stack)
                for mode in (Mode.AT_256, Mode.BARE)
            ]
            for which in (0, 1, 1, 0):
                running = both[which]
                await self.cases[which].sample(running.server, running.play)
            for running in both:
                await running.bots.close()

    @property
    def ratios(self) -> list[float]:
        """Server CPU with them by that without."""
        on, off = self.cases
        return ratios(on.costs, off.costs)


class Build(NamedTuple):
    """All modes of one build of the service."""

    flavour: Flavour
    pairs: Sequence[Pair]
    """Those that are measured beside the echo."""
    extras: Extras

    async def sample(self) -> None:
        """Do one round of everything."""
        for pair in self.pairs:
            for _ in range(pair.starts):
                async with asyncio.timeout(PATIENCE_S):
                    await pair.sample()
        async with asyncio.timeout(2 * PATIENCE_S):
            await self.extras.sample()

    def of(self, mode: Mode) -> Pair:
        """The pair of a mode."""
        return next(pair for pair in self.pairs if pair.mode is mode)


class _Running(NamedTuple):
    """A service that plays whenever it is asked to."""

    mode: Mode
    server: ServerProcess
    bots: arena_load.Bots

    async def play(self, part: int = 1) -> Done:
        """Have the decisions of a round made, or so small a part of them."""
        decisions = self.mode.decisions // part
        return (await self.bots.decide(decisions, timeout_s=PATIENCE_S)).done()


async def _started(flavour: Flavour, mode: Mode, stack: ExitStack) -> _Running:
    server = stack.enter_context(
        processes.running("benchmarks.arena_server", *mode.arguments, flavour=flavour)
    )
    bots = arena_load.Bots(server.port, arena_load.streams_of(server), connections=4)
    running = _Running(mode, server, bots)
    await running.play(part=_WARMING_UP)
    return running


def _build(flavour: Flavour) -> Build:
    pairs = [
        Pair(
            flavour,
            mode,
            Case(f"{mode.text} ({flavour.value})"),
            Case("  bare echo beside it"),
            # With single messages a start differs most from the next.
            starts=3 if mode is Mode.SEATS and flavour is built()[-1] else 1,
        )
        for mode in Mode
        if mode is not Mode.BARE
    ]
    cases = (Case("  with store, metrics, logs"), Case("  without"))
    return Build(flavour, pairs, Extras(flavour, cases))


async def measure() -> list[Build]:
    """Run all cases in turn, round by round."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    builds = list(map(_build, built()))
    for _ in range(ROUNDS):
        for build in builds:
            await build.sample()
    return builds


def goals(build: Build) -> Iterator[Goal]:
    """Ratios of one build and their bounds."""
    seats, at_64, at_256 = map(build.of, (Mode.SEATS, Mode.AT_64, Mode.AT_256))
    rate = at_64.service.rates
    for name, pair, bound in (
        ("G1", seats, 0.70),
        ("G2", at_64, 0.50),
        ("G2", at_256, 0.50),
    ):
        text = f"{pair.mode.text}: CPU of an echo by ours"
        yield Goal.of_rounds(name, text, pair.ratios, bound)
    speed_up = ratios(rate, seats.service.rates[:: seats.starts])
    text = "multiplexed by stream per seat, decisions/s"
    yield Goal.of_rounds("G3", text, speed_up, 4.0)
    more = ratios(at_256.service.rates, rate)
    yield Goal.of_rounds("G4", "256 tables by 64 tables, decisions/s", more, 1.4)
    text = "CPU with store, metrics, logs by that without"
    yield Goal.of_rounds("G12", text, build.extras.ratios, 1.25, at_most=True)
    spread = max(rate) / min(rate)
    yield Goal("G14", "decisions/s, best round by worst", spread, 1.3, at_most=True)


def main() -> bool:
    """Measure and print; whether the fastest build reached all its goals."""
    builds = asyncio.run(measure())
    print(f"transport: server CPU, {ROUNDS} interleaved rounds, each with processes of")
    print("its own; p99 of one decision, from sending the answer before it to reading")
    print("the prompt (echo: round trip)")
    print(HEADER)
    for build in builds:
        for pair in build.pairs:
            print(pair.service.row())
            print(pair.echo.row())
        print(f"256 tables, twice in each round ({build.flavour.value})")
        for case in build.extras.cases:
            print(case.row())
    *others, shipped = builds
    for build in others:
        print(f"{build.flavour.value}, for comparison:")
        for goal in goals(build):
            print(f"     {goal.seen}")
    print(f"{shipped.flavour.value}:")
    return report(goals(shipped))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
