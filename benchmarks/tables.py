"""What the service does for a decision besides the transport: server CPU, no gRPC.

Streams are driven by plain calls. A client that takes the first legal action turns what
they send into the bytes of a reply; only the service's side is on the clock: reading
those bytes, judging the answer, the store's commit, the next prompt.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.arena_load import reply_to
from benchmarks.arena_server import Tables, seating
from benchmarks.flavours import IN_FORCE
from ohhell.v1 import arena_pb2, frames_pb2
from server.host import Host, settle
from server.metrics import Metrics
from server.players.port import Link
from server.rpc.arena import admit
from server.rpc.stream import Stream
from server.store import Store

ROUNDS = 5
_DECISIONS = 20_000
_CASES = (
    ("stream per seat, 64 tables", "seats", 64),
    ("multiplexed, 64 tables", "bots", 64),
    ("multiplexed, 256 tables", "bots", 256),
)


def streams_of(host: Host, seats: list[list[tuple[str, int]]]) -> list[Stream]:
    """A stream for each bot, as if all had dialled in."""
    names = sorted({name for table in seats for name, _ in table})
    hello = frames_pb2.Hello(revision=1, min_revision=1, workers=4096)
    return [admit(host, name, hello, Link.DIAL_IN) for name in names]


async def seconds_of(streams: list[Stream], decisions: int) -> tuple[float, float]:
    """CPU seconds of the service for each of so many decisions, and the mean batch."""
    spent, done, messages = 0.0, 0, 0
    clock = time.process_time
    decode = arena_pb2.ConnectRequest.FromString
    while done < decisions:
        # Tables that are over begin anew on the loop.
        await asyncio.sleep(0)
        for stream in streams:
            begun = clock()
            message = stream.take()
            spent += clock() - begun
            if not message:
                continue
            reply, answers = reply_to(arena_pb2.ConnectResponse.FromString(message))
            data = reply.SerializeToString()
            begun = clock()
            stream.read(decode(data).frames)
            spent += clock() - begun
            done += answers
            messages += 1
    return spent / done, done / messages


async def measure(mode: str, tables: int, folder: Path) -> tuple[float, float]:
    """Microseconds of the service for a decision, and the mean batch; medians."""
    store = Store(folder / f"{mode}-{tables}.db")
    host = Host(observers=(Metrics(),), store=store)
    host.start()
    seats = seating(mode, tables)
    for name in sorted({name for table in seats for name, _ in table}):
        host.bots.register(name)
    streams = streams_of(host, seats)
    Tables(host, store, seats).open_all()
    await seconds_of(streams, _DECISIONS)
    settle()
    samples = [await seconds_of(streams, _DECISIONS) for _ in range(ROUNDS)]
    host.close()
    store.close()
    spent, batches = zip(*samples, strict=True)
    return 1e6 * statistics.median(spent), statistics.median(batches)


async def _measure_all() -> list[tuple[str, float, float]]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            (name, *await measure(mode, tables, Path(folder)))
            for name, mode, tables in _CASES
        ]


def main() -> bool:
    """Measure and print; there is no peer to be compared with, so no floor."""
    print(f"tables ({IN_FORCE.value}): without the transport, store on, CPU time")
    for name, microseconds, batch in asyncio.run(_measure_all()):
        print(f"  {name:30}{microseconds:7.2f} us a decision, batch {batch:5.1f}")
    return True


if __name__ == "__main__":
    main()
