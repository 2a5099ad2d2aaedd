"""The figures as a screen of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.top.figures import Figures, Run
from tournament.counted import counted
from tournament.progress import duration

MOST_BOTS = 20
WARNING = "bold red"


def screen(url: str, found: Figures, trouble: str = "") -> RenderableType:
    """Everything; `trouble` says why these figures are not the newest."""
    over = "since its start" if found.seconds is None else duration(found.seconds)
    parts: list[RenderableType] = [Text(f"{url}, rates over {over}", style="bold")]
    if trouble:
        parts.append(Text(trouble, style=WARNING))
    if found.store_failing:
        parts.append(Text("the store fails: nothing is accepted", style=WARNING))
    if found.draining:
        parts.append(Text("going down: nobody new is let in", style=WARNING))
    parts.append(_lines(found))
    if found.bots:
        parts += [Text(), _bots(found)]
        hidden = len(found.bots) - MOST_BOTS
        if hidden > 0:
            parts.append(Text(f"and {hidden} more bots"))
    return Group(*parts)


def _lines(found: Figures) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    for name, told in _rows(found):
        table.add_row(name, Text(told))
    return table


def _rows(found: Figures) -> Iterator[tuple[str, str]]:
    if found.run is not None:
        yield "tournament", _run(found.run)
    yield "tables", _counted(found.tables) or "none"
    yield (
        "decisions",
        f"{_number(found.decisions_per_second, 1)} a second,"
        f" {found.decisions:,} in all{_within(', 99 % within ', found.decision_ms)}",
    )
    yield (
        "streams",
        f"{found.streams:,} open, {found.streams_opened:,} opened,"
        f" {found.streams_resumed:,} came back",
    )
    yield (
        "waiting",
        f"{found.frames_waiting:,} frames"
        f"{_within('; questions 99 % within ', found.queue_ms)}",
    )
    if found.loop_lag_ms is not None:
        yield "event loop", _within("99 % within ", found.loop_lag_ms)
    if found.clock_stopped_s:
        yield "clocks", f"stood still for {duration(found.clock_stopped_s)}"
    if found.rejections:
        yield "refused", _counted(found.rejections)
    if found.slow_consumers:
        yield "too slow", f"{found.slow_consumers:,} readers were let go"
    yield "process", ", ".join(_process(found))


def _process(found: Figures) -> Iterator[str]:
    if found.memory_bytes is not None:
        yield f"{found.memory_bytes / (1 << 20):.0f} MiB"
    if found.cpu_share is not None:
        yield f"{100 * found.cpu_share:.0f} % of a processor"


def _run(run: Run) -> str:
    left = "" if run.seconds_left is None else f", {duration(run.seconds_left)} left"
    voids = f", {counted(run.voids, 'block')} played again" if run.voids else ""
    return (
        f"{run.blocks:,}/{run.blocks_planned:,} blocks,"
        f" {run.matches_per_second:.1f} matches/s{left}{voids}"
    )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _bots(found: Figures) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("bot", max_width=24, no_wrap=True, overflow="ellipsis")
    for heading in ("pts/deal", "±", "rating"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("faults")
    for name, bot in list(found.bots.items())[:MOST_BOTS]:
        table.add_row(
            Text(name),
            _number(bot.points_per_deal, 3),
            _number(bot.points_error, 3),
            _number(bot.rating, 0),
            Text(_counted(bot.faults), style="red"),
        )
    return table


def _within(words: str, milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{words}{_number(milliseconds, 1)} ms"


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:,.{decimals}f}"
