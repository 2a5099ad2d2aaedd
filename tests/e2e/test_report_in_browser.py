"""The report, opened in a real browser without a network."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tournament.outcome import BlockResult, CopyResult, DealFact, FaultCount, tally
from tournament.report.html import report_page
from tournament.standings import Standings, standings

pytestmark = pytest.mark.slow

NAMES = ["expected-tricks", "<img src=x onerror=alert(1)>", "</script>&'\"", "random"]
SIZES = (*range(10, 0, -1), *range(2, 11))


def _seat(rng: random.Random, noise: int) -> list[DealFact]:
    facts = []
    for size in SIZES:
        bid = rng.randint(0, size // 2)
        tricks = max(0, min(size, bid + rng.choice([0] * (5 - noise) + [1, -1, 2])))
        hit = bid == tricks
        facts.append(DealFact(size, bid, tricks, hit, tricks + 10 * hit))
    return facts


def _match(rng: random.Random, *, block: int, copy: int) -> CopyResult:
    seats = tuple((place + copy) % 4 for place in range(4))
    deals = [_seat(rng, bot) for bot in seats]
    totals = tuple(sum(deal.points for deal in own) for own in deals)
    late = block % 7 == 0
    return CopyResult(
        seats=seats,
        totals=totals,
        deals=len(SIZES),
        winners=tuple(s for s in range(4) if totals[s] == max(totals)),
        ranks=tuple(1 + sum(other > own for other in totals) for own in totals),
        tallies=tuple(tally(own) for own in deals),
        faults=tuple(
            (FaultCount("DEADLINE", 1),) if late and bot == 3 else () for bot in seats
        ),
        fallbacks=tuple(int(late and bot == 3) for bot in seats),
    )


def _sample(blocks: int) -> Standings:
    rng = random.Random(3)  # noqa: S311  (sample data, not secrets)
    results = [
        BlockResult(
            block,
            0,
            (0, 1, 2, 3),
            tuple(_match(rng, block=block, copy=copy) for copy in range(4)),
        )
        for block in range(blocks)
    ]
    return standings(results, NAMES, replicates=50)


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser.new_page(viewport={"width": 1100, "height": 900})
        browser.close()


def _open(page: Page, report: Path) -> tuple[list[str], list[str]]:
    """Open a report; what it complained of, and what it asked the network for."""
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(report.as_uri())
    page.wait_for_function(
        "document.querySelectorAll('.chart').length > 0 && "
        "[...document.querySelectorAll('.chart')].every(c => c.dataset.drawn)"
    )
    return complaints, [
        url for url in requests if not url.startswith(("data:", "blob:"))
    ]


def test_every_chart_is_drawn_and_nothing_is_clipped(
    page: Page, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    report.write_text(report_page("A <b>title</b>", {"preset": "x"}, _sample(20)))
    complaints, requests = _open(page, report)
    assert complaints == []
    assert requests == [report.as_uri()]
    assert page.locator(".chart .main-svg").first.is_visible()
    assert page.locator(".chart[data-drawn]").count() == 6
    # Marks of every chart: dots with their intervals, cells, curves, bars.
    for mark in (
        ".errorbars path",
        ".heatmaplayer image, .hm",
        ".js-line",
        ".barlayer",
    ):
        assert page.locator(mark).count() > 0, mark
    # Every text of every chart lies inside its chart, and every chart in the page.
    outside = page.evaluate(
        """() => {
          const bad = [];
          for (const chart of document.querySelectorAll('.chart')) {
            const frame = chart.getBoundingClientRect();
            if (frame.right > window.innerWidth + 1) bad.push('chart too wide');
            for (const text of chart.querySelectorAll('svg text')) {
              const box = text.getBoundingClientRect();
              if (box.width === 0) continue;
              if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
                  box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                bad.push(text.textContent);
            }
          }
          return bad;
        }"""
    )
    assert outside == []


def test_names_are_shown_as_they_are_and_never_run(page: Page, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text(report_page("names", {}, _sample(7)))
    complaints, _ = _open(page, report)
    assert complaints == []
    cells = page.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert sorted(cells[:4]) == sorted(NAMES)
    assert page.locator("img").count() == 0
