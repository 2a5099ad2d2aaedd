"""Progress: what is counted, what is shown, and what Prometheus reads."""

from __future__ import annotations

import io

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from rich.console import Console

from tests.doubles.played import block_of
from tournament.estimates import Estimator, estimates
from tournament.metrics import TournamentMetrics
from tournament.outcome import BlockResult
from tournament.progress import LINE_EVERY, Progress, Starting, Tally, duration


def block(index: int) -> BlockResult:
    return block_of(index, (0, 1, 2), lambda copy, seat, bot: 10 * bot)


def tally() -> Tally:
    counted = Tally(("a", "b", "c"), 10)
    counted.begin([block(0), block(1)], now=100.0)
    return counted


def test_rates_count_this_session_and_blocks_count_all() -> None:
    counted = tally()
    assert counted.done == 2
    assert counted.seconds_left(101.0) is None
    counted.add([block(2), block(3)])
    assert counted.matches_per_second(102.0) == 3.0
    assert counted.seconds_left(102.0) == 6.0


def test_bots_are_shown_best_first() -> None:
    counted = tally()
    assert counted.best_first() == [2, 1, 0]
    assert counted.points_per_deal(2) == 20.0
    assert Tally(("a", "b"), 1).best_first() == [0, 1]


def test_durations_are_read_at_a_glance() -> None:
    assert [duration(s) for s in (0.4, 59, 60, 3599, 7500)] == [
        "0 s",
        "59 s",
        "1 min 00 s",
        "59 min 59 s",
        "2 h 05 min",
    ]


def test_without_a_terminal_there_are_plain_lines() -> None:
    out = io.StringIO()
    counted = Tally(("a", "b", "c"), 2)
    counted.begin([], now=0.0)
    with Progress(counted, Console(file=out, width=80)) as progress:
        progress.committed([block(0)])
        progress.voided(1, "the host was lost")
        progress.committed([block(1)])
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("1/2 blocks, ")
    assert lines[2] == "block 1 is played again: the host was lost"
    assert lines[3].startswith("2/2 blocks, ")
    assert lines[4] == "  points per deal: c 20.000, b 10.000"
    assert "\x1b" not in out.getvalue()


def test_starting_bots_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("tournament.progress.time.monotonic", lambda: now)
    out = io.StringIO()
    with Starting(40, Console(file=out, width=80)) as starting:
        for _ in range(40):
            now += LINE_EVERY / 16
            starting.ready()
    assert out.getvalue().splitlines() == [
        "starting bots 16/40",
        "starting bots 32/40",
    ]


def test_on_a_terminal_starting_bots_stands_in_its_place() -> None:
    out = io.StringIO()
    with Starting(3, Console(file=out, force_terminal=True, width=80)) as starting:
        for _ in range(2):
            starting.ready()
    assert "starting bots 2/3" in out.getvalue()
    nothing = io.StringIO()
    with Starting(0, Console(file=nothing, force_terminal=True, width=80)):
        pass
    assert nothing.getvalue() == ""


def test_lines_tell_of_the_bots_that_are_compared() -> None:
    said = io.StringIO()
    with Progress(tally(), Console(file=said), told=("b", "a")) as progress:
        progress.committed([block(index) for index in range(2, 10)])
    assert "points per deal: b 10.000, a 0.000" in said.getvalue()
    assert "10/10 blocks" in said.getvalue()


def test_lines_stay_within_80_columns_for_the_longest_names() -> None:
    out = io.StringIO()
    counted = Tally(tuple(letter * 63 for letter in "abc"), 10_000_000)
    counted.begin([block(i) for i in range(200)], now=0.0)
    with Progress(counted, Console(file=out, width=80)) as progress:
        progress.committed([block(200)])
    assert max(map(len, out.getvalue().splitlines())) <= 80


def test_on_a_terminal_a_panel_shows_every_bot() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, record=True)
    progress = Progress(tally(), console)
    console.print(progress._panel())
    text = console.export_text()
    assert "2/10 blocks" in text
    assert [line.split()[0] for line in text.splitlines()[2:5]] == ["c", "b", "a"]
    assert max(map(len, text.splitlines())) <= 80


def metrics_of(counted: Tally, committed: list[BlockResult]) -> TournamentMetrics:
    estimator = Estimator(len(counted.names))
    return TournamentMetrics(counted, committed, concurrency=4, estimator=estimator)


def exposition(metrics: TournamentMetrics) -> str:
    registry = CollectorRegistry()
    registry.register(metrics)
    return generate_latest(registry).decode()


def test_metrics_change_at_a_commit_and_at_no_other_time() -> None:
    counted = tally()
    committed = [block(0), block(1)]
    metrics = metrics_of(counted, committed)
    before = exposition(metrics)
    counted.add([block(2)])
    committed.append(block(2))
    metrics.stored(0.003)
    assert exposition(metrics) == before
    metrics.committed([block(2)])
    after = exposition(metrics)
    for line in (
        "ohhell_tournament_blocks_committed 3.0",
        "ohhell_tournament_matches_total 3.0",
        'ohhell_tournament_points_per_deal{bot="c"} 20.0',
        'ohhell_tournament_journal_commit_seconds_bucket{le="0.0025"} 0.0',
        'ohhell_tournament_journal_commit_seconds_bucket{le="0.005"} 1.0',
    ):
        assert line in after


def test_estimates_are_told_at_a_later_commit_with_the_blocks_they_rest_on() -> None:
    committed = [_uneven(0), _uneven(1), _uneven(2)]
    counted = Tally(("a", "b", "c"), 10)
    counted.begin(committed, now=0.0)
    estimator = Estimator(3)
    metrics = TournamentMetrics(counted, committed, concurrency=4, estimator=estimator)
    metrics.committed([])
    estimator.wait()
    assert "ohhell_tournament_estimated_blocks 0.0" in exposition(metrics)
    committed.append(_uneven(3))
    metrics.committed([])
    told = values(exposition(metrics))
    right = estimates(committed[:3], 3)
    assert told["ohhell_tournament_estimated_blocks"] == 3
    for bot, name in enumerate("abc"):
        scored, rated = right.points[bot], right.ratings[bot]
        assert scored is not None
        assert rated is not None
        label = f'{{bot="{name}"}}'
        assert told[f"ohhell_tournament_points_error{label}"] == scored.error
        assert told[f"ohhell_tournament_rating{label}"] == rated.elo
        assert told[f"ohhell_tournament_rating_error{label}"] == rated.error


def test_an_estimate_that_nobody_wants_is_given_up() -> None:
    estimator = Estimator(3)
    estimator.latest([_uneven(index) for index in range(200)])
    estimator.close()
    assert estimator.latest([]) is None


def test_no_more_than_200_bots_get_a_label_of_their_own() -> None:
    names = tuple(f"b{i}" for i in range(205))
    counted = Tally(names, 10)
    counted.begin(
        [
            block_of(i, (i, i + 1, i + 2), lambda copy, seat, bot: bot)
            for i in range(0, 203, 3)
        ],
        now=0.0,
    )
    counted.faults[204]["HANG"] += 2
    text = exposition(metrics_of(counted, []))
    assert 'bot="b199"' in text
    assert 'bot="b200"' not in text
    assert 'ohhell_tournament_faults_total{bot="other",fault="HANG"} 2.0' in text


def values(text: str) -> dict[str, float]:
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
    return {name: float(value) for name, value in pairs}


def _uneven(index: int) -> BlockResult:
    return block_of(
        index, (0, 1, 2), lambda copy, seat, bot: 7 * (bot + index + copy) % 11
    )
