"""What gRPC itself writes when a service breaks off under a bot of the library."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

NO_SETTINGS = bytes.fromhex("000000 04 00 00000000")
INTERNAL_ERROR = bytes.fromhex("000008 07 00 00000000 00000000 00000002")
"""GOAWAY, as a server sends it that ends with calls still open."""


@pytest.fixture
def breaks_off() -> Iterator[str]:
    """Address of a server that says no more to anybody than that it ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    calling, _ = listening.accept()
                except OSError:
                    return
                with calling:
                    calling.sendall(NO_SETTINGS + INTERNAL_ERROR)
                    while calling.recv(4096):
                        pass

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(("verbosity", "is_heard"), [(None, False), ("INFO", True)])
def test_grpc_has_nothing_to_say_unless_it_is_told_to(
    breaks_off: str, verbosity: str | None, is_heard: bool
) -> None:
    environment = {**os.environ, "OHHELL_BOT_PATIENCE_S": "1"}
    environment.pop("GRPC_VERBOSITY", None)
    if verbosity is not None:
        environment["GRPC_VERBOSITY"] = verbosity
    ended = subprocess.run(
        [sys.executable, "-m", "bots", "lowest", "--address", breaks_off],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert "was out of reach for 1 s" in ended.stderr
    assert ("Got goaway" in ended.stderr) == is_heard, ended.stderr
