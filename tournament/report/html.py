"""report.html: the results as one page that opens without a network.

The script that draws the charts is part of the page; it comes from the plotly package.
Every name is escaped, and the page forbids itself to load anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape

from plotly.offline import get_plotlyjs

from tournament.counted import counted
from tournament.report import charts
from tournament.standings import BotStanding, Standings
from tournament.stats.intervals import Interval

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; border-bottom: 1px solid #ddd; }
p.note { color: #555; margin: .2rem 0 .6rem; max-width: 46rem; }
p.warning { background: #fff6dd; border-left: 4px solid #e0a800; padding: .4rem .8rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .7rem; border-bottom: 1px solid #e5e5e5;
  white-space: nowrap; }
th:nth-child(2), td:nth-child(2) { text-align: left; }
td small { color: #666; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.chart { width: 100%; }
@media print { .chart { break-inside: avoid; } }
"""

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data: blob:"
)

_DRAW = """
for (const node of document.querySelectorAll(".chart")) {
  const figure = JSON.parse(node.querySelector("script").textContent);
  Plotly.newPlot(node, figure.data, figure.layout,
    {responsive: true, displaylogo: false})
    .then(() => { node.dataset.drawn = "yes"; });
}
"""


def report_page(title: str, facts: Mapping[str, str], standings: Standings) -> str:
    """Write the page; `facts` are the lines under the title, in order."""
    return "".join(
        (
            "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>",
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            "<meta name='viewport' content='width=device-width, initial-scale=1'>",
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n",
            f"<h1>{escape(title)}</h1>\n{_facts(facts)}",
            *(
                f"<p class='warning'>{escape(text)}</p>\n"
                for text in standings.warnings
            ),
            *_standings(standings),
            *_charts(standings),
            f"<script>{get_plotlyjs()}</script>\n<script>{_DRAW}</script>",
            "</body></html>\n",
        )
    )


def _facts(facts: Mapping[str, str]) -> str:
    items = (f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
    return f"<dl>{''.join(items)}</dl>\n"


def _standings(standings: Standings) -> Iterator[str]:
    yield "<h2>Standings</h2>\n"
    block = (
        "one sequence of deals played in every rotation of the seats, so that "
        "everybody held every hand"
        if standings.duplicate
        else "one table in every rotation of its seats, each with deals of its own"
    )
    yield (
        "<p class='note'>Ordered by points per deal. Intervals are 95 % and count "
        f"blocks, not matches: a block is {block}.</p>\n"
    )
    yield _table(standings.lines)
    clean = standings.untainted
    if clean is not None and clean.blocks:
        yield (
            f"<h2>Standings without faults</h2>\n<p class='note'>Only the "
            f"{counted(clean.blocks, 'block')} in which no action was played for a"
            " bot.</p>\n"
        )
        yield _table(clean.lines)


_UNKNOWN = "?"
_HEADINGS = (
    "#",
    "bot",
    "points/deal",
    "rating",
    "wins",
    "bids made",
    "matches",
    "faults",
)


def _table(lines: Iterable[BotStanding]) -> str:
    head = "".join(f"<th>{heading}</th>" for heading in _HEADINGS)
    rows = "".join(f"<tr>{''.join(_cells(line))}</tr>\n" for line in lines)
    return (
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead>"
        f"<tbody>\n{rows}</tbody></table></div>\n"
    )


def _cells(line: BotStanding) -> Iterator[str]:
    mark = escape(line.mark.value)
    yield f"<td>{_UNKNOWN if line.place is None else line.place}</td>"
    yield f"<td>{escape(line.name)}</td>"
    yield f"<td>{_estimate(line.points_per_deal, line.ci, decimals=3)}</td>"
    yield f"<td>{mark}{_estimate(line.rating, line.rating_ci, decimals=0)}</td>"
    yield f"<td>{_share(line.win_share, line.win_share_ci)}</td>"
    yield f"<td>{_share(line.bid_hit, line.bid_hit_ci)}</td>"
    yield f"<td>{line.matches}</td>"
    faults = ", ".join(f"{times} {fault}" for fault, times in line.faults)
    yield f"<td>{escape(faults) or '0'}</td>"


def _estimate(value: float | None, interval: Interval | None, *, decimals: int) -> str:
    if value is None:
        return _UNKNOWN
    text = f"{value:.{decimals}f}"
    if interval is None:
        return text
    ends = f"{interval.lo:.{decimals}f} … {interval.hi:.{decimals}f}"
    return f"{text} <small>{ends}</small>"


def _share(value: float | None, interval: Interval | None) -> str:
    percent = None if value is None else 100 * value
    ends = None if interval is None else Interval(100 * interval.lo, 100 * interval.hi)
    text = _estimate(percent, ends, decimals=1)
    return text if value is None else f"{text} %"


def _charts(standings: Standings) -> Iterator[str]:
    if not standings.blocks:
        return
    yield _chart(
        "Points per deal",
        "A seat's final total divided by its deals, against the field.",
        charts.points_chart(standings),
    )
    yield _chart(
        "Ratings",
        "Plackett-Luce with ties on the final ranks of all matches, on the Elo scale.",
        charts.ratings_chart(standings),
    )
    yield _chart(
        "Head to head",
        "Points per deal of the row's bot minus the column's, in the blocks that both "
        "played.",
        charts.versus_chart(standings),
    )
    first = (
        ""
        if len(standings.lines) <= charts.CURVES
        else f" The first {charts.CURVES} bots are shown."
    )
    yield _chart(
        "Score by deal size",
        f"What each bot scores in small and in large deals.{first}",
        charts.sizes_chart(standings),
    )
    yield _chart(
        "Bid calibration",
        "Tricks taken by tricks bid: on the dotted line bids mean what they say, above "
        f"it a bot bids too little.{first}",
        charts.bids_chart(standings),
    )
    faults = charts.faults_chart(standings)
    if faults is None:
        yield "<h2>Faults</h2>\n<p class='note'>No bot committed a fault.</p>\n"
    else:
        yield _chart("Faults", "By class, for each bot that has any.", faults)


def _chart(heading: str, note: str, figure: charts.Figure) -> str:
    # "</" inside a script element would end it.
    data = json.dumps(figure, ensure_ascii=False, allow_nan=False).replace("</", "<\\/")
    return (
        f"<h2>{escape(heading)}</h2>\n<p class='note'>{escape(note)}</p>\n"
        f"<div class='chart'><script type='application/json'>{data}</script></div>\n"
    )
