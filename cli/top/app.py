"""`ohhell top`: what a running service or tournament is doing, from its metrics."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from dataclasses import asdict
from typing import Annotated

import typer

from cli.exits import fail
from cli.limits import within

USUAL = "127.0.0.1:9464"
PLAIN_WIDTH = 80


def top(
    where: Annotated[
        str, typer.Argument(help="HOST:PORT or URL of /metrics.", metavar="[WHERE]")
    ] = USUAL,
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Print one snapshot and end.")
    ] = False,
    seconds: Annotated[
        float,
        typer.Option(
            callback=within("--seconds", 0.2, 3600), help="Time between two readings."
        ),
    ] = 2.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one snapshot as JSON.")
    ] = False,
) -> None:
    """Show what runs, until Ctrl-C: tables, decisions, faults.

    Where the output is no terminal, one snapshot is printed, with rates since the
    start of the process. Exit status: 0 done, 2 there is nothing to be read.
    """
    from cli.top.scrape import NoMetrics, page_at

    try:
        url = page_at(where)
        if as_json or once or not sys.stdout.isatty():
            _snapshot(url, as_json=as_json)
        else:
            with contextlib.suppress(KeyboardInterrupt):
                _watch(url, seconds)
    except NoMetrics as error:
        fail(error)


def _snapshot(url: str, *, as_json: bool) -> None:
    from rich.console import Console

    from cli.top.figures import figures
    from cli.top.scrape import scrape
    from cli.top.screen import screen

    found = figures(scrape(url))
    if as_json:
        typer.echo(json.dumps({"url": url, **asdict(found)}, indent=2))
    else:
        width = None if sys.stdout.isatty() else PLAIN_WIDTH
        Console(width=width, highlight=False).print(screen(url, found))


def _watch(url: str, seconds: float) -> None:
    """Until Ctrl-C; what does not answer for a while is waited for."""
    from rich.console import Console
    from rich.live import Live

    from cli.top.figures import figures
    from cli.top.scrape import NoMetrics, scrape
    from cli.top.screen import screen

    before = scrape(url)
    found = figures(before)
    with Live(
        screen(url, found), console=Console(highlight=False), auto_refresh=False
    ) as live:
        while True:
            time.sleep(seconds)
            trouble = ""
            try:
                now = scrape(url)
            except NoMetrics as error:
                trouble = str(error)
            else:
                # A restarted one begins to count again.
                restarted = now.total("process_start_time_seconds") != before.total(
                    "process_start_time_seconds"
                )
                found = figures(now, None if restarted else before)
                before = now
            live.update(screen(url, found, trouble), refresh=True)
