"""Bids and cards by single calls, against a bare echo of single calls.

The client knows the seeds of its tables and so, from the engine, a whole match of legal
commands: all it sends while the clock runs is PlaceBid and PlayCard. Tables are opened
and filled beside the clock. The echo's messages are as long as ours, but its callers
show no token. What a commit costs is seen in the same service without a store.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

import grpc

from benchmarks import echo_load, echo_messages, processes
from benchmarks.decisions import PLAYERS, RULES, first_legal_match
from benchmarks.flavours import Flavour, built
from benchmarks.goals import Goal, report
from benchmarks.rounds import HEADER, PATIENCE_S, ROUNDS, Case, Done, ratios
from engine import PlaceBid, PlayCard
from engine.shuffle import SeededDecks, block_seed, first_dealer, published_seed
from ohhell.v1 import rules_pb2, tables_pb2, tables_pb2_grpc

IN_FLIGHT = 16
_SEEDS = count(1)


class Move(NamedTuple):
    """A call that is ready to be made."""

    call: Callable[..., Any]
    """Gives the length of the answer."""
    request: bytes
    metadata: tuple[tuple[str, str], ...]


class People:
    """Callers who each play all seats of a table of their own."""

    def __init__(self, port: int) -> None:
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        self._place_bid = self._method("PlaceBid")
        self._play_card = self._method("PlayCard")
        self.lengths: list[tuple[int, int]] = []
        """Of requests and answers."""

    def _method(self, name: str) -> Callable[..., Any]:
        path = f"/ohhell.v1.TableService/{name}"
        return self.channel.unary_unary(path, response_deserializer=len)

    async def sit_down(self) -> list[Move]:
        """Open a table, fill it, and give the moves of its whole match."""
        stub = tables_pb2_grpc.TableServiceStub(self.channel)
        seed = next(_SEEDS)
        created: Any = await stub.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset=RULES_NAME),
                players=PLAYERS,
                seed=seed,
                amendments=False,
            )
        )
        table = created.table.table
        tokens = []
        for seat, ticket in enumerate(created.tickets):
            joined: Any = await stub.JoinTable(
                tables_pb2.JoinTableRequest(table=table, seat=seat, ticket=ticket)
            )
            tokens.append(joined.seat_token)
        deals = block_seed(published_seed(seed), 0, 0)
        played = first_legal_match(
            SeededDecks(deals, RULES, PLAYERS), first_dealer(deals, PLAYERS)
        )
        moves = []
        for seat, command in played.commands:
            metadata = (("authorization", f"Bearer {tokens[seat]}"),)
            match command:
                case PlaceBid(bid=bid):
                    request: Any = tables_pb2.PlaceBidRequest(table=table, bid=bid)
                    call = self._place_bid
                case PlayCard(card=card):
                    request = tables_pb2.PlayCardRequest(table=table)
                    request.card = card
                    call = self._play_card
                case _:
                    raise AssertionError(f"{command} in a match of {RULES_NAME}")
            moves.append(Move(call, request.SerializeToString(), metadata))
        return moves

    async def play(self, matches: list[list[Move]]) -> Done:
        """Make all moves, each table's in order."""
        seconds: list[float] = []

        async def caller(moves: list[Move]) -> None:
            for move in moves:
                begun = perf_counter()
                length = await move.call(move.request, metadata=move.metadata)
                seconds.append(perf_counter() - begun)
                self.lengths.append((len(move.request), length))

        await asyncio.gather(*map(caller, matches))
        return Done(len(seconds), 1, seconds)


RULES_NAME = "pagat_standard"
_MOVE = echo_messages.move()
ECHO_BYTES = (
    f"the echo's {_MOVE.ByteSize()} and {echo_messages.moved(_MOVE).ByteSize()}"
)


class Way(NamedTuple):
    """One way of serving, and the echo beside it."""

    flavour: Flavour
    options: tuple[str, ...]
    """Of its server."""
    name: str
    service: Case
    echo: Case
    lengths: list[tuple[int, int]]
    """Of requests and answers."""

    async def sample(self) -> None:
        """Do one round of both, with processes that are new."""
        with ExitStack() as stack:
            service = stack.enter_context(
                processes.running(
                    "benchmarks.table_server", *self.options, flavour=self.flavour
                )
            )
            echo = stack.enter_context(processes.running("benchmarks.echo_server"))
            people = People(service.port)
            # The first match of a process is not what all the others are.
            await people.play([await people.sit_down()])
            matches = [await people.sit_down() for _ in range(IN_FLIGHT)]
            calls = len(matches[0])
            own = await self.service.sample(service, lambda: people.play(matches))
            await people.channel.close()
            await echo_load.run_unary(echo.port, 1, calls)
            await self.echo.sample(
                echo, lambda: echo_load.run_unary(echo.port, IN_FLIGHT, calls)
            )
        self.lengths.extend(people.lengths)
        if own.batch != 1:
            raise AssertionError("a call has one move")


def _way(flavour: Flavour, *options: str) -> Way:
    name = f"{flavour.value}, no store" if options else flavour.value
    service = Case(f"PlaceBid and PlayCard ({name})")
    return Way(flavour, options, name, service, Case("  bare unary echo"), [])


async def measure() -> list[Way]:
    """Run all ways of serving in turn; the one that is shipped comes last."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    flavours = built()
    ways = [_way(flavours[-1], "--no-store"), *map(_way, flavours)]
    for _ in range(ROUNDS):
        for way in ways:
            async with asyncio.timeout(PATIENCE_S):
                await way.sample()
    return ways


def main() -> bool:
    """Measure and print; whether the fastest build reached the floor."""
    ways = asyncio.run(measure())
    print(f"unary: {IN_FLIGHT} calls in flight, {ROUNDS} interleaved rounds, each with")
    print("processes of its own")
    print(HEADER)
    goals = []
    for way in ways:
        print(way.service.row())
        print(way.echo.row())
        sent, answered = map(fmean, zip(*way.lengths, strict=True))
        print(f"  bytes of a call: ours {sent:.0f} and {answered:.0f}, {ECHO_BYTES}")
        text = f"single calls: CPU of an echo by ours ({way.name})"
        rounds = ratios(way.echo.costs, way.service.costs)
        goals.append(Goal.of_rounds("G5", text, rounds, 0.85))
    *others, shipped = goals
    for goal in others:
        print(f"     {goal.seen}")
    return report([shipped])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
