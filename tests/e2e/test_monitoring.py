"""What is shipped for Prometheus and Grafana, against a real Prometheus."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ohhell.v1 import tables_pb2
from tests.doubles.command import Ohhell, double, house, interrupt
from tests.doubles.frames import answer, frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.prometheus import (
    FOLDER,
    PrometheusServer,
    needs_prometheus,
    prometheus,
)
from tests.doubles.serving import (
    bearer,
    person_at,
    refused,
    registered,
    seat_bot,
    serving,
)
from tests.project.tree import ROOT

DASHBOARDS = sorted(FOLDER.glob("*.json"))

every_dashboard = pytest.mark.parametrize(
    "file", DASHBOARDS, ids=lambda file: str(file.stem)
)


def panels(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text())["panels"]
    return found


def expressions(file: Path) -> Iterator[str]:
    """Those of all panels, with Grafana's variables replaced."""
    for panel in panels(file):
        for target in panel.get("targets", ()):
            text = target["expr"].replace("$job", "ohhell")
            yield text.replace("$__rate_interval", "30s")


def metrics_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:ohhell|grpc_server|process)_\w+", text))


def test_the_dashboards_are_what_their_script_says() -> None:
    command = [sys.executable, "deploy/dashboards.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == 0, done.stdout


@every_dashboard
def test_no_panel_lies_on_another_or_beside_the_page(file: Path) -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels(file):
        at = panel["gridPos"]
        columns = range(at["x"], at["x"] + at["w"])
        squares = {(x, y) for x in columns for y in range(at["y"], at["y"] + at["h"])}
        assert columns.stop <= 24
        assert not squares & taken, panel["title"]
        taken |= squares
    ids = [panel["id"] for panel in panels(file)]
    assert len(ids) == len(set(ids))


def test_alerts_ask_only_for_metrics_that_dashboards_show_or_pages_list() -> None:
    listed = (ROOT / "docs" / "serving.md").read_text()
    listed += (ROOT / "docs" / "tournaments.md").read_text()
    for name in metrics_in((FOLDER / "alerts.yml").read_text()):
        bare = re.sub(r"^ohhell_(tournament_)?|_bucket$", "", name)
        assert f"`{bare}" in listed or f"`{name}" in listed, name


def test_the_page_lists_every_alert() -> None:
    alerts = re.findall(r"alert: (\w+)", (FOLDER / "alerts.yml").read_text())
    page = (ROOT / "docs" / "monitoring.md").read_text()
    assert re.findall(r"^\| `(OhHell\w+)`", page, re.MULTILINE) == alerts
    tested = re.findall(r"alertname: (\w+)", (FOLDER / "alerts.test.yml").read_text())
    assert set(tested) == set(alerts)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "alerts.test.yml"),
    ],
    ids=" ".join,
)
class TestPromtool:
    pytestmark = needs_prometheus

    def test_it_finds_the_files_in_order(self, arguments: tuple[str, ...]) -> None:
        done = subprocess.run(
            ["promtool", *arguments],
            cwd=FOLDER,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def all_are_answered(asked: PrometheusServer, file: Path) -> None:
    """An answer without any series is what a misspelt name gets: none may stay so."""
    missing = list(expressions(file))
    assert missing
    deadline = time.monotonic() + PATIENCE_S
    while missing and time.monotonic() < deadline:
        missing = [text for text in missing if not asked.series(text)]
        time.sleep(0.5)
    assert not missing


def is_understood(page: str) -> None:
    """By Prometheus' own check of what it reads, which also looks at the names."""
    with urllib.request.urlopen(page) as response:  # noqa: S310 - http, ours
        text = response.read()
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=text, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()


class TestDashboards:
    pytestmark = needs_prometheus

    async def test_each_panel_of_the_service_shows_a_service(
        self, tmp_path: Path
    ) -> None:
        tokens = registered(tmp_path, "anna")
        with serving(tmp_path) as service:
            async with (
                person_at(service.game) as tables,
                frame_client(service.game, tokens["anna"]) as gone,
                frame_client(service.game, tokens["anna"]) as anna,
            ):
                await gone.hello(instance_id="gone")
                gone.call.cancel()
                await anna.hello(instance_id="anna")
                table = await seat_bot(tables, tokens["anna"])
                await anna.send(answer(await anna.prompt(), bid=99))
                await anna.play(lambda frame: frame.HasField("result"))
                # Where it bids first, nobody else has had an answer accepted.
                await anna.send(answer(await anna.prompt()))
                nobody = tables.GetTable(
                    tables_pb2.GetTableRequest(table=table), metadata=bearer("x")
                )
                await refused(nobody)
                page = service.listens["metrics"]
                with prometheus(tmp_path, urlsplit(page).netloc) as asked:
                    shown = FOLDER / "service.json"
                    await asyncio.to_thread(all_are_answered, asked, shown)
                    rules = asked.ask("rules")["groups"][0]["rules"]
                    assert all(rule["health"] == "ok" for rule in rules)
                is_understood(page)

    def test_each_panel_of_a_tournament_shows_a_run(self, tmp_path: Path) -> None:
        ohhell = Ohhell(tmp_path)
        bots = double("illegal_card") + house("greedy", "lowest", "random")
        spec = ohhell.spec(bots, blocks=100_000)
        arguments = ("tournament", "run", spec, "--metrics-port", "0")
        with ohhell.start(*arguments) as process:
            assert process.stderr is not None
            line = ""
            while "/metrics" not in line:
                line = process.stderr.readline()
            page = line.split()[-1]
            with prometheus(tmp_path, urlsplit(page).netloc) as asked:
                all_are_answered(asked, FOLDER / "tournament.json")
            is_understood(page)
            interrupt(process, signal.SIGINT)
