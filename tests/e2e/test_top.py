"""`ohhell top` with a service and a tournament that run, and with what does not."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

from typer.testing import CliRunner

from cli.main import app
from tests.doubles.command import Ohhell, double, house
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import command, environment, person_at, serving, someone

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text("utf-8")


def top(*arguments: str) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, ["top", *arguments])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.exit_code, ended.stdout, ended.stderr


def metrics_of(listens: dict[str, str]) -> str:
    return listens["metrics"].removeprefix("http://").split("/")[0]


def keys(document: object) -> set[str]:
    if not isinstance(document, dict):
        return set()
    inside = {key for item in document.values() for key in keys(item)}
    return set(document) | inside


async def test_a_service_is_shown_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            await (await someone(tables)).play_on()
        where = metrics_of(service.listens)
        code, out, _ = top(where, "--json")
        found = json.loads(out)
        assert code == 0
        assert found["decisions"] > 20
        assert found["decisions_per_second"] > 0
        assert found["decision_ms"] > 0
        assert found["tables"] == {"finished": 1}
        assert (found["run"], found["bots"], found["draining"]) == (None, {}, False)
        section = PAGE.split("\n## ohhell top")[1].split("\n## ")[0]
        assert keys(found) - {"finished"} <= set(re.findall(r"\w+", section))
        code, out, _ = top(service.listens["metrics"], "--once")
        assert code == 0
        assert f"{found['decisions']} in all" in out
        assert max(map(len, out.splitlines())) <= 80


def test_a_tournament_is_shown_with_its_bots_and_their_faults(tmp_path: Path) -> None:
    ohhell = Ohhell(tmp_path)
    bots = house("random", "lowest", "greedy") + double("illegal_card")
    spec = ohhell.spec(bots, blocks=400)
    with ohhell.start("tournament", "run", spec, "--metrics-port", "0") as process:
        assert process.stderr is not None
        where = ""
        for line in process.stderr:
            if line.startswith("metrics: "):
                where = line.removeprefix("metrics: ").strip()
                break
        ohhell.until_blocks("t", 2)
        code, out, _ = top(where, "--json")
        found = json.loads(out)
        assert (code, found["run"]["blocks_planned"]) == (0, 400)
        assert found["run"]["blocks"] >= 1
        assert set(found["bots"]) == {"random", "lowest", "greedy", "illegal-card"}
        assert found["bots"]["illegal-card"]["faults"]["ILLEGAL"] > 0
        text = top(where)[1]
        assert re.search(r"^tournament +\d+/400 blocks", text, re.MULTILINE)
        assert re.search(r"^illegal-card .* ILLEGAL", text, re.MULTILINE)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)


def until(read: int, expected: str) -> str:
    """What a terminal shows, up to something."""
    shown, deadline = "", time.monotonic() + PATIENCE_S
    while expected not in shown and time.monotonic() < deadline:
        if select.select([read], [], [], 1)[0]:
            shown += os.read(read, 65_536).decode(errors="replace")
    assert expected in shown, shown
    return shown


def test_in_a_terminal_it_goes_on_and_says_when_nobody_answers(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        read, write = pty.openpty()
        process = subprocess.Popen(
            command("top", metrics_of(service.listens), "--seconds", "0.2"),
            env=environment({}) | {"TERM": "xterm", "COLUMNS": "80"},
            stdin=subprocess.DEVNULL,
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(write)
        try:
            until(read, "rates over 0 s")
            service.end(signal.SIGINT)
            until(read, "Connection refused")
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
            os.close(read)
        assert (process.returncode, errors) == (0, "")


def test_where_nothing_is_to_be_read_it_says_what_is_missing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        free = f"127.0.0.1:{door.getsockname()[1]}"
    code, out, err = top(free)
    assert (code, out) == (2, "")
    assert "Connection refused; a service and a tournament say" in err
    with serving(tmp_path) as service:
        for where, expected in (
            (service.game, "is no page of metrics: what listens there is no web"),
            (f"http://{metrics_of(service.listens)}/healthz", "no "),
            (f"http://{metrics_of(service.listens)}/absent", "404 Not Found"),
        ):
            code, out, err = top(where)
            assert (code, out) == (2, "")
            assert expected in err
    code, _, err = top("nowhere")
    assert (code, "neither HOST:PORT nor a URL" in err) == (2, True)
