"""How far a run is, told while it goes on: a live panel, or a line now and then."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tournament.counted import counted
from tournament.outcome import BlockResult
from tournament.standings import RunningPoints

LINE_EVERY = 5.0
"""Seconds between lines where there is no terminal."""
SHOWN_BOTS = 20
WIDTH = 80
"""Of a line without a terminal."""
LEADERS = 2
"""Bots in such a line."""


class Tally:
    """Running sums over the committed blocks of a run; rates count this session's."""

    def __init__(self, names: Sequence[str], blocks: int) -> None:
        """Begin with no blocks; `begin` starts the clock."""
        self.names = tuple(names)
        self.blocks = blocks
        self.done = 0
        self.voids = 0
        self.faults: list[Counter[str]] = [Counter() for _ in names]
        self._points = RunningPoints(len(names))
        self._started = 0.0
        self._session_matches = 0
        self._session_blocks = 0

    def begin(self, earlier: Sequence[BlockResult], now: float) -> None:
        """Take over the blocks of earlier sessions; rates count from `now`."""
        self._started = now
        for result in earlier:
            self._count(result)

    def add(self, results: Sequence[BlockResult]) -> None:
        """Count blocks of this session."""
        for result in results:
            self._session_blocks += 1
            self._session_matches += len(result.copies)
            self._count(result)

    def _count(self, result: BlockResult) -> None:
        self.done += 1
        self._points.add(result)
        for copy in result.copies:
            for bot, faults in zip(copy.seats, copy.faults, strict=True):
                for fault, times in faults:
                    self.faults[bot][fault] += times

    def points_per_deal(self, bot: int) -> float | None:
        """Give the mean over the bot's matches, or None before the first."""
        return self._points.means()[bot]

    def faults_beyond(self, bots: int) -> Counter[str]:
        """Sum up the faults of all bots but the first ones."""
        return sum(self.faults[bots:], Counter())

    def matches_per_second(self, now: float) -> float:
        """Give the rate of this session."""
        return self._session_matches / max(now - self._started, 1e-9)

    def seconds_left(self, now: float) -> float | None:
        """Estimate what is left at the rate so far, or None before the first block."""
        if not self._session_blocks:
            return None
        left = self.blocks - self.done
        return left * (now - self._started) / self._session_blocks

    def best_first(self) -> list[int]:
        """List the bots by points per deal so far, those without a match last."""
        points = self._points.means()
        return sorted(
            range(len(self.names)),
            key=lambda bot: (points[bot] is None, -(points[bot] or 0.0), bot),
        )


def duration(seconds: float) -> str:
    """Write a duration as 45 s, 3 min 20 s or 2 h 05 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


class _Display:
    """A live display where there is a terminal, and lines that are due elsewhere."""

    def __init__(
        self,
        console: Console,
        render: Callable[[], RenderableType],
        *,
        first_line_after: float = 0.0,
    ) -> None:
        self._console = console
        self._render = render
        self._first_line_after = first_line_after
        self._live: Live | None = None
        self._next_line = 0.0

    def __enter__(self) -> Self:
        self._next_line = time.monotonic() + self._first_line_after
        if self._console.is_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=self._render,
                refresh_per_second=4,
                transient=True,
            )
            self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def is_due(self, now: float, *, at_any_rate: bool = False) -> bool:
        """Tell whether a line is to be printed now, which is then as good as done."""
        if self._live is not None or not (at_any_rate or now >= self._next_line):
            return False
        self._next_line = now + LINE_EVERY
        return True


class Starting(_Display):
    """Tells how many bot processes of a run are ready; use it as a context manager."""

    def __init__(self, processes: int, console: Console) -> None:
        super().__init__(console, self._line, first_line_after=LINE_EVERY)
        self._processes = processes
        self._ready = 0

    def __enter__(self) -> Self:
        # House bots in this process are there at once.
        return super().__enter__() if self._processes else self

    def ready(self) -> None:
        """Count one more, and say so when a line is due."""
        self._ready += 1
        if self.is_due(time.monotonic()):
            self._console.print(self._line())

    def _line(self) -> Text:
        return Text(f"starting bots {self._ready}/{self._processes}")


class Progress(_Display):
    """The audience of a run that tells people; use it as a context manager."""

    def __init__(
        self, tally: Tally, console: Console, *, told: Sequence[str] = ()
    ) -> None:
        """`told` are the bots of a line, instead of the leaders."""
        super().__init__(console, self._panel)
        self._tally = tally
        self._told = [tally.names.index(name) for name in told]

    def committed(self, results: Sequence[BlockResult]) -> None:
        """Count blocks, and say so when a line is due."""
        self._tally.add(results)
        now = time.monotonic()
        last = self._tally.done == self._tally.blocks
        if self.is_due(now, at_any_rate=last):
            self.note(self._line(now))

    def voided(self, block: int, reason: str) -> None:
        """Say at once that a block is played again."""
        self._tally.voids += 1
        self.note(f"block {block} is played again: {reason}")

    def note(self, text: str) -> None:
        """Say something at once, above the panel if there is one."""
        self._console.print(Text(text), soft_wrap=True)

    def _line(self, now: float) -> str:
        tally = self._tally
        faults = sum(counts.total() for counts in tally.faults)
        left = tally.seconds_left(now)
        parts = [
            f"{tally.done}/{tally.blocks} blocks",
            f"{tally.matches_per_second(now):.1f} matches/s",
            counted(faults, "fault"),
        ]
        if left:
            parts.append(f"{duration(left)} left")
        told = self._told or tally.best_first()[:LEADERS]
        longest = (WIDTH - 19) // len(told) - 10
        shown = (
            f"{_short(tally.names[bot], longest)} {_points(tally, bot)}" for bot in told
        )
        return f"{', '.join(parts)}\n  points per deal: {', '.join(shown)}"

    def _panel(self) -> RenderableType:
        now = time.monotonic()
        tally = self._tally
        left = tally.seconds_left(now)
        head = Table.grid(padding=(0, 2))
        head.add_row(
            ProgressBar(tally.blocks, tally.done, width=24),
            f"{tally.done}/{tally.blocks} blocks",
            f"{tally.matches_per_second(now):.1f} matches/s",
            "" if left is None else f"{duration(left)} left",
        )
        table = Table(box=None, padding=(0, 2), header_style="dim")
        table.add_column("bot", no_wrap=True, overflow="ellipsis", max_width=32)
        table.add_column("points per deal", justify="right")
        table.add_column("faults", justify="right")
        for bot in tally.best_first()[:SHOWN_BOTS]:
            faults = tally.faults[bot].total()
            style = "red" if faults else "dim"
            table.add_row(
                tally.names[bot], _points(tally, bot), Text(str(faults), style=style)
            )
        return Group(head, table)


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _points(tally: Tally, bot: int) -> str:
    points = tally.points_per_deal(bot)
    return "-" if points is None else f"{points:.3f}"
