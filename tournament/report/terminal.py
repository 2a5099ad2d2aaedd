"""The final standings as a table of at most 80 columns."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tournament.standings import BotStanding, Standings


def standings_table(standings: Standings) -> RenderableType:
    """Lay the standings out, the warnings below, and the untainted table last."""
    parts: list[RenderableType] = [_table(standings)]
    parts += [Text(f"! {warning}", style="yellow") for warning in standings.warnings]
    if standings.untainted is not None:
        blocks = standings.untainted.blocks
        if blocks:
            title = (
                f"Without blocks in which an action was played for a bot ({blocks}):"
            )
            parts += [Text(), Text(title), _table(standings.untainted)]
    return Group(*parts)


def _table(standings: Standings) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    # The only column that may become narrower, so that no number is cut.
    table.add_column("bot", max_width=18)
    for heading in ("pts/deal", "±95%", "rating", "95%", "wins", "bids", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in standings.lines:
        table.add_row(*_cells(line))
    return table


def _cells(line: BotStanding) -> tuple[str | Text, ...]:
    faults = sum(times for _, times in line.faults)
    return (
        "-" if line.place is None else str(line.place),
        Text(line.name, no_wrap=True, overflow="ellipsis"),
        _number(line.points_per_deal, 3),
        "-" if line.ci is None else f"{(line.ci.hi - line.ci.lo) / 2:.3f}",
        line.mark.value + _number(line.rating, 0),
        "-"
        if line.rating_ci is None
        else f"{line.rating_ci.lo:.0f}..{line.rating_ci.hi:.0f}",
        _percent(line.win_share),
        _percent(line.bid_hit),
        Text(str(faults), style="red" if faults else ""),
    )


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"
