"""Tournaments with bots that are servers: the runner calls them where they run."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import HealthServicer

from tests.doubles.command import BOTS, Ohhell, house, interrupt

ROOT = Path(__file__).parents[2]
OTHERS = house("expected-tricks", "random")


@pytest.fixture
def ohhell(tmp_path: Path) -> Ohhell:
    folder = tmp_path / "here"
    folder.mkdir()
    return Ohhell(folder)


class ServedBots:
    """Bots that somebody started elsewhere."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, *command: str) -> str:
        """Run `python COMMAND... --serve` on a free port; give the address."""
        return self.start_at("127.0.0.1:0", *command)

    def start_at(self, address: str, *command: str) -> str:
        process = subprocess.Popen(
            [sys.executable, *command, "--serve", address],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("serving on "), said
        return said.split()[-1]


@pytest.fixture
def bots() -> Iterator[ServedBots]:
    with contextlib.ExitStack() as stack:
        yield ServedBots(stack)


def dialled(name: str, *addresses: str, trusted: bool = False) -> str:
    """Give the [[bots]] of a spec for a bot that is called."""
    shown = ", ".join(f'"{address}"' for address in addresses)
    where = f"address = {shown}" if trusted else f"addresses = [{shown}]"
    lines = ["[[bots]]", f'name = "{name}"', where]
    return "\n" + "\n".join([*lines, *(["trusted = true"] if trusted else [])]) + "\n"


def faults(ohhell: Ohhell) -> dict[str, dict[str, int]]:
    results = json.loads((ohhell.folder / "runs/t/results.json").read_text())
    return {line["bot"]: line["faults"] for line in results["standings"]}


@pytest.mark.parametrize("trusted", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_bots_that_are_called_play_the_same_matches_as_bots_that_call(
    ohhell: Ohhell, bots: ServedBots, trusted: bool
) -> None:
    names = ("lowest", "greedy")
    lanes = 1 if trusted else 4
    calling = "".join(
        dialled(
            name,
            *(bots.start("-m", "bots", name) for _ in range(lanes)),
            trusted=trusted,
        )
        for name in names
    )
    records, said = [], ""
    for run, field in (("in", house(*names)), ("out", calling)):
        spec = ohhell.spec(field + OTHERS, name=run, blocks=2)
        ended = ohhell.run("tournament", "run", spec)
        assert ended.returncode == 0, ended.stderr
        files = ohhell.result_bytes(run)
        del files["results.json"]
        records.append(files)
        said = ended.stderr
    assert f"{2 * lanes} processes called where they run" in said
    assert len(records[0]) == 2
    assert records[0] == records[1]
    assert ohhell.no_process_is_left()
    # They are there for the next who calls.
    assert [process.poll() for process in bots.processes] == [None] * 2 * lanes


def test_each_process_that_is_called_meets_its_own_copy_alone(
    ohhell: Ohhell, bots: ServedBots, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.jsonl"
    program = str(BOTS / "notes_what_it_sees.py")
    addresses = [bots.start(program, str(notes)) for _ in range(4)]
    spec = ohhell.spec(dialled("noting", *addresses) + house("lowest") + OTHERS)
    assert ohhell.run("tournament", "run", spec).returncode == 0
    lines = [json.loads(line) for line in notes.read_text().splitlines()]
    tables = {(line["pid"], line["table"]) for line in lines}
    assert {process.pid for process in bots.processes} == {pid for pid, _ in tables}
    # Four blocks, and each process has played one copy of every one of them.
    assert len(tables) == 16
    met = [pid for pid, _ in tables]
    assert {met.count(pid) for pid in met} == {4}


def test_one_process_behind_several_addresses_is_noticed(
    ohhell: Ohhell, bots: ServedBots
) -> None:
    address = bots.start("-m", "bots", "lowest")
    port = address.rpartition(":")[2]
    others = [bots.start("-m", "bots", "lowest") for _ in range(2)]
    spec = ohhell.spec(
        dialled("lowest", address, f"localhost:{port}", *others)
        + house("greedy")
        + OTHERS
    )
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 2
    assert "the same process (instance_id '" in ended.stderr
    assert "each lane needs a process of its own" in ended.stderr
    assert ohhell.no_process_is_left()


def test_a_bot_that_is_started_again_is_called_again(
    ohhell: Ohhell, bots: ServedBots
) -> None:
    address = bots.start("-m", "bots", "lowest")
    field = dialled("lowest", address, trusted=True) + house("greedy") + OTHERS
    spec = ohhell.spec(field, blocks=16)
    with ohhell.start("tournament", "run", spec) as process:
        ohhell.until_blocks("t", 2)
        (bot,) = bots.processes
        bot.kill()
        bot.wait()
        assert bots.start_at(address, "-m", "bots", "lowest") == address
        _, err = process.communicate()
    assert process.returncode == 0, err
    told = [line for line in err.splitlines() if f"(lane 0) at {address}: " in line]
    assert told
    assert all(line.endswith("; it is called again") for line in told)
    found = faults(ohhell)
    assert found.keys() == {"lowest", "greedy", "expected-tricks", "random"}
    assert found.pop("lowest").keys() <= {"DISCONNECT", "DEADLINE"}
    assert set(map(str, found.values())) == {"{}"}


def test_a_killed_runner_hangs_up_and_what_it_began_is_dealt_anew(
    ohhell: Ohhell, bots: ServedBots
) -> None:
    addresses = [bots.start("-m", "bots", "lowest") for _ in range(4)]
    field = dialled("lowest", *addresses) + house("greedy") + OTHERS
    spec = ohhell.spec(field, blocks=12)
    with ohhell.start("tournament", "run", spec, "--concurrency", "4") as process:
        ohhell.until_blocks("t", 2)
        interrupt(process, signal.SIGKILL)
    begun = len(list((ohhell.folder / "runs/t/records").iterdir()))
    assert begun < 12
    ended = ohhell.run("tournament", "run", spec, "--resume")
    assert ended.returncode == 0, ended.stderr
    assert len(list((ohhell.folder / "runs/t/records").iterdir())) == 12
    assert not any(faults(ohhell).values())


def test_an_address_where_nobody_listens_is_one_clear_message(ohhell: Ohhell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    spec = ohhell.spec(
        dialled("away", f"127.0.0.1:{port}", trusted=True) + house("lowest") + OTHERS
    )
    ended = ohhell.run("tournament", "run", spec)
    assert ended.returncode == 2
    assert ended.stderr.endswith(
        f"bot 'away' (lane 0) at 127.0.0.1:{port}: it cannot be reached"
        " (Connection refused)\n"
    )
    assert ohhell.no_process_is_left()


def test_a_bot_that_comes_while_it_is_called_is_in_time(
    ohhell: Ohhell, bots: ServedBots
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    field = dialled("late", address, trusted=True) + house("lowest") + OTHERS
    with ohhell.start("tournament", "run", ohhell.spec(field, blocks=1)) as process:
        assert process.stderr is not None
        while "metrics: " not in process.stderr.readline():
            assert process.poll() is None
        bots.start_at(address, "-m", "bots", "greedy")
        _, err = process.communicate()
    assert process.returncode == 0, err


@pytest.mark.slow
def test_what_does_not_speak_grpc_is_called_that(ohhell: Ohhell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        field = dialled("mute", address, trusted=True) + house("lowest") + OTHERS
        ended = ohhell.run("tournament", "run", ohhell.spec(field))
    assert ended.returncode == 2
    assert (
        f"{address}: what listens there does not speak gRPC; if it expects TLS"
        in ended.stderr
    )
    assert ohhell.no_process_is_left()


def test_a_service_that_is_no_bot_is_called_that(ohhell: Ohhell) -> None:
    server = grpc.server(futures.ThreadPoolExecutor(2))
    health_pb2_grpc.add_HealthServicer_to_server(HealthServicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        address = f"127.0.0.1:{port}"
        field = dialled("other", address, trusted=True) + house("lowest") + OTHERS
        ended = ohhell.run("tournament", "run", ohhell.spec(field))
    finally:
        server.stop(None)
    assert ended.returncode == 2
    assert "does not serve ohhell.v1.BotService\n" in ended.stderr
    assert ohhell.no_process_is_left()
