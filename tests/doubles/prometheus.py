"""A Prometheus that reads one address, with the files that are shipped for it."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.patience import PATIENCE_S
from tests.project.tree import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
SHIPPED = "127.0.0.1:9464"

needs_prometheus = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("prometheus") is None, reason="Prometheus is not installed"
    ),
]


class PrometheusServer:
    """Asked through its HTTP interface."""

    def __init__(self, address: str) -> None:
        self._base = f"http://{address}/api/v1"

    def ask(self, path: str, **parameters: str) -> Any:  # noqa: ANN401 - JSON
        """What it answers; raises AssertionError for what it does not understand."""
        url = f"{self._base}/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_S) as response:  # noqa: S310 - http, ours
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{parameters}: {error.read().decode()}") from error

    def until_ready(self) -> None:
        """It listens before it can answer."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(AssertionError):
                self.ask("query", query="vector(1)")
                return
            time.sleep(0.1)
        raise AssertionError("it does not get ready")

    def series(self, expression: str) -> int:
        """How many series an expression gives at this moment."""
        return len(self.ask("query", query=expression)["result"])


@contextmanager
def prometheus(folder: Path, target: str) -> Iterator[PrometheusServer]:
    """Reads `target` (HOST:PORT) every second instead of the address in the file."""
    shipped = (FOLDER / "prometheus.yml").read_text(encoding="utf-8")
    assert SHIPPED in shipped
    config = shipped.replace(SHIPPED, target).replace("_interval: 5s", "_interval: 1s")
    (folder / "prometheus.yml").write_text(config, encoding="utf-8")
    shutil.copy(FOLDER / "alerts.yml", folder)
    command = [
        "prometheus",
        *("--config.file=prometheus.yml", "--storage.tsdb.path=data"),
        "--web.listen-address=127.0.0.1:0",
    ]
    log = folder / "prometheus.log"
    with log.open("w") as errors:
        process = subprocess.Popen(command, cwd=folder, stderr=errors)
    try:
        server = PrometheusServer(_address(process, log))
        server.until_ready()
        yield server
    finally:
        process.kill()
        process.wait(PATIENCE_S)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        for line in log.read_text().splitlines():
            if 'msg="Listening on"' in line:
                return line.rpartition("address=")[2]
        time.sleep(0.05)
    raise AssertionError(log.read_text())
