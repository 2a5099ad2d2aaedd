"""Server processes under measurement: started, pinned, their CPU time and memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import grpc

from benchmarks.flavours import Flavour

SERVER_CPU = 0
CLIENT_CPU = 1


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A server that printed its port and ends when its standard input does."""

    pid: int
    port: int
    lines: tuple[str, ...] = ()
    """What it printed after its port, up to an empty line."""

    def cpu_seconds(self) -> float:
        """User and system time of all its threads so far, to the nanosecond.

        The number is what `clock_getcpuclockid` gives for another process on Linux.
        """
        return time.clock_gettime(~self.pid << 3 | 2)

    def resident_bytes(self) -> int:
        """Memory that it holds now."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def running(
    module: str, *arguments: str, flavour: Flavour = Flavour.PURE
) -> Iterator[ServerProcess]:
    """Run ``python -m module`` on its own core until the block ends.

    It prints its port, further lines and an empty one once it can be connected to.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=flavour.environment,
    )
    try:
        assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
        pin(process.pid, SERVER_CPU)
        line = process.stdout.readline()
        if not line.strip().isdigit():
            raise RuntimeError(f"{module} did not start; it said {line!r}")
        more = tuple(_until_empty(process.stdout))
        yield ServerProcess(process.pid, int(line), more)
    finally:
        assert process.stdin is not None  # noqa: S101  (PIPE was asked for)
        process.stdin.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def serve(server: grpc.aio.Server) -> None:
    """The other end of `running`: listens, and serves until its standard input ends."""
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, end="\n\n", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)


def _until_empty(output: IO[str]) -> Iterator[str]:
    while line := output.readline().strip():
        yield line


def pin(pid: int, cpu: int) -> None:
    """Keep a process on one core, where the machine has more than one."""
    if hasattr(os, "sched_setaffinity") and cpu in os.sched_getaffinity(0):
        os.sched_setaffinity(pid, {cpu})
