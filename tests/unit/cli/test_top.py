"""What `ohhell top` makes of readings of /metrics."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from rich.console import Console

from cli.top.figures import figures
from cli.top.scrape import Labels, NoMetrics, Scrape, page_at, quantile, scrape
from cli.top.screen import screen


def reading(at: float, decisions: float, fast: float, slow: float) -> Scrape:
    buckets = {0.01: fast, 0.1: fast + slow, math.inf: fast + slow}
    values: dict[str, dict[Labels, float]] = {
        "ohhell_decisions_total": {(("kind", "bid"),): decisions},
        "ohhell_decision_seconds_bucket": {
            (("kind", "bid"), ("le", str(le))): count for le, count in buckets.items()
        },
        "ohhell_bot_faults_total": {(("bot", "[b]x[/b]"), ("fault", "HANG")): 2.0},
        "ohhell_store_failing": {(): 1.0},
        "ohhell_tables": {(("state", "running"),): 3.0, (("state", "open"),): 0.0},
    }
    return Scrape(at, 100.0, values)


def shown(scrape: Scrape) -> str:
    console = Console(width=80, no_color=True)
    with console.capture() as captured:
        console.print(screen("http://h:1/metrics", figures(scrape)))
    return captured.get()


@contextmanager
def page(text: str) -> Iterator[str]:
    """Serves a page once; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_arguments: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/metrics"
        thread.join()


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-Inf"])
def test_what_is_told_as_no_number_is_not_known(value: str) -> None:
    told = (
        f"ohhell_decisions_total {value}\n"
        f'ohhell_tables{{state="running"}} {value}\n'
        f"ohhell_tournament_blocks_planned {value}\n"
        f"process_resident_memory_bytes {value}\n"
        "ohhell_stream_active 3\n"
    )
    with page(told) as url:
        found = figures(scrape(url))
    assert (found.streams, found.decisions, found.tables) == (3, 0, {})
    assert (found.run, found.memory_bytes) == (None, None)


def test_a_bucket_without_a_bound_is_no_metric() -> None:
    told = 'ohhell_decision_seconds_bucket{le="x"} 1\n'
    with page(told) as url, pytest.raises(NoMetrics, match="no page of metrics"):
        scrape(url)


def test_rates_and_percentiles_are_of_the_time_between_two_readings() -> None:
    first = reading(10.0, 1_000, fast=1_000, slow=0)
    second = reading(12.0, 1_100, fast=1_000, slow=100)
    found = figures(second, first)
    assert found.seconds == 2.0
    assert found.decisions_per_second == 50.0
    # All that came lately took 10 to 100 ms.
    assert found.decision_ms == pytest.approx(10 + 90 * 0.99)
    alone = figures(first)
    assert alone.decisions_per_second == 10.0
    assert alone.decision_ms == pytest.approx(9.9)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 0), None),
        ((100, 100, 100), 0.0099),
        ((0, 100, 100), 0.01 + 0.09 * 0.99),
        ((0, 0, 100), 0.1),
    ],
)
def test_a_percentile_lies_inside_its_bucket(
    counts: tuple[int, int, int], expected: float | None
) -> None:
    buckets = dict(zip((0.01, 0.1, math.inf), map(float, counts), strict=True))
    found = quantile(0.99, buckets)
    assert found == (None if expected is None else pytest.approx(expected))


def test_what_was_not_timed_yet_is_left_out_of_the_screen() -> None:
    text = shown(Scrape(1.0, 100.0, {}))
    assert "0 frames" in text
    assert "- ms" not in text


def test_the_screen_tells_trouble_first_and_takes_names_as_they_are() -> None:
    text = shown(reading(1.0, 5, fast=5, slow=0))
    assert "the store fails: nothing is accepted" in text.splitlines()[1]
    assert "3 running\n" in text.replace(" \n", "\n").replace("  ", "")
    assert "[b]x[/b]" in text
    assert "2 HANG" in text


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("h:1", "http://h:1/metrics"),
        ("https://h", "https://h/metrics"),
        ("http://h:1/other", "http://h:1/other"),
        ("[::1]:9", "http://[::1]:9/metrics"),
    ],
)
def test_an_address_is_taken_for_its_page_of_metrics(text: str, page: str) -> None:
    assert page_at(text) == page


@pytest.mark.parametrize("text", ["nowhere", "file:///etc/passwd", "ftp://h/x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(NoMetrics, match="neither HOST:PORT nor a URL"):
        page_at(text)
