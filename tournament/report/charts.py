"""The charts of the report, as figures that plotly.js draws.

A figure is plain data (`data` and `layout`), so that making one needs no plotting
library; only the page needs the script that draws it. Charts with a curve for each bot
show the first `CURVES` bots of the standings and say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tournament.counted import counted
from tournament.standings import BotStanding, Standings
from tournament.stats.intervals import Interval, around
from tournament.stats.versus import HeadToHead

Figure: TypeAlias = dict[str, object]

CURVES = 12
"""Curves in one chart; more cannot be told apart."""

# Okabe and Ito's colours, which people with colour blindness can tell apart, and the
# same again dashed.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES = ("solid", "dash")
_ROW = 26
_FRAME = 90


def points_chart(standings: Standings) -> Figure:
    """Points per deal with 95 % intervals, best on top."""
    known = [line for line in standings.lines if line.points_per_deal is not None]
    return _intervals(
        [(line.name, line.points_per_deal or 0.0, line.ci) for line in known],
        title="points per deal",
    )


def ratings_chart(standings: Standings) -> Figure:
    """Ratings on the Elo scale with 95 % intervals, in order of the standings."""
    known = [line for line in standings.lines if line.rating is not None]
    return _intervals(
        [(line.name, line.rating or 0.0, line.rating_ci) for line in known],
        title="rating (field mean 1500)",
    )


def versus_chart(standings: Standings) -> Figure:
    """Heat map: points per deal of the row's bot minus the column's."""
    names = [_text(line.name) for line in standings.lines]
    order = [line.bot for line in standings.lines]
    cells = [[standings.versus[row][column] for column in order] for row in order]
    values = [
        [None if cell is None else cell.difference for cell in row] for row in cells
    ]
    reach = max((abs(v) for row in values for v in row if v is not None), default=1.0)
    few = len(order) <= CURVES
    hover = [
        [
            "never met"
            if cell is None
            else f"{cell.difference:+.3f}{_reach(cell)}<br>"
            + counted(cell.blocks, "block")
            for cell in row
        ]
        for row in cells
    ]
    heat = {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": values,
        "zmin": -reach or -1.0,
        "zmax": reach or 1.0,
        "colorscale": "RdBu",
        "reversescale": True,
        "xgap": 1,
        "ygap": 1,
        "customdata": hover,
        "hovertemplate": "%{y} against %{x}: %{customdata}<extra></extra>",
        "colorbar": {"title": {"text": "points<br>per deal"}},
    }
    if few:
        heat["texttemplate"] = "%{z:+.2f}"
    layout = _layout(height=_FRAME + 110 + _ROW * max(4, len(order)))
    layout["yaxis"] = {"autorange": "reversed", "automargin": True, "type": "category"}
    layout["xaxis"] = {"automargin": True, "type": "category", "side": "bottom"}
    return {"data": [heat], "layout": layout}


def _reach(cell: HeadToHead) -> str:
    """Say half the width of a 95 % interval, where there is one."""
    if cell.error is None:
        return ""
    interval = around(cell.difference, cell.error, cell.blocks)
    return "" if interval is None else f" ± {(interval.hi - interval.lo) / 2:.3f}"


def sizes_chart(standings: Standings) -> Figure:
    """Points per deal by deal size, a curve for each bot."""
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": _text(line.name),
            "x": [score.size for score in standings.sizes[line.bot]],
            "y": [score.points_per_deal for score in standings.sizes[line.bot]],
            "customdata": [score.deals for score in standings.sizes[line.bot]],
            "hovertemplate": "%{y:.2f} in %{customdata} deals",
            "line": _stroke(number),
        }
        for number, line in enumerate(_shown(standings))
    ]
    return {
        "data": data,
        "layout": _layout(height=400)
        | {
            "xaxis": {"title": {"text": "cards dealt to each seat"}, "dtick": 1},
            "yaxis": {"title": {"text": "points per deal"}},
            "hovermode": "x unified",
        },
    }


def bids_chart(standings: Standings) -> Figure:
    """Mean tricks taken by bid, a curve for each bot, and the line of exact bids."""
    shown = _shown(standings)
    top = max((b.bid for line in shown for b in standings.bids[line.bot]), default=1)
    exact = {
        "type": "scatter",
        "mode": "lines",
        "name": "exact",
        "x": [0, top],
        "y": [0, top],
        "hoverinfo": "skip",
        "line": {"color": "#999999", "dash": "dot"},
    }
    data: list[object] = [exact]
    for number, line in enumerate(shown):
        bids = standings.bids[line.bot]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": _text(line.name),
                "x": [bid.bid for bid in bids],
                "y": [bid.mean_tricks for bid in bids],
                "customdata": [[bid.times, 100 * bid.bid_hit] for bid in bids],
                "hovertemplate": "%{y:.2f} tricks, bid %{customdata[0]} times, "
                "made %{customdata[1]:.0f} %",
                "line": _stroke(number),
            }
        )
    return {
        "data": data,
        "layout": _layout(height=400)
        | {
            "xaxis": {"title": {"text": "bid"}, "dtick": 1},
            "yaxis": {"title": {"text": "tricks taken on average"}},
            "hovermode": "x unified",
        },
    }


def faults_chart(standings: Standings) -> Figure | None:
    """Faults by class, stacked for each bot that has any; None where there is none."""
    faulty = [line for line in standings.lines if line.faults]
    if not faulty:
        return None
    classes = sorted({fault for line in faulty for fault, _ in line.faults})
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": fault,
            "y": [_text(line.name) for line in faulty],
            "x": [dict(line.faults).get(fault, 0) for line in faulty],
            "marker": {"color": _COLOURS[number % len(_COLOURS)]},
        }
        for number, fault in enumerate(classes)
    ]
    layout = _layout(height=_FRAME + 70 + _ROW * len(faulty))
    layout |= {
        "barmode": "stack",
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "margin": {"l": 60, "r": 20, "t": 45, "b": 55},
        "xaxis": {"title": {"text": "faults"}, "rangemode": "tozero"},
        "yaxis": {"autorange": "reversed", "automargin": True, "type": "category"},
    }
    return {"data": data, "layout": layout}


def _intervals(
    rows: Sequence[tuple[str, float, Interval | None]], *, title: str
) -> Figure:
    dots = {
        "type": "scatter",
        "mode": "markers",
        "y": [_text(name) for name, _, _ in rows],
        "x": [value for _, value, _ in rows],
        "marker": {"size": 9, "color": _COLOURS[0]},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [
                0.0 if interval is None else interval.hi - value
                for _, value, interval in rows
            ],
            "arrayminus": [
                0.0 if interval is None else value - interval.lo
                for _, value, interval in rows
            ],
        },
        "hovertemplate": "%{y}: %{x}<extra></extra>",
    }
    layout = _layout(height=_FRAME + _ROW * max(3, len(rows)))
    layout |= {
        "showlegend": False,
        "xaxis": {"title": {"text": title}, "zeroline": False},
        "yaxis": {"autorange": "reversed", "automargin": True, "type": "category"},
    }
    return {"data": [dots], "layout": layout}


def _layout(*, height: int) -> dict[str, object]:
    return {
        "height": height,
        "margin": {"l": 60, "r": 20, "t": 36, "b": 55},
        "font": {"family": "system-ui, sans-serif", "size": 13},
        "plot_bgcolor": "#ffffff",
        "paper_bgcolor": "#ffffff",
        "template": {
            "layout": {
                "xaxis": {"gridcolor": "#e5e5e5", "linecolor": "#bbbbbb"},
                "yaxis": {"gridcolor": "#e5e5e5", "linecolor": "#bbbbbb"},
            }
        },
        "legend": {"orientation": "h", "y": -0.25},
    }


def _shown(standings: Standings) -> Sequence[BotStanding]:
    return standings.lines[:CURVES]


def _stroke(number: int) -> dict[str, str]:
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "dash": _DASHES[number // len(_COLOURS) % len(_DASHES)],
    }


def _text(name: str) -> str:
    """Keep plotly from reading a bot's name as its small subset of HTML."""
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
