"""How fast the libraries of all languages answer: `make bench-clients`.

The service is one that says the same prompts again and again and counts the answers,
over real gRPC, so that a row is a library, its gRPC and its bot `lowest`, and nothing
of the game. What asking costs here is in every row alike. Bots of lines are measured
with the bridge that they need.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter

import grpc
from google.protobuf.json_format import ParseDict

from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2
from tests.doubles.scripts import FOLDER
from tests.e2e.clients.programs import LINES, LOWEST, ROOT

AT_ONCE = 64
"""Prompts in a message of the busy part, each of another table."""
MESSAGES = 400
SINGLE = 3_000
WARM_UP = 300
PATIENCE_S = 300.0

Call = grpc.aio.ServicerContext[arena_pb2.ConnectRequest, arena_pb2.ConnectResponse]


class Asking(arena_pb2_grpc.ArenaServiceServicer):
    """Measures the first bot that comes."""

    def __init__(self, frames: Sequence[frames_pb2.ServerFrame]) -> None:
        self._seat = next(frame for frame in frames if frame.HasField("seat"))
        self._prompts = [frame for frame in frames if frame.HasField("prompt")]
        self.result: asyncio.Future[tuple[float, list[float]]] = (
            asyncio.get_running_loop().create_future()
        )

    async def Connect(self, _requests: object, call: Call) -> None:  # type: ignore[override]  # writes to its call  # noqa: N802
        await call.read()  # hello
        welcome = frames_pb2.Welcome(revision=1, session_id="s1", workers=AT_ONCE)
        seats = [self._seat_at(handle) for handle in range(1, AT_ONCE + 1)]
        hello = [frames_pb2.ServerFrame(welcome=welcome), *seats]
        await call.write(arena_pb2.ConnectResponse(frames=hello))
        seq = 0
        for number in range(WARM_UP):
            seq += 1
            await self._ask(call, [self._prompt(number, handle=1, seq=seq)])
        times = []
        for number in range(SINGLE):
            seq += 1
            prompt = [self._prompt(number, handle=1, seq=seq)]
            asked = perf_counter()
            await self._ask(call, prompt)
            times.append(perf_counter() - asked)
        busy = []
        for number in range(WARM_UP // 10 + MESSAGES):
            seq += 1
            busy.append(
                [
                    self._prompt(number + handle, handle=handle, seq=seq)
                    for handle in range(1, AT_ONCE + 1)
                ]
            )
        for prompts in busy[:-MESSAGES]:
            await self._ask(call, prompts)
        began = perf_counter()
        for prompts in busy[-MESSAGES:]:
            await self._ask(call, prompts)
        taken = perf_counter() - began
        self.result.set_result((MESSAGES * AT_ONCE / taken, times))

    async def _ask(self, call: Call, prompts: list[frames_pb2.ServerFrame]) -> None:
        await call.write(arena_pb2.ConnectResponse(frames=prompts))
        answered = 0
        while answered < len(prompts):
            match await call.read():
                case arena_pb2.ConnectRequest() as message:
                    answered += len(message.frames)
                case _:
                    raise EOFError("the bot is gone")

    def _seat_at(self, handle: int) -> frames_pb2.ServerFrame:
        frame = frames_pb2.ServerFrame()
        frame.CopyFrom(self._seat)
        frame.seat.handle = handle
        frame.seat.table = f"t{handle}"
        return frame

    def _prompt(self, number: int, *, handle: int, seq: int) -> frames_pb2.ServerFrame:
        frame = frames_pb2.ServerFrame()
        frame.CopyFrom(self._prompts[number % len(self._prompts)])
        frame.prompt.handle = handle
        frame.prompt.seq = seq
        return frame


@asynccontextmanager
async def _asking() -> AsyncIterator[tuple[Asking, str]]:
    script = json.loads((FOLDER / "match-ordinary.json").read_text(encoding="utf-8"))
    frames = [
        ParseDict(frame, frames_pb2.ServerFrame())
        for step in script["steps"]
        for frame in step.get("service", ())
    ]
    server = grpc.aio.server()
    asking = Asking(frames)
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(asking, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield asking, f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def measured(command: Sequence[str]) -> tuple[float, list[float]]:
    """Decisions a second of 64 at once, and seconds of single ones."""
    async with _asking() as (asking, address):
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "OHHELL_BOT_ADDRESS": address,
                "OHHELL_BOT_WORKERS": str(AT_ONCE),
                "OHHELL_BOT_LOG": "error",
            },
            stdin=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await asking.result
        finally:
            process.kill()
            await process.wait()


def main() -> None:
    print(f"{'language':<14} {'decisions/s':>12} {'one: p50 us':>12} {'p99 us':>8}")
    for language, command in (LOWEST | LINES).items():
        rate, times = asyncio.run(measured(command))
        cuts = [1e6 * cut for cut in statistics.quantiles(times, n=100)]
        row = f"{language:<14} {rate:>12,.0f} {cuts[49]:>12,.0f} {cuts[98]:>8,.0f}"
        print(row, flush=True)
    print(f"decisions/s with {AT_ONCE} prompts open; one at a time for p50 and p99;")
    print("lines: a program without a library, with the bridge before it")


if __name__ == "__main__":
    main()
