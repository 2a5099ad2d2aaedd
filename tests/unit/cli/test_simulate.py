"""`ohhell simulate`: fair seats, honest errors, the same figures from the same seed."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import groupby
from math import sqrt
from statistics import stdev
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.simulate.blocks import planned
from cli.simulate.estimates import Estimate, ratio


def simulate(*arguments: str) -> tuple[int, str, str]:
    ended = CliRunner().invoke(app, ["simulate", *arguments])
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.exit_code, ended.stdout, ended.stderr


def figures(*arguments: str) -> Any:  # noqa: ANN401 - JSON is anything
    code, out, err = simulate(*arguments, "--json")
    assert code == 0, err
    document = json.loads(out)
    for timed in ("seconds", "matches_per_second"):
        assert document.pop(timed) > 0
    return document


@pytest.mark.parametrize(
    ("bots", "players"), [(b, n) for n in range(2, 8) for b in range(1, n + 1)]
)
def test_every_bot_has_every_seat_equally_often(bots: int, players: int) -> None:
    matches = list(planned(bots, players, seed=3, matches=bots * players))
    held = Counter((bot, seat) for one in matches for seat, bot in enumerate(one.seats))
    assert set(held.values()) == {players}
    for _, copies in groupby(matches, lambda one: one.seed):
        seats = [one.seats for one in copies]
        first = seats[0]
        assert seats == [first[i:] + first[:i] for i in range(players)]


def test_the_order_round_the_table_changes_between_blocks() -> None:
    firsts = {one.seats for one in planned(4, 4, seed=1, matches=80) if not one.copy}
    assert len(firsts) > 6


def test_a_ratio_of_equal_counts_has_the_error_of_a_mean() -> None:
    sums = [3.0, 7.0, 4.0, 10.0]
    value, error = ratio(sums, [2, 2, 2, 2])
    means = [y / 2 for y in sums]
    assert value == pytest.approx(sum(means) / 4)
    assert error == pytest.approx(stdev(means) / sqrt(4))


def test_nothing_counted_is_no_zero() -> None:
    assert ratio([0.0, 0.0], [0, 0]) == Estimate(None, None)
    assert ratio([1.0], [4]) == Estimate(0.25, None)


def test_the_same_seed_gives_the_same_figures_and_another_one_others() -> None:
    options = ("--bots", "greedy,random", "--matches", "8", "--set", "deal_high=3")
    same = figures(*options, "--seed", "5")
    assert figures(*options, "--seed", "5") == same
    assert figures(*options, "--seed", "6")["bots"] != same["bots"]
    drawn = figures(*options)
    assert figures(*options, "--seed", str(drawn["seed"])) == drawn


def test_shares_of_wins_and_tricks_add_up() -> None:
    document = figures(
        *("--bots", "lowest,random,greedy", "--matches", "9", "--seed", "2"),
        *("--preset", "ninety_nine"),
    )
    wins = sum(
        Fraction(bot["win_share"]).limit_denominator(1000) * bot["seats"]
        for bot in document["bots"]
    )
    assert wins == document["matches"] == 9
    assert all(0 <= bot["bids_hit"] <= 1 for bot in document["bots"])
    assert sum(bot["seats"] for bot in document["bots"]) == 27


def test_one_bot_may_have_all_seats() -> None:
    (bot,) = figures("--bots", "lowest", "--matches", "4", "--seed", "1")["bots"]
    assert (bot["bot"], bot["seats"], bot["win_share"]) == ("lowest", 16, 0.25)
    code, out, _ = simulate("--bots", "lowest", "--matches", "1", "--seed", "1")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--bots", "gredy"), "did you mean greedy?"),
        (("--bots", ""), "There are: random"),
        (("--bots", "random,random,random,random,random"), "5 bots for 4 seats"),
        (("--matches", "0"), "--matches"),
        (("--preset", "wizzard"), "did you mean wizard?"),
        (("--players", "9"), "these rules are for 3 4 5 6 7"),
        (("--set", "deal_high=30"), "do not fit"),
    ],
)
def test_a_mistake_plays_nothing(arguments: tuple[str, ...], expected: str) -> None:
    code, out, err = simulate(*arguments)
    assert (code, out) == (2, "")
    assert expected in err


def test_where_no_bots_are_named_there_are_no_more_than_seats() -> None:
    for players, bots in ((2, 2), (3, 3), (4, 4), (6, 4)):
        table = ("--set", "players=[2,3,4,6]", "--set", "deal_high=2")
        shown = figures(*table, "--players", str(players), "--matches", "2")
        assert len(shown["bots"]) == bots
