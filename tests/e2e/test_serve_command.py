"""`ohhell serve` as a process: where it listens, how it ends, what it refuses."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from ohhell.v1 import (
    info_pb2,
    info_pb2_grpc,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from tests.doubles import serving as doubles
from tests.doubles.patience import PATIENCE_S

FREE_PORTS = ("--game-port", "0", "--admin-port", "0", "--http-port", "0")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from cli.main import main; main()", *arguments]


@contextmanager
def serving(
    folder: Path, *arguments: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """The process, and its addresses by name."""
    process = subprocess.Popen(
        command("serve", *FREE_PORTS, *arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline().split() for _ in range(3)]
        yield process, dict(lines)
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        if process.stdout is not None:
            process.stdout.close()


def read(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as response:  # noqa: S310 - our own http address
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_it_says_where_it_listens_and_is_there(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, listens):
        with grpc.insecure_channel(listens["game"]) as channel:
            info = info_pb2_grpc.ServerInfoServiceStub(channel).GetServerInfo(
                info_pb2.GetServerInfoRequest(), timeout=PATIENCE_S
            )
            health = health_pb2_grpc.HealthStub(channel).Check(  # type: ignore[attr-defined]  # missing in its stub
                health_pb2.HealthCheckRequest(service="ohhell.v1.ArenaService"),
                timeout=PATIENCE_S,
            )
        assert "pagat_standard" in info.presets
        assert "greedy" in info.house_bots
        assert info.limits["frames_per_message"] == 128
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        metrics = listens["metrics"]
        status, text = read(metrics)
        assert status == 200
        assert re.search(
            r"^grpc_server_handled_total\{.*GetServerInfo.*\} 1", text, re.MULTILINE
        )
        base = metrics.removesuffix("/metrics")
        assert read(base + "/healthz") == (200, "ok\n")
        assert read(base + "/readyz") == (200, "ready\n")
        assert read(base + "/")[0] == 404


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_where_nothing_is_played(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path) as (process, _):
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0


def test_slow_protobuf_is_told_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for implementation, told in (("upb", False), ("python", True)):
        monkeypatch.setenv("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", implementation)
        folder = tmp_path / implementation
        folder.mkdir()
        with doubles.serving(folder) as service:
            assert service.http("/readyz")[0] == 200
            log = service.log.read_text()
        assert ("protobuf runs without" in log) is told


def test_a_port_in_use_is_one_clear_message(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for flag in ("--game-port", "--admin-port", "--http-port"):
            ended = run(tmp_path, "serve", *FREE_PORTS, flag, port)
            assert ended.returncode == 2
            assert port in ended.stderr
            assert "Traceback" not in ended.stderr
            # A busy machine may have made it log besides that its loop was late.
            said = [line for line in ended.stderr.splitlines() if line[0] != "{"]
            assert len(said) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--config", "none.toml"], "No such file"),
        (["--auth", "perhaps"], "off or on"),
        (["--address", "0.0.0.0"], "--allow-insecure"),  # noqa: S104 - it is refused
        (["--store", "/proc/none/x.db"], "store"),
    ],
)
def test_a_wrong_setting_is_one_clear_message(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    ended = run(tmp_path, "serve", *FREE_PORTS, *arguments)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_what_is_not_built_says_so_in_a_form_that_machines_read(tmp_path: Path) -> None:
    asked = tournaments_pb2.GetTournamentRequest(tournament="x")
    watched = tournaments_pb2.WatchTournamentRequest(tournament="x")
    with (
        serving(tmp_path) as (_, listens),
        grpc.insecure_channel(listens["game"]) as channel,
    ):
        stub = tournaments_pb2_grpc.TournamentServiceStub(channel)
        calls = (
            lambda: stub.GetTournament(asked, timeout=PATIENCE_S),
            lambda: list(stub.WatchTournament(watched, timeout=PATIENCE_S)),
        )
        for call in calls:
            with pytest.raises(grpc.RpcError) as refused:
                call()
            # The error is the call as well, which its type does not say.
            status = rpc_status.from_call(refused.value)  # type: ignore[arg-type]
            assert status is not None
            info = ErrorInfo()
            assert status.details[0].Unpack(info)
            assert (status.code, info.domain, info.reason) == (
                12,
                "ohhell",
                "NOT_BUILT",
            )
            assert "TournamentService" in status.message
